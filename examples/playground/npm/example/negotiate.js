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
 * `respond` is the package's; `site` answers a request with the site's own page. Whoever does not ask for Markdown gets
 * the site's own answer as it streams, with its validators; so does whoever asks for a page that is not whole HTML, or
 * that `respond` fails on. `fault` is told of such a failure.
 */
export function negotiate(respond, site, fault = () => {}) {
  return async function handle(request) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return site(request);
    if (!/\btext\/(markdown|\*)/i.test(request.headers.get('accept') ?? '')) return varied(await site(request));
    const headers = new Headers(request.headers);
    for (const name of CONDITIONS) headers.delete(name);
    const page = await site(new Request(request.url, { headers, redirect: 'manual' }));
    const type = page.headers.get('content-type') ?? '';
    if (page.status !== 200 || !/^text\/html\b/i.test(type) || Number(page.headers.get('content-length')) > MOST_BYTES) return page;
    const html = new Uint8Array(await page.arrayBuffer());
    let answer;
    try {
      answer = respond(html, { url: request.url, method: request.method, headers: request.headers, contentType: type });
    } catch (error) {
      fault(error);
      const own = new Headers(page.headers);
      // What was decoded on its way here is another row of bytes than the site's.
      if (own.has('content-encoding')) for (const name of OF_THE_BYTES) own.delete(name);
      return varied(new Response(request.method === 'HEAD' ? null : html, { status: page.status, headers: own }));
    }
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

/** The site's answer; where it is HTML, it says that another request could have got something else. */
function varied(page) {
  const isPage = page.status === 304 || /^text\/html\b/i.test(page.headers.get('content-type') ?? '');
  if (!isPage) return page;
  const headers = new Headers(page.headers);
  headers.set('vary', joined(headers.get('vary'), 'accept'));
  return new Response(page.body, { status: page.status, statusText: page.statusText, headers });
}

/** Two `Vary` values as one, each name once. */
function joined(first, second) {
  const names = [first, second].filter(Boolean).flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase());
  return [...new Set(names)].join(', ');
}
