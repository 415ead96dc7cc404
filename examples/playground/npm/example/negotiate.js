// HTML in, Markdown out for those who ask: a `fetch` handler in front of a site that knows HTML alone.
//
//   import { respond } from '@aiweb-rs/aiweb';
//   import { negotiate } from '@aiweb-rs/aiweb/negotiate';
//   export default { fetch: negotiate(respond, (request) => fetch(request)) };

/** Fields of the site's answer that are about its own bytes, or its own choice. */
const OF_THE_BYTES = ['content-encoding', 'content-length', 'etag', 'last-modified', 'accept-ranges', 'content-range', 'content-digest', 'repr-digest'];
/** Fields of a request that would have the site leave out the body. */
const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'];
/** Longer pages pass as they are. */
const MOST_BYTES = 8_000_000;

/**
 * The handler.
 *
 * `respond` is the package's; `site` answers a request with the site's own page. Anything but a whole HTML page passes
 * through untouched.
 */
export function negotiate(respond, site) {
  return async function handle(request) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return site(request);
    const headers = new Headers(request.headers);
    for (const name of CONDITIONS) headers.delete(name);
    const page = await site(new Request(request.url, { headers, redirect: 'manual' }));
    const type = page.headers.get('content-type') ?? '';
    if (page.status !== 200 || !/^text\/html\b/i.test(type) || Number(page.headers.get('content-length')) > MOST_BYTES) return page;
    const html = new Uint8Array(await page.arrayBuffer());
    const answer = respond(html, { url: request.url, method: request.method, headers: request.headers, contentType: type });
    const sent = new Headers(page.headers);
    for (const name of OF_THE_BYTES) sent.delete(name);
    for (const [name, value] of answer.headers) {
      if (name === 'vary') sent.set(name, joined(sent.get(name), value));
      else if (name === 'link') sent.append(name, value);
      // How long a page may be kept is the site's word.
      else if (name !== 'cache-control' || !sent.has(name)) sent.set(name, value);
    }
    return new Response(answer.body, { status: answer.status, headers: sent });
  };
}

/** Two `Vary` values as one, each name once. */
function joined(first, second) {
  const names = [first, second].filter(Boolean).flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase());
  return [...new Set(names)].join(', ');
}
