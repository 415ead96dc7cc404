// The fetch handler: HTML in, Markdown by negotiation out, with Node's own Request and Response, and in workerd.
import { test } from 'node:test';
import { ok, strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { respond } from '../dist/npm/node.js';
import { negotiate } from '../dist/npm/example/negotiate.js';

const PAGE = '<!doctype html><title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Green, <b>black</b>, and <a href="/white">white</a>.</p></main>';
const URL_OF_PAGE = 'https://tea.example/tea';

/** A site that knows HTML alone, and what it was asked. */
function site(seen = []) {
  return async (request) => {
    seen.push(request);
    if (new URL(request.url).pathname === '/data') return new Response('{"a":1}', { headers: { 'content-type': 'application/json', etag: '"data"' } });
    if (new URL(request.url).pathname !== '/tea') return new Response('<h1>No such page</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
    return new Response(PAGE, { headers: {
      'content-type': 'text/html; charset=utf-8', etag: '"of-the-site"', 'last-modified': 'Sat, 14 Mar 2026 06:30:00 GMT',
      'cache-control': 'max-age=60', vary: 'Cookie', 'set-cookie': 'a=b', 'x-frame-options': 'DENY',
    } });
  };
}

const ask = (headers = {}, { path = '/tea', method = 'GET', seen } = {}) =>
  negotiate(respond, site(seen))(new Request(new URL(path, URL_OF_PAGE), { method, headers }));

test('a browser gets the HTML, byte for byte', async () => {
  const answer = await ask({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  strictEqual(answer.status, 200);
  strictEqual(await answer.text(), PAGE);
  strictEqual(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  strictEqual(answer.headers.get('vary'), 'cookie, accept');
  strictEqual(answer.headers.get('etag'), '"of-the-site"');
  strictEqual(answer.headers.get('last-modified'), 'Sat, 14 Mar 2026 06:30:00 GMT');
  strictEqual(answer.headers.get('cache-control'), 'max-age=60');
  strictEqual(answer.headers.get('x-frame-options'), 'DENY');
});

test('an agent gets Markdown, with a link to the page', async () => {
  const answer = await ask({ accept: 'text/markdown, text/html;q=0.8' });
  strictEqual(await answer.text(), '# Tea\n\nGreen, **black**, and [white](https://tea.example/white).');
  strictEqual(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
  strictEqual(answer.headers.get('vary'), 'cookie, accept, accept-encoding');
  ok(answer.headers.get('link').includes('<https://tea.example/tea>; rel="canonical"'));
});

test('each form that is negotiated has a tag of its own, and a 304', async () => {
  const tags = [];
  for (const accept of ['text/html, text/markdown;q=0.5', 'text/markdown']) {
    const first = await ask({ accept });
    const tag = first.headers.get('etag');
    ok(tag && tag !== '"of-the-site"');
    tags.push(tag);
    const seen = [];
    const again = await ask({ accept, 'if-none-match': tag }, { seen });
    strictEqual(again.status, 304);
    strictEqual(await again.text(), '');
    strictEqual(again.headers.get('etag'), tag);
    strictEqual(again.headers.get('vary'), first.headers.get('vary'));
    // The site must not leave out the body that the Markdown is made of.
    strictEqual(seen[0].headers.get('if-none-match'), null);
  }
  ok(tags[0] !== tags[1]);
  // The tag of one form does not confirm the other.
  strictEqual((await ask({ accept: 'text/markdown', 'if-none-match': tags[0] })).status, 200);
});

test('HEAD has the fields and no body', async () => {
  const answer = await ask({ accept: 'text/markdown' }, { method: 'HEAD' });
  strictEqual(answer.status, 200);
  strictEqual(await answer.text(), '');
  strictEqual(answer.headers.get('etag'), (await ask({ accept: 'text/markdown' })).headers.get('etag'));
});

test('anything else passes untouched', async () => {
  strictEqual((await ask({ accept: 'text/markdown' }, { path: '/data' })).headers.get('etag'), '"data"');
  strictEqual((await ask({ accept: 'text/markdown' }, { path: '/gone' })).status, 404);
  strictEqual((await ask({}, { method: 'POST' })).headers.get('etag'), '"of-the-site"');
});

test('characters that browsers leave in a query do no harm', async () => {
  for (const query of ['`', '^', '{}', '|', '%', '"', "'", '\\\\', '\u00e9']) {
    const answer = await ask({ accept: 'text/markdown' }, { path: `/tea?a=${query}` });
    strictEqual(answer.status, 200, query);
    ok((await answer.text()).length > 0);
  }
});

test('the same in workerd', async (context) => {
  let Miniflare;
  try {
    ({ Miniflare } = await import('miniflare'));
  } catch {
    return context.skip('miniflare is not installed');
  }
  const read = (name) => readFileSync(new URL(`../dist/npm/${name}`, import.meta.url));
  const text = (path) => ({ type: 'ESModule', path, contents: read(path).toString() });
  const worker = new Miniflare({ workers: [
    { name: 'edge', modules: [text('example/worker.js'), text('example/negotiate.js'), text('worker.js'), text('aiweb.js'),
      { type: 'CompiledWasm', path: 'aiweb_bg.wasm', contents: read('aiweb_bg.wasm') }], modulesRoot: '.', serviceBindings: { SITE: 'site' }, compatibilityDate: '2026-01-01' },
    { name: 'site', modules: true, compatibilityDate: '2026-01-01', script: `export default { fetch: () => new Response(${JSON.stringify(PAGE)}, { headers: { 'content-type': 'text/html; charset=utf-8' } }) }` },
  ] });
  try {
    const answer = await worker.dispatchFetch(URL_OF_PAGE, { headers: { accept: 'text/markdown' } });
    strictEqual(await answer.text(), '# Tea\n\nGreen, **black**, and [white](https://tea.example/white).');
    const again = await worker.dispatchFetch(URL_OF_PAGE, { headers: { accept: 'text/markdown', 'if-none-match': answer.headers.get('etag') } });
    strictEqual(again.status, 304);
  } finally {
    await worker.dispose();
  }
});
