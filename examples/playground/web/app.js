// Tabs, links, drafts, and which question goes to the worker when.

import './editor.js';
import { $, h, lengthOf, readState, writeState } from './ui.js';
import { ask, pack, unpack } from './work.js';
import page from './tab-page.js';
import fingerprint from './tab-fingerprint.js';
import json from './tab-json.js';
import robots from './tab-robots.js';
import manifest from './tab-manifest.js';
import visit from './tab-visit.js';
import { EXAMPLES } from './examples.js';

const TABS = { fingerprint, json, robots, manifest, page, visit };
const NAMES = Object.keys(TABS);
/** A link longer than this is refused by browsers or by what would carry it. */
const LONGEST_LINK = 500_000;
/** Longer texts wait for a pause in typing: showing their answers takes time that the keys need. */
const LONG = 30_000;
const PAUSE = 250;
/** A draft is written out when this long no key was pressed, or when the page goes away. */
const KEEP = 800;

const tabs = {};
let current = null;
/** What the status says while nothing is worked on. */
let notice = '';
/** A browser that keeps nothing for a page denies even the question. */
const kept = (() => {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
})();

for (const name of NAMES) {
  const panel = $(`panel-${name}`);
  const tab = { name, panel, button: $(`tab-${name}`), example: null, loaded: false, wanted: null, running: false };
  tab.tool = TABS[name]({ panel, ask, changed: () => changed(tab), update: () => update(tab), busy });
  tabs[name] = tab;
  const group = panel.querySelector('.examples');
  panel.querySelector('.intro').append(h('p', { class: 'lesson' }));
  for (const example of EXAMPLES[name]) {
    group.append(h('button', { type: 'button', 'aria-pressed': 'false', 'data-example': example.id, onclick: () => load(tab, example) }, example.name));
  }
  panel.addEventListener('input', (event) => {
    if (event.target.closest('[data-state]')) changed(tab);
  });
  panel.querySelector('.share').addEventListener('click', (event) => share(tab, event.currentTarget));
  tab.button.addEventListener('click', () => open(name));
}

$('panels').addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const from = $(button.dataset.copy);
  said(button, await copied(from.dataset.value ?? from.value ?? from.textContent) ? 'Copied' : 'Not allowed here');
});

/** A button's label for a moment. */
function said(button, text) {
  button.dataset.label ??= button.textContent;
  button.textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = button.dataset.label; }, 1800);
}

/** A page without TLS has no clipboard at all. */
const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

// The link's own target would become the address, and that names the tab.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  $('panels').focus();
});

$(`tab-${NAMES[0]}`).parentElement.addEventListener('keydown', (event) => {
  const at = NAMES.indexOf(current.name);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: NAMES.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  open(NAMES[(to + NAMES.length) % NAMES.length]);
  current.button.focus();
});

/** Shows a tab; its first showing loads the draft of this browser tab, or the first example. */
function open(name, keepLink = false) {
  current = tabs[name];
  for (const tab of Object.values(tabs)) {
    const active = tab === current;
    tab.button.setAttribute('aria-selected', String(active));
    tab.button.tabIndex = active ? 0 : -1;
    tab.panel.hidden = !active;
  }
  const bar = current.button.parentElement;
  const [left, right] = [current.button.offsetLeft - bar.offsetLeft, current.button.offsetWidth];
  if (left < bar.scrollLeft || left + right > bar.scrollLeft + bar.clientWidth) bar.scrollLeft = left - 40;
  if (!current.loaded) {
    const held = draft(current);
    if (held) restore(current, held);
    else load(current, EXAMPLES[name][0], keepLink);
  }
  if (!keepLink) relink(current);
  update(current);
}

function load(tab, example, keepLink = false) {
  restore(tab, example.state);
  tab.example = example.id;
  clearTimeout(tab.keeping);
  tab.keeping = null;
  kept?.removeItem(key(tab));
  pressed(tab);
  if (!keepLink) relink(tab);
  update(tab);
}

function restore(tab, state) {
  tab.loaded = true;
  tab.example = null;
  writeState(tab.panel, { ...tab.tool.empty, ...state });
  tab.tool.loaded?.(state);
  pressed(tab);
}

