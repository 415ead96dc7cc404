// Finds an installed Chromium, Chrome or Firefox, and starts it headless.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer from 'puppeteer-core';

const inPath = (names) => (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);

/** The path of a browser: `CHROME`, or one in `PATH`; `undefined` if there is none. */
export const browserPath = () => process.env.CHROME ?? inPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']);
/** The same of `FIREFOX`. */
export const firefoxPath = () => process.env.FIREFOX ?? inPath(['firefox', 'firefox-esr']);

/** Starts it without network beyond loopback. */
export function launch(executablePath) {
  return puppeteer.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-default-apps',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--hide-scrollbars'],
  });
}

/** Firefox, spoken to by WebDriver BiDi. */
export const launchFirefox = (executablePath) => puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
