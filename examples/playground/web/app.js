// Tabs, links, and the module that everything runs in.

import init, * as aiweb from './aiweb.js';
import { $, h, readState, writeState } from './ui.js';
import page from './tab-page.js';
import fingerprint from './tab-fingerprint.js';
import json from './tab-json.js';
import robots from './tab-robots.js';
import manifest from './tab-manifest.js';
import visit from './tab-visit.js';
import { EXAMPLES } from './examples.js';

const TABS = { page, fingerprint, json, robots, manifest, visit };
const NAMES = Object.keys(TABS);
/** A link longer than this is refused by some programs that would carry it. */
const LONGEST_LINK = 30000;

const tabs = {};
let current = null;
let ready = false;

for (const name of NAMES) {
  const panel = $(`panel-${name}`);
  const tab = { name, panel, button: $(`tab-${name}`), example: null, timer: 0, loaded: false };
  tab.tool = TABS[name]({ aiweb, panel, changed: () => changed(tab), update: () => update(tab) });
  tabs[name] = tab;
  const group = panel.querySelector('.examples');
  for (const example of EXAMPLES[name]) {
    group.append(h('button', { type: 'button', 'aria-pressed': 'false', 'data-example': example.id, onclick: () => load(tab, example) }, example.name));
  }
  panel.addEventListener('input', (event) => {
    if (event.target.closest('[data-state]')) changed(tab);
  });
  panel.querySelector('.share').addEventListener('click', (event) => share(tab, event.currentTarget));
  tab.button.addEventListener('click', () => open(name));
}

$('tab-page').parentElement.addEventListener('keydown', (event) => {
  const at = NAMES.indexOf(current.name);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: NAMES.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  open(NAMES[(to + NAMES.length) % NAMES.length]);
  current.button.focus();
});

/** Shows a tab; its first showing loads the first example. */
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
  if (!current.loaded) load(current, EXAMPLES[name][0], keepLink);
  else {
    if (!keepLink) relink(current);
    update(current);
  }
}

function load(tab, example, keepLink = false) {
  tab.loaded = true;
  writeState(tab.panel, { ...tab.tool.empty, ...example.state });
  tab.tool.loaded?.(example.state);
  tab.example = example.id;
  pressed(tab);
  if (!keepLink) relink(tab);
  update(tab);
}

function pressed(tab) {
  for (const button of tab.panel.querySelectorAll('[data-example]')) {
    button.setAttribute('aria-pressed', String(button.dataset.example === tab.example));
  }
}

function changed(tab) {
  tab.example = null;
  pressed(tab);
  clearTimeout(tab.timer);
  tab.timer = setTimeout(() => relink(tab), 300);
  update(tab);
}

function update(tab) {
  if (ready && tab === current) tab.tool.update();
}

const stateOf = (tab) => tab.tool.state?.() ?? readState(tab.panel);

function link(tab) {
  if (tab.example) return `#${tab.name}/${tab.example}`;
  const text = `#${tab.name}?${new URLSearchParams(stateOf(tab))}`;
  return text.length <= LONGEST_LINK ? text : null;
}

function relink(tab) {
  if (tab !== current) return;
  history.replaceState(null, '', link(tab) ?? `#${tab.name}`);
}

async function share(tab, button) {
  const label = 'Copy link';
  const made = link(tab);
  if (made === null) button.textContent = 'Too long for a link';
  else {
    history.replaceState(null, '', made);
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'It is in the address bar';
    }
  }
  setTimeout(() => { button.textContent = label; }, 1800);
}

/** `#robots`, `#robots/an-example`, `#robots?file=…&agent=…` */
function follow() {
  const [, name, example, query] = /^#?([a-z]*)(?:\/([\w-]+))?(?:\?(.*))?$/s.exec(location.hash) ?? [];
  const tab = tabs[name] ?? tabs.page;
  const known = EXAMPLES[tab.name].find(({ id }) => id === example);
  current = tab;
  if (query) {
    const state = Object.fromEntries(new URLSearchParams(query));
    tab.loaded = true;
    tab.example = null;
    writeState(tab.panel, { ...tab.tool.empty, ...state });
    tab.tool.loaded?.(state);
    pressed(tab);
  } else if (known) {
    load(tab, known, true);
  }
  open(tab.name, true);
}
addEventListener('hashchange', follow);
follow();

try {
  const started = performance.now();
  await init({ module_or_path: new URL('aiweb_bg.wasm', import.meta.url) });
  ready = true;
  $('status').textContent = `Module ready in ${Math.round(performance.now() - started)} ms`;
  update(current);
  document.documentElement.dataset.ready = '';
} catch (error) {
  $('status').textContent = `The module did not load: ${error.message}`;
  $('status').classList.add('broken');
}
