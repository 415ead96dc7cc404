// The page under inspection, in a sandbox without an origin: its scripts are not run, its links lead nowhere, and
// nothing is loaded. Words of the kept text are marked.
'use strict';

const BLOCKS = 'address,article,aside,blockquote,body,dd,details,div,dl,dt,fieldset,figcaption,figure,footer,form,h1,h2,h3,h4,h5,h6,header,li,main,nav,ol,p,pre,section,summary,table,td,th,tr,ul';
const DROPPED = 'script,noscript,iframe,frame,object,embed,link,meta,base,audio,video,source,track,template,portal,title';
const WORD = /[\p{L}\p{N}]+/gu;

const words = (text) => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];

addEventListener('message', (event) => {
  if (event.source !== parent) return;
  show(event.data.html, event.data.text);
});
addEventListener('DOMContentLoaded', () => parent.postMessage('ready', '*'));

function show(html, text) {
  // Handlers under another name: the policy would stop them, and complain.
  const inert = html.replace(/<[a-z][^>]*/gi, (tag) => tag.replace(/([\s"'/])(on[a-z]+\s*=)/gi, '$1data-$2'));
  const page = new DOMParser().parseFromString(inert, 'text/html');
  const styles = [...page.querySelectorAll('style')].map((style) => tame(style.textContent));
  clean(page);
  const marked = mark(page.body, text);
  document.head.querySelectorAll('style').forEach((style) => style.remove());
  for (const css of [BASE, ...styles, MARKS]) {
    const style = document.createElement('style');
    style.textContent = css;
    document.head.append(style);
  }
  document.documentElement.lang = page.documentElement.lang || 'en';
  document.documentElement.dir = page.documentElement.dir;
  document.body.className = page.body.className;
  document.body.id = page.body.id;
  document.body.replaceChildren(...page.body.childNodes);
  // `scrollIntoView` would scroll the page around the frame, too.
  const kept = document.querySelector('.aiweb-kept')?.getBoundingClientRect();
  if (kept) scrollTo(0, scrollY + kept.top - innerHeight / 2);
  parent.postMessage({ marked }, '*');
}

const BASE = 'html{background:#fff;color:#1a1a1a;color-scheme:light}body{font:15px/1.5 system-ui,sans-serif;margin:12px}'
  + 'img{max-width:100%}.aiweb-image{display:inline-block;padding:.4em .7em;border:1px dashed #999;color:#555;font-size:.85em}';
const MARKS = 'mark.aiweb-kept{background:#ffe07a!important;color:#1a1a1a!important;border-radius:2px}'
  + '*{animation:none!important;transition:none!important}';

/** A style sheet that cannot ask for anything. */
function tame(css) {
  return css.replace(/@import[^;]*;?/gi, '').replace(/(url|image-set|src)\s*\([^)]*\)?/gi, 'none');
}

function clean(page) {
  page.querySelectorAll(DROPPED).forEach((element) => element.remove());
  page.querySelectorAll('style').forEach((style) => style.remove());
  for (const image of page.querySelectorAll('img,picture,svg image')) {
    const shown = page.createElement('span');
    shown.className = 'aiweb-image';
    shown.textContent = `Image: ${image.getAttribute('alt') || 'no text'}`;
    image.replaceWith(shown);
  }
  for (const element of page.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      const lower = name.toLowerCase();
      if (lower === 'style') element.setAttribute(name, tame(value));
      else if (/^on|^(src|srcset|href|xlink:href|action|formaction|ping|background|poster|data|srcdoc|autofocus|tabindex|accesskey)$/.test(lower)) {
        element.removeAttribute(name);
      }
    }
    if (element.matches('input,button,select,textarea')) element.setAttribute('disabled', '');
  }
}

/** Marks the words of `text`: runs of three that the text has too, and short blocks that are one of its own. */
function mark(body, text) {
  const kept = text.split(/\n+/).map((line) => words(line)).filter((line) => line.length > 0);
  const runs = new Set();
  const blocks = new Set();
  for (const line of kept) {
    blocks.add(line.join(' '));
    for (let at = 0; at + 2 < line.length; at++) runs.add(line.slice(at, at + 3).join(' '));
  }
  const pieces = [];
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = node.parentElement.closest(BLOCKS) ?? body;
    for (const match of node.data.matchAll(WORD)) {
      for (const word of words(match[0])) pieces.push({ node, block, word, start: match.index, end: match.index + match[0].length, kept: false });
    }
  }
  for (let at = 0; at + 2 < pieces.length; at++) {
    const run = pieces.slice(at, at + 3);
    if (runs.has(run.map((piece) => piece.word).join(' '))) run.forEach((piece) => { piece.kept = true; });
  }
  const first = pieces.findIndex((piece) => piece.kept);
  const last = pieces.findLastIndex((piece) => piece.kept);
  for (let from = 0; from < pieces.length;) {
    let to = from;
    while (to < pieces.length && pieces[to].block === pieces[from].block) to++;
    const inside = first < 0 || (from >= first - 12 && to <= last + 12);
    if (to - from < 3 && inside && blocks.has(pieces.slice(from, to).map((piece) => piece.word).join(' '))) {
      for (let at = from; at < to; at++) pieces[at].kept = true;
    }
    from = to;
  }
  // Ranges of words that are next to each other in one text node, from the back, so that offsets stay true.
  let count = 0;
  for (let at = pieces.length - 1; at >= 0; at--) {
    if (!pieces[at].kept) continue;
    count++;
    const { node, end } = pieces[at];
    while (at > 0 && pieces[at - 1].kept && pieces[at - 1].node === node) { at--; count++; }
    wrap(node, pieces[at].start, end);
  }
  return count;
}

function wrap(node, start, end) {
  // Punctuation behind the last word belongs to it.
  const tail = /^[^\s\p{L}\p{N}]+/u.exec(node.data.slice(end));
  const middle = node.splitText(start);
  middle.splitText(end - start + (tail ? tail[0].length : 0));
  const marked = node.ownerDocument.createElement('mark');
  marked.className = 'aiweb-kept';
  middle.replaceWith(marked);
  marked.append(middle);
}
