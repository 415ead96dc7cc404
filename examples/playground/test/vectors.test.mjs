// Every published vector that is about a function of the package, run through it.
import { test } from 'node:test';
import { deepStrictEqual, ok, strictEqual, throws } from 'node:assert';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import * as aiweb from '../dist/npm/node.js';
import * as core from '../dist/npm/core/node.js';

const ROOT = new URL('../../../spec-vectors/', import.meta.url);
const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'));
const file = (input) => input.robots ?? bytes(input.robots_b64);

const canonicalize = (module) => ({ json_b64, profile }) => {
  const json = Buffer.from(module.canonicalize(bytes(json_b64), profile));
  return { json_b64: json.toString('base64'), sha256: createHash('sha256').update(json).digest('hex') };
};

/** Path and code of the findings of one weight. */
const told = (findings, error) => findings.filter(({ severity }) => (severity === 'error') === error)
  .map(({ place = '', code }) => ({ path: place, code }));
const verdict = ({ valid, findings }) => ({ valid, errors: told(findings, true), warnings: told(findings, false) });

/** The operations of the line protocol as calls of the package. */
const OPERATIONS = {
  'tct.fingerprint': ({ text }) => ({ hash: aiweb.fingerprint(text) }),
  'tct.normalize': ({ text }) => ({ text: aiweb.normalize(text) }),
  'tct.canonicalize': canonicalize(aiweb),
  'robots.allowed': (input) => {
    const robots = new aiweb.Robots(file(input));
    const { allowed, crawlDelay, rule } = robots.decide(input.agents, input.url);
    return { allowed, crawl_delay: crawlDelay, rule: rule && { line: rule.line, pattern: rule.pattern } };
  },
  'robots.preferences': (input) => {
    const { preferences } = new aiweb.Robots(file(input)).decide(input.agents, input.url);
    const object = (list, yes, no) => Object.fromEntries(list.map(([name, stated]) => [name, stated ? yes : no]));
    return { content_usage: object(preferences.usage, 'y', 'n'), content_signal: object(preferences.signals, 'yes', 'no') };
  },
  'aidocument.extract': ({ html_b64, url, crawl, content_type }) => ({
    document: JSON.parse(aiweb.document(bytes(html_b64), { url, crawl, contentType: content_type ?? undefined })),
  }),
  'aidocument2.extract': ({ html_b64, url, source, freshness_policy, cache_status, content_type }) => ({
    document: JSON.parse(aiweb.document(bytes(html_b64), {
      url, version: '2.0', contentType: content_type ?? undefined, freshnessPolicy: freshness_policy, cacheStatus: cache_status,
      fetchedAt: source.fetched_at, statusCode: source.status_code, renderMode: source.render_mode,
    })),
  }),
  'llmindex.manifest': ({ json_b64 }) => verdict(aiweb.validate('manifest', bytes(json_b64))),
  'llmindex.product': ({ line }) => verdict(aiweb.validate('product', line)),
  'llmindex.feed': ({ feed_b64 }) => {
    const { valid, products, lines, findings } = aiweb.validate('feed', bytes(feed_b64));
    return {
      valid, products, warnings: findings.map(({ code }) => ({ code })),
      lines: lines.map(({ line, findings: some }) => ({ line, errors: told(some, true), warnings: told(some, false) })),
    };
  },
  'llmindex.llms_txt': ({ json_b64 }) => ({ text: aiweb.llmsTxt(bytes(json_b64)) }),
};

/** Cases that need header fields, and those that ask about a text without a scheme, which the package takes for no address. */
const OTHERWISE = (operation, input) => operation.startsWith('robots.') && (input.headers?.length || (input.robots ?? input.robots_b64) === undefined || !/^(\/|[a-z]+:\/\/|$|\?)/i.test(input.url ?? ''));

function* cases() {
  for (const folder of readdirSync(ROOT, { withFileTypes: true })) {
    if (!folder.isDirectory() || ['schema', 'requirements', 'src', 'tests', 'examples', 'target'].includes(folder.name)) continue;
    for (const name of readdirSync(new URL(`${folder.name}/`, ROOT))) {
      if (!name.endsWith('.json')) continue;
      const set = JSON.parse(readFileSync(new URL(`${folder.name}/${name}`, ROOT), 'utf8'));
      for (const one of set.cases ?? []) yield { ...one, op: one.op ?? set.op };
    }
  }
}

/** `found` has at least what `wanted` has. */
function holds(found, wanted, path) {
  if (wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted)) {
    ok(found !== null && typeof found === 'object', `${path}: ${JSON.stringify(found)}`);
    for (const [name, value] of Object.entries(wanted)) holds(found[name] ?? null, value, `${path}.${name}`);
  } else {
    deepStrictEqual(found, wanted, path);
  }
}

const counts = {};
for (const [operation, run] of Object.entries(OPERATIONS)) {
  test(operation, () => {
    let ran = 0;
    for (const { id, op, in: input, ok: wanted, err } of cases()) {
      if (op !== operation || OTHERWISE(operation, input)) continue;
      ran++;
      if (err) throws(() => run(input), (error) => error.code === err.kind || assertKind(error, err.kind, id), id);
      else holds(run(input), wanted, id);
    }
    counts[operation] = ran;
    ok(ran > 5, `expected cases of ${operation}, found ${ran}`);
  });
}

function assertKind(error, kind, id) {
  strictEqual(error.code, kind, `${id}: ${error.message}`);
}

test('the small module gives the same', () => {
  for (const { id, op, in: input, ok: wanted, err } of cases()) {
    if (err && op === 'tct.canonicalize') throws(() => canonicalize(core)(input), { code: err.kind }, id);
    else if (op === 'tct.canonicalize') holds(canonicalize(core)(input), wanted, id);
    else if (op === 'tct.fingerprint') strictEqual(core.fingerprint(input.text), wanted.hash, id);
    else if (op === 'tct.normalize') strictEqual(core.normalize(input.text), wanted.text, id);
  }
  strictEqual(core.extract, undefined);
});

test('the count', () => {
  const sum = Object.values(counts).reduce((a, b) => a + b, 0);
  console.log(`vectors: ${sum} run through the package`, counts);
  ok(sum > 1000);
});
