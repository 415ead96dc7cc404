// Ratios of time, ours and another's in turns in one run, and sizes: `test/run --speed` writes them into the README.
// Answers are compared before. `PAGES` is a folder of real pages, `.html` or `.html.gz`.
import { strictEqual, ok } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import canonicalize from 'canonicalize';
import robotsParser from 'robots-parser';
import { Readability } from '@mozilla/readability';
import { JSDOM } from 'jsdom';
import * as aiweb from '../dist/npm/node.js';
import { page100 } from './page100.mjs';

/** Rows of the README's table: what, what was found, the aim. */
const FIGURES = [];
const figure = (what, found, aim, missed) => FIGURES.push(`| ${what} | ${found} | ${aim}${missed ? ', **missed**' : ''} |`);

for (const [folder, what, aim] of [['core/', 'fingerprints and canonical JSON', 150], ['checks/', 'with robots.txt, manifests, feeds', 400], ['', 'the whole module', 900]]) {
  const size = gzipSync(readFileSync(new URL(`../dist/npm/${folder}aiweb_bg.wasm`, import.meta.url)), { level: 9 }).length / 1000;
  figure(`${what}, gzip`, `${Math.round(size)} kB`, `${aim} kB`, size > aim);
}

/** The fastest of many rounds of each, in turns: what else the machine does slows down both. */
function ratio(name, ours, theirs, rounds, aim) {
  const best = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    for (const [at, run] of [ours, theirs].entries()) {
      const started = performance.now();
      run();
      best[at] = Math.min(best[at], performance.now() - started);
    }
  }
  const times = best[1] / best[0];
  console.log(`RATIO ${name}: ${times.toFixed(1)} times as fast (${best.map((ms) => ms.toFixed(3)).join(' ms against ')} ms), aim ${aim}${times < aim ? ', MISSED' : ''}`);
  figure(name, `${times.toFixed(1)} times as fast`, aim, times < aim);
  return times;
}

const product = (at) => ({
  id: `P${at}`, title: `Walking boots number ${at}`, price: at * 1.5, currency: 'EUR', available: at % 3 > 0, tags: ['boots', 'leather', `size ${at % 12}`],
  description: 'Boots for long walks, with soles that can be changed. '.repeat(3), sizes: { eu: 36 + (at % 12), uk: 3.5 + (at % 12), us: null },
});
for (const [name, value] of [['100 bytes of JSON', { id: 1, name: 'Boots', tags: ['a', 'b'], price: 9.5, available: true, sizes: { eu: 36, uk: 3.5 } }], ['6 kB of JSON', Array.from({ length: 18 }, (_, at) => product(at))], ['350 kB of JSON', Array.from({ length: 1000 }, (_, at) => product(at))]]) {
  const text = JSON.stringify(value, null, value.id === 1 ? 0 : 1);
  const bytes = new TextEncoder().encode(text);
  strictEqual(aiweb.canonicalize(text), canonicalize(JSON.parse(text)));
  const times = Math.ceil(400_000 / text.length);
  const often = (run) => () => { for (let at = 0; at < times; at++) run(); };
  ratio(`${name}, text to text, against \`canonicalize\``, often(() => aiweb.canonicalize(text)), often(() => canonicalize(JSON.parse(text))), 30, 3);
  if (value.id === 1) ratio(`${name}, object to text, against \`canonicalize\``, often(() => aiweb.canonicalize(JSON.stringify(value))), often(() => canonicalize(value)), 30, 1);
  ratio(`${name}, bytes to text, against \`canonicalize\``, often(() => aiweb.canonicalize(bytes)), often(() => canonicalize(JSON.parse(Buffer.from(bytes).toString()))), 30, 3);
}

