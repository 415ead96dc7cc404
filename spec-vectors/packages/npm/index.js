// Test vectors of the AI-readable web's protocols, as data. See index.d.ts for the types.
import { readFileSync, readdirSync } from 'node:fs';

const data = new URL('./data/', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, data), 'utf8'));

export class Refused extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

export function sets() {
  const found = new Map();
  for (const folder of readdirSync(data).sort()) {
    if (folder === 'requirements' || folder === 'schema' || folder === 'stories') continue;
    for (const name of readdirSync(new URL(`${folder}/`, data)).sort()) {
      const file = read(`${folder}/${name}`);
      const set = `${folder}/${name.replace(/\.json$/, '')}`;
      found.set(set, file.cases.map((one) => ({
        id: one.id,
        set,
        op: one.op ?? file.op,
        requirements: one.requirements,
        input: one.in,
        ok: one.ok,
        err: one.err?.kind,
        comment: one.comment,
        flags: one.flags ?? [],
        basis: one.basis ?? 'text',
        section: one.section,
        spec: file.spec,
      })));
    }
  }
  return found;
}

export const cases = (op) => [...sets().values()].flat().filter((one) => one.op === op);

export const operations = () => JSON.parse(readFileSync(new URL('./operations.json', import.meta.url), 'utf8')).operations;

export function requirements() {
  return readdirSync(new URL('requirements/', data)).sort().flatMap((name) => {
    const file = read(`requirements/${name}`);
    return file.requirements.map(({ id, level, role, text, section, problem }) => (
      { id, level, role, text, section, problem, spec: file.spec }));
  });
}

function same(expected, found) {
  if (Array.isArray(expected)) {
    return Array.isArray(found) && expected.length === found.length && expected.every((value, n) => same(value, found[n]));
  }
  if (expected !== null && typeof expected === 'object') {
    if (found === null || typeof found !== 'object' || Array.isArray(found)) return false;
    const names = Object.keys(expected);
    return names.length === Object.keys(found).length
      && names.every((name) => Object.hasOwn(found, name) && same(expected[name], found[name]));
  }
  return expected === found;
}

export function passes(expected, found, anyError = false) {
  if (expected.err !== undefined) {
    return found.err !== undefined && (anyError || found.err.kind === expected.err);
  }
  const { ok } = found;
  return ok !== null && typeof ok === 'object'
    && Object.entries(expected.ok).every(([name, value]) => Object.hasOwn(ok, name) && same(value, ok[name]));
}

// ---- what a failure tells; run.py and the Rust crate tell the same

const hidden = /(?! )[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Me}\p{Mn}\p{Zl}\p{Zp}\p{Zs}]/gu;
const escaped = (found) => found.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
/** The text with what cannot be seen, or joins its neighbour, as JSON escapes. */
const visible = (text) => text.replace(hidden, escaped);

function shown(value, most = 400) {
  const text = [...visible(JSON.stringify(value) ?? String(value))];
  if (text.length <= most) return text.join('');
  const cut = Math.floor((most * 2) / 3);
  return `${text.slice(0, cut).join('')} …${text.length - most} characters… ${text.slice(-Math.floor(most / 3)).join('')}`;
}

function decode(text) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `bytes ${bytes.toString('hex').replace(/(..)(?=.)/g, '$1 ')}`;
  }
}

/** The value with each member `…_b64` decoded, and renamed so that nobody takes it for the input's spelling. */
function readable(value) {
  if (Array.isArray(value)) return value.map(readable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => {
    const text = name.endsWith('_b64') && typeof inner === 'string' ? decode(inner) : undefined;
    return text === undefined ? [name, readable(inner)] : [`${name} decoded`, text];
  }));
}

