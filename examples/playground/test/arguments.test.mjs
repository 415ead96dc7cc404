// Every export with every kind of value in each of its parameters: an answer, or an `AiwebError` that says which
// argument it is about. Never a crash of the module, never a bare TypeError.
import { test } from 'node:test';
import { deepStrictEqual, ok, strictEqual, throws } from 'node:assert';
import { runInNewContext } from 'node:vm';
import * as aiweb from '../dist/npm/node.js';
import * as checks from '../dist/npm/checks/node.js';
import * as core from '../dist/npm/core/node.js';

const detached = new ArrayBuffer(8);
const view = new Uint8Array(detached);
structuredClone(detached, { transfer: [detached] });
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const cycle = {};
cycle.self = cycle;

/** One of each kind of value that JavaScript has, and those that people pass by mistake. */
const VALUES = {
  undefined, null: null, true: true, zero: 0, NaN: NaN, Infinity, minus: -1, fraction: 1.5, huge: 2 ** 60, bigint: 12n, symbol: Symbol('s'),
  empty: '', text: 'tea', json: '{"a":1}', url: 'https://tea.example/a', lone: '\ud800', long: 'ä'.repeat(5000),
  'String object': new String('tea'), 'Number object': new Number(5), Date: new Date(0), RegExp: /a/, function: () => 'tea', class: class A {},
  object: {}, 'null prototype': Object.create(null), array: [], strings: ['a', 'b'], mixed: ['a', 1, null], nested: [['accept', 'text/html']],
  Map: new Map([['a', 'b']]), Set: new Set(['a']), Promise: Promise.resolve(), Error: new Error('no'), cycle, bigints: { a: 1n },
  'lying length': { length: 2 ** 31, 0: 'a' }, 'negative length': { length: -1 },
  getter: { get url() { throw new Error('own'); }, get length() { throw new Error('own'); }, get href() { throw new Error('own'); } },
  toString: { toString() { throw new Error('own'); } }, toJSON: { toJSON() { throw new Error('own'); } },
  'throwing tag': { get [Symbol.toStringTag]() { throw new Error('own'); } }, 'false URL': { [Symbol.toStringTag]: 'URL', href: 5 },
  'false view': { buffer: 5, byteLength: 9, byteOffset: 0 }, 'false buffer': { [Symbol.toStringTag]: 'ArrayBuffer' },
  'endless iterator': { * [Symbol.iterator]() { for (;;) yield ['a', 'b']; } }, Proxy: new Proxy({}, { get() { throw new Error('own'); } }), revoked: revoked.proxy,
  URL: new URL('https://tea.example/a'), URLSearchParams: new URLSearchParams('a=b'), Headers: new Headers({ accept: 'text/markdown' }),
  Request: new Request('https://tea.example/a'), Uint8Array: new TextEncoder().encode('{"a":1}'), Buffer: Buffer.from('{"a":1}'), 'no UTF-8': new Uint8Array([0xff]),
  Uint16Array: new Uint16Array([97]), DataView: new DataView(new ArrayBuffer(2)), ArrayBuffer: new TextEncoder().encode('{"a":1}').buffer,
  SharedArrayBuffer: new SharedArrayBuffer(4), detached, 'detached view': view, 'another realm': runInNewContext('new Uint8Array([123, 125])'),
  WebAssembly: new WebAssembly.Memory({ initial: 1 }),
};

const ROBOTS = new aiweb.Robots('User-agent: *\nDisallow: /a');
const SITE = { origin: 'https://tea.example', template: '{head}{content}', pages: [{ path: '/', title: 'T', content: '<p>Tea' }] };
const crawl = { fetched_at: '2026-01-01T00:00:00Z', status_code: 200, render_mode: 'static', fetch_duration_ms: 0, content_length: 1, user_agent: 'A/1' };

