// Ratios of time, ours and another's in turns in one run: `node test/speed.mjs`. Answers are compared before.
import { strictEqual, ok } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import canonicalize from 'canonicalize';
import robotsParser from 'robots-parser';
import { Readability } from '@mozilla/readability';
import { JSDOM } from 'jsdom';
import * as aiweb from '../dist/npm/node.js';
import { page100 } from './page100.mjs';

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
  return times;
}

const product = (at) => ({
  id: `P${at}`, title: `Walking boots number ${at}`, price: at * 1.5, currency: 'EUR', available: at % 3 > 0, tags: ['boots', 'leather', `size ${at % 12}`],
  description: 'Boots for long walks, with soles that can be changed. '.repeat(3), sizes: { eu: 36 + (at % 12), uk: 3.5 + (at % 12), us: null },
});
for (const [name, value] of [['6 kB of JSON', Array.from({ length: 18 }, (_, at) => product(at))], ['350 kB of JSON', Array.from({ length: 1000 }, (_, at) => product(at))]]) {
  const text = JSON.stringify(value, null, 1);
  const bytes = new TextEncoder().encode(text);
  strictEqual(aiweb.canonicalize(text), canonicalize(JSON.parse(text)));
  const times = Math.ceil(400_000 / text.length);
  const often = (run) => () => { for (let at = 0; at < times; at++) run(); };
  ratio(`canonicalize, ${name}, text to text`, often(() => aiweb.canonicalize(text)), often(() => canonicalize(JSON.parse(text))), 30, 3);
  ratio(`canonicalize, ${name}, bytes to text`, often(() => aiweb.canonicalize(bytes)), often(() => canonicalize(JSON.parse(Buffer.from(bytes).toString()))), 30, 3);
}

const lines = ['User-agent: *', ...Array.from({ length: 100 }, (_, at) => `${at % 5 ? 'Disallow' : 'Allow'}: /shop/${at}/*/part${at % 7}${at % 3 ? '' : '$'}`), 'User-agent: GPTBot', 'Disallow: /'];
const file = `${lines.join('\n')}\n`;
const urls = Array.from({ length: 200 }, (_, at) => `https://example.com/shop/${at}/x/part${at % 7}?q=${at}`);
const [ours, theirs] = [new aiweb.Robots(file), robotsParser('https://example.com/robots.txt', file)];
let compared = 0;
for (const url of urls) compared += Number(ours.allows('AIWebIndex', url) === theirs.isAllowed(url, 'AIWebIndex'));
ok(compared === urls.length, `expected the same verdicts, found ${urls.length - compared} others`);
ratio('robots.txt of 100 rules, asked 200 times', () => urls.forEach((url) => ours.allows('AIWebIndex', url)), () => urls.forEach((url) => theirs.isAllowed(url, 'AIWebIndex')), 50, 5);
ratio('robots.txt of 100 rules, read and asked once', () => { for (let at = 0; at < 20; at++) { const robots = new aiweb.Robots(file); robots.allows('AIWebIndex', urls[3]); robots.free(); } },
  () => { for (let at = 0; at < 20; at++) robotsParser('https://example.com/robots.txt', file).isAllowed(urls[3], 'AIWebIndex'); }, 50, 5);

const html = page100();
const url = 'https://example.com/article';
const readable = () => new Readability(new JSDOM(html, { url }).window.document).parse();
ok(aiweb.extract(html, { url }).text.includes('paragraph 100') && readable().textContent.includes('paragraph 100'));
ratio(`extraction, ${Math.round(html.length / 1000)} kB of HTML`, () => aiweb.extract(html, { url }), readable, 8, 5);

// The same page natively, in a process beside this one: `cargo build --release -p playground --example time`.
const native = fileURLToPath(new URL('../../../target/release/examples/time', import.meta.url));
if (existsSync(native)) {
  const best = [Infinity, Infinity];
  for (let round = 0; round < 5; round++) {
    best[0] = Math.min(best[0], Number(execFileSync(native, { input: html, encoding: 'utf8' })));
    for (let at = 0; at < 30; at++) {
      const started = performance.now();
      aiweb.extract(html, { url });
      best[1] = Math.min(best[1], performance.now() - started);
    }
  }
  const times = best[1] / best[0];
  console.log(`RATIO extraction in WebAssembly against native: ${times.toFixed(2)} times the time (${best[1].toFixed(2)} ms against ${best[0].toFixed(2)} ms), aim at most 3${times > 3 ? ', MISSED' : ''}`);
} else {
  console.log('speed: the native program is not built, so extraction is not compared with it');
}