function pressed(tab) {
  const lesson = tab.panel.querySelector('.lesson');
  const example = EXAMPLES[tab.name].find(({ id }) => id === tab.example);
  // Once the example is edited its place stays, so that nothing moves under the keys.
  if (example) lesson.textContent = example.lesson;
  lesson.classList.toggle('past', !example);
  for (const button of tab.panel.querySelectorAll('[data-example]')) {
    button.setAttribute('aria-pressed', String(button.dataset.example === tab.example));
  }
}

function changed(tab) {
  const was = tab.example;
  tab.example = null;
  if (was) {
    pressed(tab);
    relink(tab);
  }
  clearTimeout(tab.keeping);
  tab.keeping = setTimeout(() => keep(tab), KEEP);
  clearTimeout(tab.pause);
  if (lengthOf(tab.panel) < LONG) update(tab);
  else {
    busy(tab, true);
    tab.pause = setTimeout(() => update(tab), PAUSE);
  }
}

/** Asks for what the tab shows. One question at a time; of those that come meanwhile the last alone is asked. */
async function update(tab) {
  if (tab !== current) return;
  if (!tab.tool.job) return tab.tool.update();
  tab.wanted = tab.tool.input();
  if (tab.running) return;
  tab.running = true;
  busy(tab, true);
  try {
    while (tab.wanted) {
      const input = tab.wanted;
      tab.wanted = null;
      try {
        const answer = await ask(tab.tool.job, input);
        if (!tab.wanted) tab.tool.show(answer, input);
      } catch (error) {
        if (error instanceof Error) throw error;
        if (!tab.wanted) tab.tool.fault(error, input);
      }
    }
  } finally {
    tab.running = false;
    busy(tab, false);
  }
  document.documentElement.dataset.ready = '';
}

const working = new Set();
let told = 0;
function busy(tab, is) {
  if (is) working.add(tab.name);
  else working.delete(tab.name);
  document.documentElement.toggleAttribute('data-busy', working.size > 0);
  clearTimeout(told);
  // Not for a blink.
  told = setTimeout(() => { $('status').textContent = working.size > 0 ? 'Working …' : notice; }, is ? 150 : 0);
}

const stateOf = (tab) => tab.tool.state?.() ?? readState(tab.panel);

const key = (tab) => `aiweb-${tab.name}`;
function keep(tab) {
  clearTimeout(tab.keeping);
  tab.keeping = null;
  try {
    kept?.setItem(key(tab), JSON.stringify(stateOf(tab)));
  } catch {
    // More than the browser keeps: no draft then, rather than an older one.
    kept.removeItem(key(tab));
  }
}
function draft(tab) {
  try {
    return JSON.parse(kept.getItem(key(tab)));
  } catch {
    return null;
  }
}

/** What is typed is put into the address by `Copy link` alone, so that the browser's history does not fill with it. */
function relink(tab) {
  notice = '';
  if (tab === current) history.replaceState(null, '', tab.example ? `#${tab.name}/${tab.example}` : `#${tab.name}`);
}

async function share(tab, button) {
  const link = tab.example ? `#${tab.name}/${tab.example}` : `#${tab.name}?z=${await pack(stateOf(tab))}`;
  if (link.length > LONGEST_LINK) return said(button, 'Too long for a link');
  history.replaceState(null, '', link);
  said(button, await copied(location.href) ? 'Copied' : 'It is in the address bar');
}

/** `#robots`, `#robots/an-example`, `#robots?z=…`, `#robots?file=…&agent=…` */
async function follow() {
  const [, name, example, query] = /^#?([a-z]*)(?:\/([\w-]+))?(?:\?(.*))?$/s.exec(location.hash) ?? [];
  const tab = tabs[name] ?? tabs[NAMES[0]];
  const known = EXAMPLES[tab.name].find(({ id }) => id === example);
  current = tab;
  if (query) {
    const given = Object.fromEntries(new URLSearchParams(query));
    const state = given.z === undefined ? given : await unpack(given.z);
    if (state) restore(tab, state);
    else notice = 'The link is damaged, so an example is shown.';
  } else if (known) {
    load(tab, known, true);
  }
  open(tab.name, true);
}
addEventListener('pagehide', () => Object.values(tabs).filter((tab) => tab.keeping).forEach(keep));
addEventListener('hashchange', follow);
follow();