/** Each function, with arguments that are right, and the names of its parameters. */
const CALLS = {
  fingerprint: [(...all) => aiweb.fingerprint(...all), ['tea'], ['text']],
  normalize: [(...all) => aiweb.normalize(...all), ['tea'], ['text']],
  normalizationSteps: [(...all) => aiweb.normalizationSteps(...all), ['tea'], ['text']],
  canonicalize: [(...all) => aiweb.canonicalize(...all), ['1', 'tct'], ['json', 'profile']],
  checkCanonical: [(...all) => aiweb.checkCanonical(...all), ['1', 'tct'], ['json', 'profile']],
  extract: [(...all) => aiweb.extract(...all), ['<p>tea', {}], ['page', 'options']],
  markdown: [(...all) => aiweb.markdown(...all), ['<p>tea', {}], ['page', 'options']],
  renderMarkdown: [(...all) => aiweb.renderMarkdown(...all), ['*tea*'], ['text']],
  document: [(...all) => aiweb.document(...all), ['<p>tea', { url: 'https://tea.example/', crawl }], ['page', 'options']],
  respond: [(...all) => aiweb.respond(...all), ['<p>tea', { url: 'https://tea.example/' }], ['page', 'request']],
  validate: [(...all) => aiweb.validate(...all), ['manifest', '{}'], ['kind', 'text']],
  llmsTxt: [(...all) => aiweb.llmsTxt(...all), ['{}'], ['manifest']],
  Robots: [(...all) => new aiweb.Robots(...all).free(), [''], ['file']],
  'Robots.allows': [(...all) => ROBOTS.allows(...all), ['A', '/'], ['agent', 'url']],
  'Robots.decide': [(...all) => ROBOTS.decide(...all), ['A', '/'], ['agents', 'url']],
  Visit: [(...all) => new aiweb.Visit(...all).free(), [SITE, 0], ['site', 'now']],
  'Visit.publish': [(...all) => new aiweb.Visit(SITE, 0).publish(...all), [SITE], ['site']],
  'Visit.advance': [(...all) => new aiweb.Visit(SITE, 0).advance(...all), [1], ['by']],
};
// The members of a request are arguments of their own.
for (const name of ['url', 'method', 'headers', 'contentType']) {
  CALLS[`respond, ${name}`] = [(value) => aiweb.respond('<p>tea', { url: 'https://tea.example/', [name]: value }), [undefined], [`request.${name}`]];
}

test('every export is in the matrix', () => {
  const called = Object.keys(CALLS).map((name) => name.split(/[.,]/)[0]);
  deepStrictEqual(Object.keys(aiweb).filter((name) => !called.includes(name)), []);
});

for (const [name, [call, right, parameters]] of Object.entries(CALLS)) {
  test(`${name} takes any value`, () => {
    let refused = 0;
    for (const [at, parameter] of parameters.entries()) {
      for (const [kind, value] of Object.entries(VALUES)) {
        const given = [...right];
        given[at] = value;
        const where = `${name}, ${parameter}: ${kind}`;
        try {
          call(...given);
        } catch (error) {
          refused++;
          strictEqual(error.name, 'AiwebError', `${where}: ${error.stack}`);
          ok(/^[a-z0-9-]+$/.test(error.code), where);
          ok(typeof error.message === 'string' && error.message.length > 0, where);
          if (error.code === 'bad-argument' || error.code === 'bad-option') {
            strictEqual(error.argument?.split('.')[0], parameter.split('.')[0], `${where}: ${error.message}`);
          }
        }
      }
    }
    ok(refused > 0, 'nothing was refused');
    if (right[0] !== undefined) {
      throws(() => call(), (error) => error.name === 'AiwebError' && parameters.includes(error.argument));
    }
    strictEqual(aiweb.canonicalize('[1.0]'), '[1]', 'the module is as it was');
  });
}

test('what JavaScript people have at hand is taken', () => {
  const file = 'User-agent: *\nDisallow: /a\n';
  const bytes = new TextEncoder().encode(file);
  const offset = new Uint8Array(new Uint8Array([0, 0, ...bytes]).buffer, 2);
  for (const value of [file, bytes, bytes.buffer, offset, new DataView(bytes.buffer), Buffer.from(file)]) {
    strictEqual(new aiweb.Robots(value).allows('A', new URL('https://tea.example/a')), false);
  }
  strictEqual(aiweb.fingerprint(bytes.buffer), aiweb.fingerprint(file));
  strictEqual(aiweb.extract('<a href=b>tea</a>', { url: new URL('https://tea.example/a/') }).markdown.includes('tea.example/a/b'), true);
  const accept = 'text/markdown';
  for (const headers of [new Headers({ accept }), { accept }, [['accept', accept]], new Map([['accept', accept]]), { accept: [accept], host: undefined }]) {
    const { headers: sent } = aiweb.respond('<p>tea', { url: new URL('https://tea.example/'), headers });
    strictEqual(new Headers(sent).get('content-type'), 'text/markdown; charset=utf-8');
  }
  strictEqual(aiweb.respond('<p>tea', new Request('https://tea.example/', { headers: { accept } })).status, 200);
});

test('`texts.map(canonicalize)` says what to write', () => {
  for (const { canonicalize } of [aiweb, checks, core]) {
    throws(() => ['{}', '{}'].map(canonicalize), { name: 'AiwebError', code: 'bad-argument', argument: 'profile', message: /texts\.map\(\(text\) => canonicalize\(text\)\)/ });
    deepStrictEqual(['{ }', '[ ]'].map((text) => canonicalize(text)), ['{}', '[]']);
  }
  deepStrictEqual(['A', 'b'].map(core.normalize), ['a', 'b']);
});

test('after `free` an object throws, and the module goes on', () => {
  const robots = new aiweb.Robots('');
  robots.free();
  throws(() => robots.allows('A', '/'), (error) => error instanceof Error && !(error instanceof WebAssembly.RuntimeError));
  strictEqual(new aiweb.Robots('').allows('A', '/'), true);
});
