// The modules, in a thread of their own: typing never waits for them. Each job is one question of a tab; its answer
// is plain data. A module is loaded when the first job needs it, and a larger one that is there stands in for a smaller.

const PARTS = { core: './core/', checks: './checks/', full: './' };
const NAMES = Object.keys(PARTS);
const loaded = new Map();

function load(name) {
  const there = NAMES.slice(NAMES.indexOf(name)).find((larger) => loaded.has(larger));
  if (there) return loaded.get(there);
  const folder = new URL(PARTS[name], import.meta.url);
  const loading = import(`${folder}aiweb.js`).then(async (aiweb) => {
    await aiweb.default({ module_or_path: new URL('aiweb_bg.wasm', folder) });
    return aiweb;
  });
  // A load that failed is tried again.
  loading.catch(() => loaded.delete(name));
  loaded.set(name, loading);
  return loading;
}

const byteLength = (text) => new TextEncoder().encode(text).length;
/** The answer of a call, or what it threw. */
const tried = (call) => {
  try { return { answer: call() }; } catch (error) { return { error: plain(error) }; }
};
const plain = ({ message, code, index, line, column, requirement }) => ({ message, code, index, line, column, requirement });

let visit = null;

const JOBS = {
  fingerprint: ['core', (aiweb, { a, b }) => [a, b].map((text) => ({ digest: aiweb.fingerprint(text), ...aiweb.normalizationSteps(text) }))],

  json: ['core', (aiweb, { text, profile }) => {
    const canonical = aiweb.canonicalize(text, profile);
    return { canonical, bytesIn: byteLength(text), bytesOut: byteLength(canonical), deviation: aiweb.checkCanonical(text, profile) };
  }],

  robots: ['checks', (aiweb, { file, agent, url, agents }) => {
    const robots = new aiweb.Robots(file);
    try {
      const told = agents.map((name) => [name, robots.decide(name, url)]);
      return { verdict: agent === null ? null : robots.decide(agent, url), contents: robots.contents(), told };
    } finally {
      robots.free();
    }
  }],

  manifest: ['checks', (aiweb, { kind, text }) => ({
    report: aiweb.validate(kind, text),
    llms: kind === 'manifest' ? tried(() => aiweb.llmsTxt(text)).answer : undefined,
  })],

  page: ['full', (aiweb, { html, url }) => {
    const started = performance.now();
    const found = aiweb.extract(html, url ? { url } : {});
    const took = performance.now() - started;
    const at = url || 'https://example.com/';
    const now = new Date().toISOString();
    const length = byteLength(html);
    const crawl = {
      fetched_at: now, status_code: 200, render_mode: 'static', fetch_duration_ms: 0, content_length: length,
      user_agent: 'AIWebIndex/1.0 (+https://example.com/bot)',
    };
    return {
      found, took, length, markdownBytes: byteLength(found.markdown), rendered: aiweb.renderMarkdown(found.markdown),
      one: tried(() => aiweb.document(html, { url: at, version: '1.0', crawl })),
      two: tried(() => aiweb.document(html, { url: at, version: '2.0', fetchedAt: now, statusCode: 200, renderMode: 'static' })),
    };
  }],

  'visit-new': ['full', (aiweb, { site, now }) => {
    visit?.free();
    visit = null;
    visit = new aiweb.Visit(site, now);
    return visitState();
  }],
  'visit-publish': ['full', (aiweb, site) => {
    const { error } = tried(() => visit.publish(site));
    return { ...visitState(), error };
  }],
  'visit-advance': ['full', (aiweb, seconds) => {
    visit.advance(seconds);
    return visitState();
  }],
  'visit-next': ['full', () => ({ event: visit.next(), ...visitState() })],
};

const visitState = () => ({ now: visit.now(), offered: visit.offered(), held: visit.held() });

addEventListener('message', async ({ data: { id, job, input } }) => {
  const [part, run] = JOBS[job];
  try {
    postMessage({ id, answer: run(await load(part), input) });
  } catch (error) {
    postMessage({ id, error: plain(error) });
  }
});