const lines = ['User-agent: *', ...Array.from({ length: 100 }, (_, at) => `${at % 5 ? 'Disallow' : 'Allow'}: /shop/${at}/*/part${at % 7}${at % 3 ? '' : '$'}`), 'User-agent: GPTBot', 'Disallow: /'];
const file = `${lines.join('\n')}\n`;
const urls = Array.from({ length: 200 }, (_, at) => `https://example.com/shop/${at}/x/part${at % 7}?q=${at}`);
const [ours, theirs] = [new aiweb.Robots(file), robotsParser('https://example.com/robots.txt', file)];
let compared = 0;
for (const url of urls) compared += Number(ours.allows('AIWebIndex', url) === theirs.isAllowed(url, 'AIWebIndex'));
ok(compared === urls.length, `expected the same verdicts, found ${urls.length - compared} others`);
ratio('robots.txt of 100 rules, asked 200 times, against `robots-parser`', () => urls.forEach((url) => ours.allows('AIWebIndex', url)), () => urls.forEach((url) => theirs.isAllowed(url, 'AIWebIndex')), 50, 5);
ratio('the same, read and asked once', () => { for (let at = 0; at < 20; at++) { const robots = new aiweb.Robots(file); robots.allows('AIWebIndex', urls[3]); robots.free(); } },
  () => { for (let at = 0; at < 20; at++) robotsParser('https://example.com/robots.txt', file).isAllowed(urls[3], 'AIWebIndex'); }, 50, 5);

const html = page100();
const url = 'https://example.com/article';
const readable = () => new Readability(new JSDOM(html, { url }).window.document).parse();
ok(aiweb.extract(html, { url }).text.includes('paragraph 100') && readable().textContent.includes('paragraph 100'));
ratio(`${Math.round(html.length / 1000)} kB of HTML, against \`@mozilla/readability\` with \`jsdom\``, () => aiweb.extract(html, { url }), readable, 8, 5);

// The same pages natively, in a process beside this one: `cargo build --release -p playground --example time`.
const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('../../../target', import.meta.url));
const native = join(target, 'release/examples/time');

/** Six pages of a folder, from 30 to 300 kB, spread over its sizes. */
function real(folder) {
  const read = (name) => (name.endsWith('.gz') ? gunzipSync(readFileSync(join(folder, name))) : readFileSync(join(folder, name))).toString();
  const pages = readdirSync(folder).filter((name) => /\.html?(\.gz)?$/.test(name)).sort().slice(0, 300).map(read)
    .filter(({ length }) => length > 30_000 && length < 300_000).sort((one, other) => one.length - other.length);
  return Array.from({ length: 6 }, (_, at) => pages[Math.floor(((at + 0.5) * pages.length) / 6)]);
}
const pages = [['made', html], ...(process.env.PAGES ? real(process.env.PAGES).map((page) => ['real', page]) : [])];
if (existsSync(native)) {
  const slower = pages.map(([kind, page]) => {
    const best = [Infinity, Infinity];
    for (let round = 0; round < 5; round++) {
      best[0] = Math.min(best[0], Number(execFileSync(native, { input: page, encoding: 'utf8' })));
      for (let at = 0; at < 30; at++) {
        const started = performance.now();
        aiweb.extract(page, { url });
        best[1] = Math.min(best[1], performance.now() - started);
      }
    }
    console.log(`RATIO extraction in WebAssembly against native, ${kind}, ${Math.round(page.length / 1000)} kB: ${(best[1] / best[0]).toFixed(2)} times the time (${best[1].toFixed(2)} ms against ${best[0].toFixed(2)} ms)`);
    return [kind, best[1] / best[0]];
  });
  for (const [kind, what] of [['made', 'the same page, time against native'], ['real', 'six real pages, time against native']]) {
    const times = slower.filter(([of]) => of === kind).map(([, ratio]) => ratio).sort((a, b) => a - b);
    if (times.length) figure(what, times.map((ratio) => ratio.toFixed(2)).join(', '), 'at most 3', times.at(-1) > 3);
  }
} else {
  console.log('speed: the native program is not built, so extraction is not compared with it');
}

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const block = ['<!-- figures: written by `test/run --speed` -->', `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), Node ${process.versions.node}, one run, the fastest of many rounds in turns.`,
  '', '| | found | aim |', '|---|---|---|', ...FIGURES, '<!-- end of figures -->'].join('\n');
writeFileSync(readme, readFileSync(readme, 'utf8').replace(/<!-- figures[\s\S]*<!-- end of figures -->/, () => block));
