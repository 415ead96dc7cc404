// The fetch handler around a `respond` of the test's own: what reaches the client where it fails, and where nobody negotiates.
// Needs no build of the module.
import { test } from 'node:test';
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { negotiate } from '../npm/example/negotiate.js';

const PAGE = '<!doctype html><title>Tea</title><p>Green.';
const FIELDS = { 'content-type': 'text/html', etag: '"site"', 'last-modified': 'Sat, 14 Mar 2026 06:30:00 GMT' };
const URL_OF_PAGE = 'https://tea.example/tea';

const failing = () => { throw Object.assign(new Error('expected a URL'), { code: 'bad-url' }); };
const never = () => { throw new Error('nobody asked'); };

test('a fault of the module gives the site\'s own page, whole, with its validators', async () => {
  const faults = [];
  const handle = negotiate(failing, async () => new Response(PAGE, { headers: FIELDS }), (error) => faults.push(error.code));
  for (const [method, body] of [['GET', PAGE], ['HEAD', '']]) {
    const answer = await handle(new Request(`${URL_OF_PAGE}?a=^`, { method, headers: { accept: 'text/markdown' } }));
    strictEqual(answer.status, 200);
    strictEqual(await answer.text(), body);
    strictEqual(answer.headers.get('etag'), '"site"');
    strictEqual(answer.headers.get('vary'), 'accept');
  }
  deepStrictEqual(faults, ['bad-url', 'bad-url']);
  // Of a body that came compressed, the fields are about bytes that are not sent on.
  const coded = negotiate(failing, async () => new Response(PAGE, { headers: { ...FIELDS, 'content-encoding': 'gzip' } }));
  const answer = await coded(new Request(URL_OF_PAGE, { headers: { accept: 'text/markdown' } }));
  strictEqual(await answer.text(), PAGE);
  strictEqual(answer.headers.get('content-encoding'), null);
  strictEqual(answer.headers.get('etag'), null);
});

test('HTML streams to those who do not ask for Markdown', async () => {
  let push;
  const body = new ReadableStream({ start(controller) { push = controller; } });
  const handle = negotiate(never, async () => new Response(body, { headers: FIELDS }));
  const answer = await handle(new Request(URL_OF_PAGE, { headers: { accept: 'text/html,*/*;q=0.8' } }));
  strictEqual(answer.headers.get('etag'), '"site"');
  // The answer is there before the site has said a word.
  const reader = answer.body.getReader();
  const first = reader.read();
  push.enqueue(new TextEncoder().encode('<p>'));
  strictEqual(new TextDecoder().decode((await first).value), '<p>');
  push.close();
  ok((await reader.read()).done);
});

test('the site confirms its own tag', async () => {
  const seen = [];
  const handle = negotiate(never, async (request) => {
    seen.push(request.headers.get('if-none-match'));
    return new Response(null, { status: 304, headers: { etag: '"site"', vary: 'Cookie' } });
  });
  for (const accept of ['text/html', '*/*', undefined]) {
    const headers = { 'if-none-match': '"site"', ...(accept && { accept }) };
    const answer = await handle(new Request(URL_OF_PAGE, { headers }));
    strictEqual(answer.status, 304);
    strictEqual(answer.headers.get('vary'), 'cookie, accept');
  }
  deepStrictEqual(seen, ['"site"', '"site"', '"site"']);
});

test('what is not HTML passes as it is', async () => {
  const data = new Response('{}', { headers: { 'content-type': 'application/json' } });
  const handle = negotiate(never, async () => data);
  for (const accept of ['text/html', 'text/markdown']) {
    strictEqual(await handle(new Request(URL_OF_PAGE, { headers: { accept } })), data);
  }
});
