// The page's own functions over markup, as they are in `web`.
import { test } from 'node:test';
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { stated, withoutStyles } from '../web/markup.js';

test('styles go, and nothing else', () => {
  for (const [html, bare] of [
    ['a<style>b</style>c', 'ac'], ['<STYLE media=x>b</Style  >c<style>d</style>', 'c'], ['<styles>a</styles>', '<styles>a</styles>'],
    ['a<style>b<style>c</style>d', 'ad'], ['a<style>b', 'a<style>b'], ['a<style>b</style>c<style>d', 'ac<style>d'], ['', ''],
  ]) strictEqual(withoutStyles(html), bare, html);
});

test('what may state something is found where it is', () => {
  // A letter whose lower case is longer moves nothing.
  const html = 'İİİ<META name=a><p>b<time>c</time><script>d<meta></script><link rel=e>f<script>g';
  deepStrictEqual(stated(html), '<META name=a><time><script>d<meta></script><link rel=e>');
});

test('a page of starts without ends costs what its length does', () => {
  for (const work of [withoutStyles, stated]) {
    for (const start of ['<style', '<script', '<style></style ', '<meta ']) {
      const began = performance.now();
      work(start.repeat(200_000));
      ok(performance.now() - began < 2_000, `${work.name}: ${start}`);
    }
  }
});
