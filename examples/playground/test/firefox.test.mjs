// The page in Firefox: each tab answers, keys and links work, nothing is complained about.
import { test } from 'node:test';
import { ok, strictEqual } from 'node:assert';
import { PICTURES, stage, text, type } from './browser.mjs';

const { options, visit } = stage('Firefox');

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
  await type(page, '#page-html', '<title>Typed</title><p>A page.');
  strictEqual(await text(page, '#page-facts strong'), 'Typed');
}));

test('a link brings the state back in Firefox', options, async () => {
  let hash;
  await visit('#json', async (page) => {
    await type(page, '#json-in', '[1.0, "ü"]');
    strictEqual(await text(page, '#json-out'), '[1,"ü"]');
    await page.click('#panel-json .share');
    await page.waitForFunction(() => location.hash.includes('z='));
    hash = await page.evaluate(() => location.hash);
  });
  await visit(hash, async (page) => strictEqual(await text(page, '#json-out'), '[1,"ü"]'));
});
