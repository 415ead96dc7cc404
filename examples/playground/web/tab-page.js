// HTML to Markdown and documents, the kept text marked in the page's own rendering.

import { stated, withoutStyles } from './markup.js';
import { $, bytes, findings, h, prose } from './ui.js';

const NAMES = {
  title: 'Title', description: 'Description', author: 'Author', siteName: 'Site', published: 'Published', modified: 'Modified',
  language: 'Language', direction: 'Direction', section: 'Section', licence: 'Licence', keywords: 'Keywords', canonicalUrl: 'Canonical address', ogImage: 'Preview image',
};

/** The kinds of places that the library tells apart, for people. */
const SOURCES = {
  'json-ld': 'JSON-LD', 'open-graph': 'Open Graph', 'dublin-core': 'Dublin Core', parsely: 'Parsely’s <meta>', sailthru: 'Sailthru’s <meta>',
  citation: 'scholars’ <meta>', meta: '<meta>', microdata: 'microdata', rdfa: 'RDFa', time: '<time>', markup: 'a class or relation', text: 'the text around the title',
  url: 'the address', heading: 'a heading', 'title-element': '<title>', attribute: 'an attribute of <html>', detected: 'the words of the text',
};

/** Pages of so many characters are drawn after a pause of so many milliseconds. */
const [LONG, QUIET] = [30_000, 1000];