/** Where two JSON values differ first: a JSON Pointer, and in texts the character. */
function difference(expected, found, at = '') {
  if (same(expected, found)) return undefined;
  const place = at || 'the answer';
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (isObject(expected) && isObject(found)) {
    for (const [name, value] of Object.entries(expected)) {
      const inner = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Object.hasOwn(found, name)) return `${inner.replace(/ decoded$/, '')}: missing, expected ${shown(value, 120)}`;
      const told = difference(value, found[name], inner);
      if (told) return told;
    }
    const extra = Object.keys(found).find((name) => !Object.hasOwn(expected, name));
    return `${place}: has a member ${JSON.stringify(extra)} that is not expected`;
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    for (let n = 0; n < Math.min(expected.length, found.length); n += 1) {
      const told = difference(expected[n], found[n], `${at}/${n}`);
      if (told) return told;
    }
    return `${place}: expected ${expected.length} elements, found ${found.length}`;
  }
  if (typeof expected === 'string' && typeof found === 'string') {
    const [ours, theirs] = [[...expected], [...found]];
    let n = 0;
    while (n < ours.length && n < theirs.length && ours[n] === theirs[n]) n += 1;
    const end = (text) => (n >= text.length ? 'the end'
      : `U+${text[n].codePointAt(0).toString(16).toUpperCase().padStart(4, '0')} ${visible(text[n])}`);
    return `${place}: at character ${n} (of ${ours.length}), expected ${end(ours)}, found ${end(theirs)}`;
  }
  return `${place}: expected ${shown(expected, 120)}, found ${shown(found, 120)}`;
}

/** The story of a case, and of an answer that fails it. */
export function explain(one, found) {
  const lines = [['why', one.comment], ['input', shown(readable(one.input))]];
  lines.push(['expected', one.err === undefined ? shown(readable(one.ok)) : `an error of kind ${one.err}`]);
  if (found?.ended !== undefined) lines.push(['found', found.ended]);
  else if (found?.err !== undefined) {
    const message = found.err.message === undefined ? '' : `: ${visible(String(found.err.message))}`;
    lines.push(['found', `an error of kind ${found.err.kind}${message}`]);
  } else if (found !== undefined) {
    lines.push(['found', shown(readable(found.ok))]);
    if (one.ok !== undefined) {
      const isObject = found.ok !== null && typeof found.ok === 'object';
      const asked = isObject ? Object.fromEntries(Object.keys(one.ok).filter((name) => Object.hasOwn(found.ok, name)).map((name) => [name, found.ok[name]])) : found.ok;
      lines.push(['differs', difference(readable(one.ok), readable(asked)) ?? difference(one.ok, asked)]);
    }
  }
  const twin = one.op === 'tct.fingerprint' ? cases('tct.normalize').find((other) => other.input.text === one.input.text) : undefined;
  if (twin?.ok !== undefined) lines.push(['hashed', `the text that goes into the digest is ${shown(twin.ok.text)}`]);
  const rows = new Map(requirements().map((row) => [row.id, row]));
  const places = new Set();
  for (const id of one.requirements) {
    const row = rows.get(id);
    lines.push(['rule', row ? `${id} (${row.level}, ${row.role}): ${row.text}` : id]);
    if (row?.problem) lines.push(['open', row.problem]);
    if (row) places.add(`${row.spec}, “${one.section ?? row.section}”`);
  }
  for (const place of places) lines.push(['where', place]);
  const told = lines.filter(([, text]) => text !== undefined).map(([label, text]) => `  ${label.padEnd(9)} ${text}`);
  return [`${one.id}  (${one.set}.json, ${one.op}, basis ${one.basis})`, ...told].join('\n');
}

export async function check(operations, { anyError = false, count = ['text'] } = {}) {
  const report = { passed: 0, failures: [], differing: [] };
  for (const [op, operation] of Object.entries(operations)) {
    const all = cases(op);
    if (all.length === 0) throw new RangeError(`there are no vectors for ${op}`);
    for (const one of all) {
      let found;
      let exception;
      try {
        const ok = await operation(structuredClone(one.input));
        if (ok === null || typeof ok !== 'object') throw new TypeError(`the operation returned ${ok === null ? 'null' : typeof ok}, expected an object of members`);
        found = { ok };
      } catch (error) {
        if (error instanceof Refused) found = { err: { kind: error.kind } };
        else {
          exception = error;
          found = { err: { kind: error?.name ?? 'thrown', message: `threw ${error}` } };
        }
      }
      if (passes(one, found, anyError)) report.passed += 1;
      else {
        const failure = { case: one, found, exception, toString: () => explain(one, found) };
        (count.includes(one.basis) ? report.failures : report.differing).push(failure);
      }
    }
  }
  return report;
}
