// Two texts, their fingerprints, the six steps, and where the texts part.

import { $, h, point, prose, shown, verdict } from './ui.js';

const STEPS = {
  decoded: ['1 Decode', 'HTML character references become characters'],
  composed: ['2 Compose', 'Unicode NFKC: one spelling for each character'],
  folded: ['3 Fold case', 'full case folding, the same in every language'],
  cleaned: ['4 Clean', 'control characters go, except tab and line ends'],
  collapsed: ['5 Collapse', 'each run of white space becomes one space'],
  trimmed: ['6 Trim', 'no space at either end'],
};
/** Longer texts are shown in part: a page of marks helps nobody. */
const MOST = 4000;

export default function tool() {
  function digest(id, found) {
    const output = $(id);
    output.replaceChildren(h('span', { class: 'algorithm' }, found.slice(0, 7)), found.slice(7));
    output.dataset.value = found;
  }

  function fault(error) {
    for (const id of ['fp-a-digest', 'fp-b-digest', 'fp-steps']) $(id).replaceChildren();
    verdict($('fp-verdict'), 'bad', ...prose(error.message));
  }

  function show([first, second], { a, b }) {
    digest('fp-a-digest', first.digest);
    digest('fp-b-digest', second.digest);
    compare(a, b, first, second);
    $('fp-steps').replaceChildren(...first.steps.map((step, at) => {
      const [name, why] = STEPS[step.name];
      const head = h('span', { class: 'name' }, name, h('span', { class: 'why' }, why));
      const other = second.steps[at];
      const before = [at ? first.steps[at - 1].text : a, at ? second.steps[at - 1].text : b];
      if (step.changes.length + other.changes.length === 0) {
        return h('li', { class: 'still' }, head, h('span', { class: 'quiet' }, 'changed nothing'));
      }
      return h('li', {}, head, marked(before[0], step, 'First text'), marked(before[1], other, 'Second text'));
    }));
  }

  function compare(a, b, first, second) {
    const element = $('fp-verdict');
    const at = (taken) => taken.steps[5].text;
    if (first.fingerprint === second.fingerprint) {
      if (a === b) return verdict(element, 'good', 'The same text, letter for letter.');
      const step = first.steps.findIndex((taken, index) => taken.text === second.steps[index].text);
      return verdict(element, 'good', 'The same fingerprint. ', `They look different, and are one text from step ${step + 1} on.`);
    }
    const [left, right] = [[...at(first)], [...at(second)]];
    let index = 0;
    while (index < left.length && left[index] === right[index]) index++;
    const context = (characters) => {
      const here = characters[index];
      return h('pre', { dir: 'auto' }, index > 30 ? '…' : '', ...shown(characters.slice(Math.max(0, index - 30), index).join('')),
        h('span', { class: 'caret' }, ...(here === undefined ? ['end'] : here === ' ' ? ['·'] : shown(here))),
        ...shown(characters.slice(index + 1, index + 30).join('')), characters.length > index + 30 ? '…' : '');
    };
    const name = (characters) => (characters[index] === undefined ? 'the end' : `${JSON.stringify(characters[index])} (${point(characters[index])})`);
    verdict(element, 'warn', 'Different texts. ', `After the six steps they part at character ${index + 1}: ${name(left)} here, ${name(right)} there.`,
      context(left), context(right));
  }

  return { empty: { a: '', b: '' }, job: 'fingerprint', input: () => ({ a: $('fp-a').value, b: $('fp-b').value }), show, fault };
}

/** One change may be as long as the text. */
const start = (text) => [...shown(text.slice(0, MOST)), text.length > MOST ? ' …' : ''];

/** The text after a step: what it wrote marked, what it took away struck out. */
function marked(before, step, label) {
  if (step.changes.length === 0 && before === '') return null;
  const parts = [];
  let at = 0;
  for (const [from, end, to, endAfter] of step.changes) {
    if (to > MOST) break;
    parts.push(...shown(step.text.slice(at, to)));
    const [was, is] = [before.slice(from, end), step.text.slice(to, endAfter)];
    if (was) parts.push(h('del', {}, ...start(was)));
    if (is) parts.push(h('mark', { class: 'changed' }, ...start(is)));
    at = endAfter;
  }
  parts.push(...shown(step.text.slice(at, Math.max(at, MOST))), step.text.length > Math.max(at, MOST) ? ' …' : '');
  return h('div', { class: 'text', dir: 'auto', tabindex: '0', role: 'group', 'aria-label': `${label}, ${step.changes.length} changes` }, ...parts.filter((part) => part !== ''));
}