export default function tool({ panel, changed }) {
  const frame = $('page-frame');
  let framed = false;
  let latest = null;
  let drawing = 0;

  addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow) return;
    if (event.data === 'ready') {
      framed = true;
      views();
    } else {
      frame.dataset.marked = event.data.marked;
    }
  });

  // Not before somebody listens for its `ready`, and not before this tab is seen.
  const open = () => { if (!frame.src) frame.src = 'frame.html'; };

  /** Where the frame is in this page's process, laying out a long page holds up the keys: it waits until nobody types. */
  function frameShow() {
    const show = () => frame.contentWindow.postMessage({ html: latest.html, text: latest.text }, '*');
    clearTimeout(drawing);
    if (latest.html.length < LONG) show();
    else drawing = setTimeout(show, QUIET);
  }

  for (const radio of panel.querySelectorAll('[name=page-view]')) radio.addEventListener('change', views);
  $('page-file').addEventListener('change', ({ target }) => {
    read(target.files[0]);
    target.value = ''; // so that the same file can be opened again
  });
  const area = $('page-html');
  area.addEventListener('input', () => clearTimeout(drawing));
  for (const kind of ['dragover', 'dragenter']) {
    area.addEventListener(kind, (event) => {
      event.preventDefault();
      area.classList.add('dropping');
    }, true);
  }
  for (const kind of ['dragleave', 'drop']) area.addEventListener(kind, () => area.classList.remove('dropping'));
  area.addEventListener('drop', (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    // The editor would take it for text in UTF-8.
    event.preventDefault();
    event.stopPropagation();
    read(file);
  }, true);

  async function read(file) {
    if (!file) return;
    // The bytes decide about the encoding, as they would on the wire; what is shown is text.
    const raw = new Uint8Array(await file.arrayBuffer());
    area.value = decoded(raw);
    changed();
  }

  /** Fills the view that is shown: the others would cost time that nobody sees. */
  function views() {
    const view = panel.querySelector('[name=page-view]:checked').value;
    for (const element of panel.querySelectorAll('[data-view]')) element.hidden = element.dataset.view !== view;
    if (!latest || latest.filled.has(view)) return;
    latest.filled.add(view);
    const { found, rendered, one, two } = latest.answer;
    const json = ({ answer, error }) => (error ? error.message : JSON.stringify(JSON.parse(answer), null, 2));
    if (view === 'kept' && framed) frameShow();
    if (view === 'kept' && !framed) latest.filled.delete(view);
    if (view === 'rendered') $('page-rendered').replaceChildren(...tame(rendered));
    if (view === 'markdown') $('page-markdown').value = found.markdown;
    if (view === 'one') $('page-one').value = json(one);
    if (view === 'two') $('page-two').value = json(two);
  }

  function fault(error) {
    latest = null;
    clearTimeout(drawing);
    for (const id of ['page-rendered', 'page-findings']) $(id).replaceChildren();
    for (const id of ['page-markdown', 'page-one', 'page-two']) $(id).value = '';
    $('page-meta').tBodies[0].replaceChildren();
    $('page-hidden').hidden = true;
    if (framed) frame.contentWindow.postMessage({ html: '', text: '' }, '*');
    $('page-facts').replaceChildren(h('strong', {}, ...prose(error.message)));
  }

  function show(answer, { html }) {
    open();
    const { found, took, length, markdownBytes } = answer;
    $('page-size').textContent = `${bytes(length)} of HTML`;
    const facts = $('page-facts');
    facts.replaceChildren(h('strong', { dir: 'auto' }, found.title || 'No title'), fact('read as', found.kind),
      found.confidence === null ? '' : fact('expected F1', found.confidence.toFixed(2)), fact('words', found.metadata.wordCount),
      fact('Markdown', bytes(markdownBytes)), fact('in', `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`));
    facts.dataset.took = took;
    latest = { html, answer, filled: new Set(), text: found.markdown ? `${found.title}\n${found.text}` : '' };
    views();
    metadata(html, found);
    findings($('page-findings'), found.findings.filter(({ code }) => code !== 'hidden-sentence'));
    hidden(found.hidden);
  }

  /** What no reader sees: a count, and the texts on demand. */
  function hidden(texts) {
    const box = $('page-hidden');
    box.hidden = texts.length === 0;
    const instructions = texts.filter(({ instructs }) => instructs).length;
    box.querySelector('summary').textContent = `${texts.length} hidden ${texts.length === 1 ? 'text is' : 'texts are'} left out`
      + (instructions ? `; ${instructions} look${instructions === 1 ? 's' : ''} like instructions` : '');
    box.querySelector('ul').replaceChildren(...texts.slice(0, 200).map((one) => h('li', { class: one.instructs ? 'warning' : 'notice' },
      h('code', {}, one.place), ' ', one.text, ' ', h('code', {}, one.reason))));
  }

  function metadata(html, found) {
    const page = parsed(stated(html));
    const values = { title: found.title, ...found.metadata };
    const listed = (places) => places.flatMap((place) => [h('br'), h('code', {}, place)]);
    // The library names the most reliable of the places that agree on a day; the hour may be from another, so they are listed.
    const told = (name, label) => found.about.filter((one) => one.member === name).map(({ value, source, confidence }) => h('tr', {}, h('th', { scope: 'row' }, label),
      h('td', {}, value), h('td', {}, `${SOURCES[source] ?? source}, `, h('span', { title: 'how sure, from 0 to 1: a weight for the kind of place' }, confidence.toFixed(2)),
        ...(name === 'published' || name === 'modified' ? listed(sources(page, value)) : []))));
    const rows = Object.entries(NAMES).flatMap(([name, label]) => {
      // The library says where a value is from; of the rest the page's markup is searched for it.
      const known = told(name, label);
      if (known.length || values[name] === undefined || values[name].length === 0 || values[name] === 'und') return known;
      const value = Array.isArray(values[name]) ? values[name].join(', ') : values[name];
      const places = sources(page, values[name]);
      return [h('tr', {}, h('th', { scope: 'row' }, label), h('td', {}, value),
        h('td', { class: places.length ? null : 'nothing' }, ...(places.length ? listed(places).slice(1) : ['made from several, or from the text'])))];
    });
    $('page-meta').tBodies[0].replaceChildren(...(rows.length ? rows : [h('tr', {}, h('td', { class: 'nothing', colspan: '3' }, 'Nothing.'))]));
  }

  return { empty: { url: '', html: '', view: 'kept' }, job: 'page', input: () => ({ html: area.value, url: $('page-url').value.trim() }), show, fault };
}

