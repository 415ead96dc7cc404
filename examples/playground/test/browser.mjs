// Finds an installed Chromium, Chrome or Firefox, and starts it headless.
import { after, before } from 'node:test';
import { deepStrictEqual, ok } from 'node:assert';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { serve } from '../serve.mjs';

const inPath = (names) => (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);

/** The path of a browser: `CHROME`, or one in `PATH`; `undefined` if there is none. */
export const browserPath = () => process.env.CHROME ?? inPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']);

/** Starts it without network beyond loopback. */
export function launch(executablePath) {
  return puppeteer.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-default-apps',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--hide-scrollbars'],
  });
}

const BROWSERS = {
  Chromium: { path: browserPath(), start: launch, missing: 'apt-get install chromium, or set CHROME' },
  Firefox: {
    path: process.env.FIREFOX ?? inPath(['firefox', 'firefox-esr']), missing: 'apt-get install firefox-esr, or set FIREFOX',
    start: (executablePath) => puppeteer.launch({ browser: 'firefox', executablePath, headless: true }),
  },
};

export const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url));

/** Until the worker has answered what was typed last. */
export const settled = (page) => page.waitForFunction(() => !document.documentElement.hasAttribute('data-busy'));

/** What an element shows, once the page has settled; of an editor, its whole text. */
export const text = async (page, selector) => {
  await settled(page);
  return page.$eval(selector, (element) => (element.localName === 'code-editor' ? element.value : element.textContent));
};

/** Puts a text into an editor at once, as pasting does. */
export const put = (page, selector, value) => page.$eval(selector, (editor, given) => {
  editor.value = given;
  editor.dispatchEvent(new Event('input', { bubbles: true }));
}, value);

/** Empties a field with the keyboard and types into it. */
export async function type(page, selector, value) {
  await page.focus(selector);
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(value);
}

/** A browser and the built page for the tests of a file. `options` skips them where the browser is not installed. */
export function stage(name) {
  const { path, start, missing } = BROWSERS[name];
  const options = { skip: path ? false : `page: skipped, ${name} is not installed (${missing})` };
  if (!path) console.log(options.skip);
  const on = { options };

  before(async () => {
    if (!path) return;
    mkdirSync(PICTURES, { recursive: true });
    on.site = await serve(fileURLToPath(new URL('../dist/web', import.meta.url)));
    on.browser = await start(path);
  });
  after(async () => {
    await on.browser?.close();
    on.site?.server.close();
  });

  /** Opens the page, runs the steps, and checks that nothing was complained about and nothing asked for. */
  on.visit = async (hash, steps, { width = 1280, height = 900, scheme = 'light', reloads = false, phone = false } = {}) => {
    const page = await on.browser.newPage();
    const complaints = [];
    const requests = [];
    page.on('console', (message) => { if (['error', 'warn', 'warning'].includes(message.type())) complaints.push(message.text()); });
    page.on('pageerror', (error) => complaints.push(error.message));
    // Firefox has fonts of its own in `data:`.
    page.on('request', (request) => { if (!request.url().startsWith('data:')) requests.push(request.url()); });
    await page.setViewport({ width, height, isMobile: phone, hasTouch: phone });
    if (name === 'Chromium') await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.goto(`${on.site.origin}/${hash}`);
    await page.waitForSelector('html[data-ready]');
    await page.waitForNetworkIdle({ idleTime: 200 });
    ok(requests.every((url) => url.startsWith(`${on.site.origin}/`)), `requests elsewhere: ${requests}`);
    const loaded = requests.length;
    try {
      await steps(page);
      if (!reloads) deepStrictEqual(requests.slice(loaded), [], 'requests after loading');
      deepStrictEqual(complaints, []);
    } finally {
      await page.close();
    }
  };
  return on;
}
