// What the tabs share: elements, shown characters, and the state of a tab as a link.

/** An element with attributes and children; `on…` attributes are listeners, false and null ones are left out. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  // Before `dir=auto`: a browser looks for the first letter again for each child that comes.
  element.append(...children.flat().filter((child) => child !== null && child !== false));
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? '' : value);
  }
  return element;
}

export const $ = (id) => document.getElementById(id);

const NAMES = new Map([
  ['\u00a0', 'NBSP'], ['\u00ad', 'SHY'], ['\u034f', 'CGJ'], ['\u061c', 'ALM'], ['\u180e', 'MVS'], ['\u2028', 'LS'], ['\u2029', 'PS'],
  ['\u200b', 'ZWSP'], ['\u200c', 'ZWNJ'], ['\u200d', 'ZWJ'], ['\u200e', 'LRM'], ['\u200f', 'RLM'], ['\u202a', 'LRE'], ['\u202b', 'RLE'],
  ['\u202c', 'PDF'], ['\u202d', 'LRO'], ['\u202e', 'RLO'], ['\u2060', 'WJ'], ['\u2066', 'LRI'], ['\u2067', 'RLI'], ['\u2068', 'FSI'],
  ['\u2069', 'PDI'], ['\u202f', 'NNBSP'], ['\u2009', 'THSP'], ['\u2003', 'EMSP'], ['\u2002', 'ENSP'], ['\u3000', 'IDSP'], ['\ufeff', 'BOM'], ['\ufffd', 'U+FFFD'],
]);
const SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u034f\u2000-\u200a\u202f\u205f\u3000\ufffd]| +|\p{Mn}/gu;

/** The text, its invisible characters shown. `spaces` shows plain spaces too. */
export function shown(text, spaces = true) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(SHOWN)) {
    const found = match[0];
    if (/^ +$/.test(found) && !spaces) continue;
    if (/^\p{Mn}$/u.test(found)) {
      // A mark that stands on nothing would fall on what is before it.
      if (match.index > 0) continue;
    }
    parts.push(text.slice(at, match.index));
    at = match.index + found.length;
    if (/^ +$/.test(found)) parts.push(h('span', { class: 'ghost' }, '·'.repeat(found.length)));
    else if (found === '\n') parts.push(h('span', { class: 'ghost' }, '↵'), '\n');
    else if (found === '\t') parts.push(h('span', { class: 'ghost' }, '⇥'), '\t');
    else parts.push(h('span', { class: 'ghost named', title: point(found) }, NAMES.get(found) ?? point(found)));
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== '');
}

export const point = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A message of a library, what stands between backticks as code. */
export const prose = (text) => text.split(/`([^`]*)`/).map((part, at) => (at % 2 ? h('code', {}, part) : part)).filter((part) => part !== '');

/** A place for people. */
export const lineColumn = ({ line, column }) => `line ${line}, column ${column}`;

export function bytes(count) {
  return count < 1000 ? `${count} B` : `${(count / 1000).toFixed(count < 100000 ? 1 : 0)} kB`;
}

/** Sets class and content of a verdict. */
export function verdict(element, kind, title, ...rest) {
  element.className = `verdict ${kind}`;
  element.replaceChildren(h('strong', {}, title), ...rest);
}

/** More findings than this are not drawn, and the first of them alone have an excerpt of the text. */
const [MOST, EXCERPTS] = [500, 50];

/** A list of findings; `go` makes a place a button. With the text, each that has a range `from` to `to` shows it with a caret. */
export function findings(list, found, go, text) {
  if (found.length === 0) {
    list.replaceChildren(h('li', { class: 'none' }, 'Nothing to report.'));
    return;
  }
  const items = found.slice(0, MOST).map((finding, number) => {
    const at = finding.start && !finding.line ? ` (${finding.start.line}:${finding.start.column})` : '';
    const place = `${finding.label ?? (finding.line ? `line ${finding.line}` : finding.place ?? '')}${at}`;
    return h('li', { class: finding.severity },
      h('span', { class: 'severity' }, finding.severity), ' ',
      place && (go && (finding.start || finding.line)
        ? h('button', { type: 'button', onclick: () => go(finding) }, place)
        : h('code', {}, place)),
      place && ' ', ...prose(finding.message), ' ', h('code', {}, finding.code, finding.requirement ? ` · ${finding.requirement}` : ''),
      text !== undefined && finding.to !== undefined && number < EXCERPTS && caret(text, finding.from));
  });
  if (found.length > MOST) items.push(h('li', { class: 'none' }, `${(found.length - MOST).toLocaleString('en')} more are not listed.`));
  list.replaceChildren(...items);
}

/** The excerpt of a text around an index, with the character there marked. */
export function caret(text, index) {
  const from = Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 60);
  let to = text.indexOf('\n', index);
  if (to < 0) to = text.length;
  to = Math.min(to, index + 60);
  const code = text.codePointAt(index);
  const width = code > 0xffff ? 2 : 1;
  const at = index >= text.length || text[index] === '\n' ? '⏎' : text.slice(index, index + width);
  const mark = h('span', { class: 'caret' }, ...(at === '⏎' ? [index >= text.length ? 'end' : '↵'] : at === ' ' ? ['·'] : shown(at)));
  return h('pre', { dir: 'auto' }, from > 0 && text[from - 1] !== '\n' ? '…' : '', ...shown(text.slice(from, index), false), mark,
    ...shown(text.slice(Math.min(index + width, to), to), false), to < text.length && text[to] !== '\n' ? '…' : '');
}

/** Selects a range in an editor and scrolls to it. */
export function select(editor, start, end) {
  editor.focus();
  editor.setSelectionRange(start, end);
}

/** The controls of a panel that make its state, by name. */
export function fields(panel) {
  const found = new Map();
  for (const control of panel.querySelectorAll('[data-state]')) {
    const name = control.dataset.state;
    found.set(name, [...(found.get(name) ?? []), control]);
  }
  return found;
}

/** Characters in the longest text of a panel; long texts are not put together for it. */
export const lengthOf = (panel) => Math.max(0, ...[...panel.querySelectorAll('code-editor')].map(({ length }) => length));

export function readState(panel) {
  const state = {};
  for (const [name, controls] of fields(panel)) {
    state[name] = controls[0].type === 'radio' ? controls.find((control) => control.checked)?.value ?? '' : controls[0].value;
  }
  return state;
}

export function writeState(panel, state) {
  for (const [name, controls] of fields(panel)) {
    if (!(name in state)) continue;
    // A link may name a choice that is none.
    if (controls[0].type === 'radio') (controls.find(({ value }) => value === state[name]) ?? controls[0]).checked = true;
    else controls[0].value = state[name];
  }
}
