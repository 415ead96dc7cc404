// The frame shows the first kept word without scrolling the page around it. Needs a browser, and no build.
import { test } from 'node:test';
import { ok, strictEqual } from 'node:assert';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { browserPath, launch } from './browser.mjs';

const PAGE = `<!doctype html><meta name=viewport content="width=device-width"><body style="margin:0">
  <h1 id=title>Title</h1><textarea id=field rows=4></textarea><div style="height:1200px"></div>
  <iframe id=frame sandbox="allow-scripts" style="width:100%;height:300px"></iframe>`;

test('a key in the field of a phone leaves the page where it is', async (context) => {
  const path = browserPath();
  if (!path) return context.skip('no Chromium is installed');
  const server = createServer((request, response) => {
    const file = { '/frame.html': 'text/html', '/frame.js': 'text/javascript' }[request.url];
    response.setHeader('content-type', file ?? 'text/html');
    // A sandboxed frame has no origin of its own, so its script is another's.
    response.setHeader('access-control-allow-origin', '*');
    response.end(file ? readFileSync(new URL(`../web${request.url}`, import.meta.url)) : PAGE);
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const browser = await launch(path);
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 360, height: 740, isMobile: true });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const shown = await page.evaluate(() => new Promise((done) => {
      const frame = document.getElementById('frame');
      const html = `<main>${'<p>menu</p>'.repeat(60)}<p>Green and black tea in cups</p></main>`;
      window.show = () => frame.contentWindow.postMessage({ html, text: 'Green and black tea in cups', dark: false }, '*');
      addEventListener('message', (event) => {
        if (event.data === 'ready') window.show();
        else done(event.data.marked);
      });
      document.getElementById('field').addEventListener('input', window.show);
      frame.src = 'frame.html';
    }));
    ok(shown > 0, `marked: ${shown}`);
    const place = () => page.evaluate(() => [scrollY, document.getElementById('field').getBoundingClientRect().top]);
    const [before, field] = await place();
    strictEqual(before, 0, 'the title is still there after loading');
    await page.type('#field', 'tea');
    await new Promise((done) => setTimeout(done, 300));
    const [after, fieldAfter] = await place();
    strictEqual(after, 0);
    strictEqual(fieldAfter, field);
    const frame = page.frames().find((each) => each.url().endsWith('frame.html'));
    const inside = await frame.evaluate(() => {
      const { top, bottom } = document.querySelector('.aiweb-kept').getBoundingClientRect();
      return [scrollY > 0, top >= 0 && bottom <= innerHeight];
    });
    strictEqual(inside.join(), 'true,true', 'the frame itself shows the first kept word');
  } finally {
    await browser.close();
    server.close();
  }
});
