// The page in Firefox: each tab answers, keys and links work, nothing is complained about.
import { after, before, test } from 'node:test';
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { firefoxPath, launchFirefox } from './browser.mjs';
import { serve } from '../serve.mjs';

const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url));
const path = firefoxPath();
const options = { skip: path ? false : 'page: Firefox skipped, it is not installed (apt-get install firefox-esr, or set FIREFOX)' };
if (!path) console.log(options.skip);

let browser;
let site;
before(async () => {
  if (!path) return;
  mkdirSync(PICTURES, { recursive: true });
  site = await serve(fileURLToPath(new URL('../dist/web', import.meta.url)));
  browser = await launchFirefox(path);
});
after(async () => {
  await browser?.close();
  site?.server.close();
});

async function visit(hash, steps) {
  const page = await browser.newPage();
  const complaints = [];
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${site.origin}/${hash}`);
  await page.waitForSelector('html[data-ready]:not([data-busy])');
  try {
    await steps(page);
    deepStrictEqual(complaints, []);
  } finally {
    await page.close();
  }
}

const text = async (page, selector) => {
  await page.waitForSelector('html:not([data-busy])');
  return page.$eval(selector, (element) => element.textContent);
};

const SAID = {
  fingerprint: ['#fp-verdict', 'The same fingerprint'], json: ['#json-verdict', 'Byte 1 is the first'], robots: ['#robots-verdict', 'Allowed. Line 5'],
  manifest: ['#manifest-verdict', 'Valid'], page: ['#page-facts strong', 'The night ferry'], visit: ['#visit-held', 'Nothing yet'],
};
for (const [name, [selector, said]] of Object.entries(SAID)) {
  test(`${name} answers in Firefox`, options, () => visit(`#${name}`, async (page) => {
    ok((await text(page, selector)).startsWith(said), await text(page, selector));
    await page.screenshot({ path: `${PICTURES}${name}-firefox.png` });
  }));
}

test('a page is marked in Firefox, and a key changes it', options, () => visit('#page/news', async (page) => {
  await page.waitForFunction(() => Number(document.querySelector('#page-frame').dataset.marked) > 100);
  await page.$eval('#page-html', (area) => area.setSelectionRange(0, area.value.length));
  await page.focus('#page-html');
  await page.keyboard.type('<title>Typed</title><p>A page.');
  strictEqual(await text(page, '#page-facts strong'), 'Typed');
}));

test('a link brings the state back in Firefox', options, async () => {
  let hash;
  await visit('#json', async (page) => {
    await page.$eval('#json-in', (area) => area.setSelectionRange(0, area.value.length));
    await page.focus('#json-in');
    await page.keyboard.type('[1.0, "ü"]');
    strictEqual(await text(page, '#json-out'), '[1,"ü"]');
    await page.click('#panel-json .share');
    await page.waitForFunction(() => location.hash.includes('z='));
    hash = await page.evaluate(() => location.hash);
  });
  await visit(hash, async (page) => strictEqual(await text(page, '#json-out'), '[1,"ü"]'));
});
