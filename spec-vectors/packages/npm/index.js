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
    if (folder === 'requirements' || folder === 'schema') continue;
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
      })));
    }
  }
  return found;
}

export const cases = (op) => [...sets().values()].flat().filter((one) => one.op === op);

export function requirements() {
  return readdirSync(new URL('requirements/', data)).sort().flatMap((name) => {
    const file = read(`requirements/${name}`);
    return file.requirements.map(({ id, level, text }) => ({ id, level, text, spec: file.spec }));
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

export async function check(operations, { anyError = false } = {}) {
  const report = { passed: 0, failures: [] };
  for (const [op, operation] of Object.entries(operations)) {
    const all = cases(op);
    if (all.length === 0) throw new RangeError(`there are no vectors for ${op}`);
    for (const one of all) {
      let found;
      try {
        found = { ok: await operation(one.input) };
      } catch (error) {
        if (!(error instanceof Refused) && !anyError) throw error;
        found = { err: { kind: error.kind ?? error.name } };
      }
      if (passes(one, found, anyError)) report.passed += 1;
      else report.failures.push({ case: one, found });
    }
  }
  return report;
}