/** By a byte order mark, by what the page declares, or else as UTF-8 where it is that. */
function decoded(raw) {
  const marked = { 'ff,fe': 'utf-16le', 'fe,ff': 'utf-16be' }[[...raw.subarray(0, 2)].map((byte) => byte.toString(16))];
  const declared = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(new TextDecoder('latin1').decode(raw.subarray(0, 1024)))?.[1];
  // Who could read a declaration of UTF-16 was not reading UTF-16.
  const label = marked ?? declared?.replace(/^utf-16.*/i, 'utf-8');
  for (const [encoding, options] of [[label, {}], ['utf-8', { fatal: true }], ['windows-1252', {}]]) {
    try {
      if (encoding) return new TextDecoder(encoding, options).decode(raw);
    } catch { /* not an encoding, or not in it */ }
  }
}

const fact = (name, value) => h('span', {}, `${name} `, h('b', {}, String(value)));

/** The page's elements. Styles and handlers are set aside: this page's own policy forbids them, even where they do nothing. */
function parsed(html) {
  const bare = withoutStyles(html).replace(/<[a-z][^>]*/gi, (tag) => tag.replace(/([\s"'/])(style\s*=|on[a-z]+\s*=)/gi, '$1data-$2'));
  return new DOMParser().parseFromString(bare, 'text/html');
}

/** Where the page has this value: the first three places in its markup. */
function sources(page, value) {
  const wanted = new Set((Array.isArray(value) ? [value.join(', '), value.join(','), ...value] : [value]).map(normal));
  const day = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? value.slice(0, 10) : null;
  const is = (text) => text && (wanted.has(normal(text)) || (day && text.trim().startsWith(day)));
  const places = [];
  const add = (place) => { if (!places.includes(place)) places.push(place); };
  for (const meta of page.querySelectorAll('meta[content]')) {
    const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop');
    if (name && is(meta.getAttribute('content'))) add(`<meta ${name}>`);
  }
  for (const script of page.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      walk(JSON.parse(script.textContent), '', (text, path) => { if (is(text)) add(`JSON-LD ${path}`); });
    } catch { /* the findings say so */ }
  }
  if (is(page.querySelector('link[rel~=canonical]')?.getAttribute('href'))) add('<link canonical>');
  if ([...page.querySelectorAll('time[datetime]')].some((time) => is(time.getAttribute('datetime')))) add('<time datetime>');
  return places.slice(0, 3);
}

const normal = (text) => String(text).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

function walk(value, path, visit, depth = 0) {
  if (depth > 30) return;
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value)) value.forEach((item) => walk(item, path, visit, depth + 1));
  else if (value && typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      if (name !== '@context' && name !== '@type') walk(item, name === '@graph' || name === 'name' ? path : path ? `${path}.${name}` : name, visit, depth + 1);
    }
  }
}

const KEPT = new Set('a abbr b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre q s span strong sub sup table tbody td th thead tr ul'.split(' '));

/** Rendered Markdown as elements that cannot load, run or lead anywhere. */
function tame(html) {
  const page = parsed(html);
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const name = node.localName;
    if (name === 'img') return h('span', { class: 'image', title: node.getAttribute('src') }, `Image: ${node.getAttribute('alt') || 'no text'}`);
    const children = [...node.childNodes].map(copy);
    if (name === 'a') return h('span', { class: 'target', title: node.getAttribute('href') }, ...children);
    if (!KEPT.has(name)) return h('span', {}, ...children);
    const align = /text-align:\s*(right|center)/.exec(node.dataset.style)?.[1];
    return h(name, { class: align ? `to-${align}` : null, start: name === 'ol' ? node.getAttribute('start') : null }, ...children);
  };
  return [...page.body.childNodes].map(copy).filter(Boolean);
}
