// A publisher and an agent: edits, the clock, and each visit as a sequence drawn while it happens.

import { $, bytes, h } from './ui.js';

const START = 1790000000;

export default function tool({ ask, busy, changed }) {
  const self = { name: 'visit' };
  let site = null;
  /** Of the simulation in the worker: the clock, what is offered, what is held. */
  let seen = null;
  let running = false;
  let before = new Map();
  /** The simulation's questions, one after another. */
  let queue = Promise.resolve();

  function told(job, input) {
    const answer = queue.then(() => ask(job, input));
    queue = answer.catch(() => {});
    return answer.then((found) => {
      seen = found;
      return found;
    });
  }

  $('visit-go').addEventListener('click', go);
  for (const button of document.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', async () => {
      if (!seen) return;
      const seconds = Number(button.dataset.advance);
      await told('visit-advance', seconds);
      draw(h('li', { class: 'note' }, `The clock goes on: ${seconds === 3600 ? 'one hour' : 'eight days'}.`));
      clock();
    });
  }
  $('visit-page').addEventListener('change', pick);
  $('visit-content').addEventListener('input', () => {
    const page = chosen();
    if (!page) return;
    page.content = $('visit-content').value;
    publish(`Edited: ${page.path}`);
    changed();
  });
  $('visit-template').addEventListener('input', () => {
    site.template = $('visit-template').value;
    publish('Edited: the template, so the HTML of every page');
  });

  const chosen = () => site?.pages[$('visit-page').selectedIndex];

  function pick() {
    $('visit-content').value = chosen()?.content ?? '';
  }

  function loaded(state) {
    site = structuredClone(state.site ?? parsed(state.json));
    // A link may hold anything.
    if (!Array.isArray(site?.pages) || !site.pages.every((page) => page)) site = { origin: 'https://tea.example', template: '{content}', pages: [{ path: '/', title: 'Home', content: '<p>Home</p>' }] };
    seen = null;
    before = new Map();
    $('visit-template').value = site.template;
    $('visit-page').replaceChildren(...site.pages.map((page) => h('option', {}, `${page.path}   ${page.title}`)));
    $('visit-page').selectedIndex = site.pages.length > 1 ? 1 : 0;
    pick();
    $('visit-sequence').replaceChildren(h('li', { class: 'empty' }, 'The agent has not been here yet. Send it.'));
    $('visit-totals').replaceChildren();
    ready('Send the agent');
  }

  function ready(label) {
    running = false;
    $('visit-go').disabled = false;
    $('visit-go').textContent = label;
  }

  async function update() {
    if (seen || !site) return;
    busy(self, true);
    try {
      await told('visit-new', { site, now: START });
      clock();
      offered();
      held();
    } catch (error) {
      draw(h('li', { class: 'note' }, error.message));
    }
    busy(self, false);
    document.documentElement.dataset.ready = '';
  }

  /** One line for an edit, however many letters it takes. */
  async function publish(message) {
    busy(self, true);
    const { error } = await told('visit-publish', site).catch((fault) => ({ error: fault }));
    busy(self, false);
    const line = error ? error.message : message;
    if (seen) offered();
    const last = $('visit-sequence').lastElementChild;
    if (last?.dataset.edit !== line) draw(h('li', { class: 'note', 'data-edit': line }, line));
  }

  function clock() {
    const date = new Date(seen.now * 1000);
    $('visit-clock').textContent = `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  }

  function offered() {
    $('visit-offered').tBodies[0].replaceChildren(...seen.offered.map((page) => {
      const old = before.get(page.path);
      const tag = (value, was) => h('td', {}, h('code', {}, short(value)), was && was !== value ? ' new' : '');
      return h('tr', {}, h('td', {}, page.path), tag(page.htmlEtag, old?.html), tag(page.hash, old?.hash));
    }));
  }

  function held(fresh = new Set()) {
    const list = seen.held;
    $('visit-held').replaceChildren(...(list.length ? list.map(({ path, hash, text }) => h('li', { class: fresh.has(path) ? 'fresh' : null },
      h('span', { class: 'path' }, path), h('span', { class: 'hash' }, hash ? short(hash) : 'nothing'), h('p', {}, text))) : [h('li', {}, 'Nothing yet.')]));
  }

  function draw(item) {
    const list = $('visit-sequence');
    list.querySelector('.empty')?.remove();
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }

  async function go() {
    if (running || !seen) return;
    running = true;
    $('visit-go').disabled = true;
    const visited = site;
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 260;
    const fresh = new Set();
    draw(h('li', { class: 'heading' }, `Visit at ${$('visit-clock').textContent.slice(0, 16)}`));
    try {
      for (;;) {
        const { event } = await told('visit-next');
        if (site !== visited) return; // another example was loaded meanwhile
        if (event.event === 'done') {
          totals(event.totals);
          break;
        }
        if (event.event === 'page' && event.text !== null) fresh.add(event.path);
        if (event.event === 'page' || event.event === 'waited') { held(fresh); clock(); }
        const item = drawn(event);
        if (!item) continue;
        draw(item);
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (site !== visited) return;
      }
    } catch (error) {
      if (site !== visited) return;
      draw(h('li', { class: 'note' }, error.message));
    }
    before = new Map(seen.offered.map((page) => [page.path, { html: page.htmlEtag, hash: page.hash }]));
    held(fresh);
    offered();
    ready('Send the agent again');
  }

  function drawn(event) {
    if (event.event === 'exchange') {
      const condition = event.ifNoneMatch ? h('span', { class: 'condition' }, ` if not ${short(event.ifNoneMatch)}`) : '';
      const answer = event.status === 304 ? 'unchanged' : `${bytes(event.bytes)}${event.what === 'page' ? ' of HTML' : ''}`;
      return h('li', {}, h('div', { class: 'arrow' }, `GET ${event.path}`, condition),
        h('div', { class: `arrow back ${event.status === 304 ? 'same' : 'fresh'}` }, h('span', { class: `status-${event.status}` }, event.status), ` ${answer}`));
    }
    if (event.event === 'skipped') return h('li', {}, h('div', { class: 'spared' }, `${event.path} skipped: the sitemap lists the hash that is held. No request.`));
    if (event.event === 'waited') return h('li', { class: 'note' }, `Waits ${event.seconds} s, as the site asked.`);
    if (event.event === 'site' && event.code !== 'sitemap-read') return h('li', { class: 'note' }, event.message);
    return null;
  }

  function totals(counts) {
    const most = Math.max(counts.bytes, counts.htmlBytes, 1);
    const row = (kind, label, size, text) => {
      const bar = h('i');
      bar.style.width = `${(100 * size) / most}%`;
      return h('div', { class: `row ${kind}` }, h('span', {}, label), h('div', { class: 'bar' }, bar), h('span', { class: 'figures' }, text));
    };
    $('visit-totals').replaceChildren(
      row('twin', 'This agent', counts.bytes, `${counts.requests} requests, ${counts.notModified} answered with 304, ${counts.skipped} pages skipped, ${bytes(counts.bytes)} of bodies`),
      row('html', 'One that reads HTML', counts.htmlBytes, `${counts.htmlRequests} requests, ${counts.htmlNotModified} answered with 304, ${bytes(counts.htmlBytes)} of bodies`),
    );
    $('visit-totals').dataset.totals = JSON.stringify(counts);
  }

  return { empty: {}, update, loaded, state: () => ({ json: JSON.stringify(site) }) };
}

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The first digits of a hash or tag. */
function short(value) {
  const hex = /[0-9a-f]{64}/.exec(value)?.[0];
  return hex ? `${hex.slice(0, 8)}…` : value;
}
