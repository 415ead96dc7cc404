// The editor: CodeMirror behind what a text area has (`value`, `selectionStart`, `setSelectionRange`, events of input), so that
// the tabs need not know it. It draws the lines that are seen, so a key costs the same in 300 kB as in a line.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { json as values } from '@codemirror/legacy-modes/mode/javascript';
import { html as tags } from '@codemirror/legacy-modes/mode/xml';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, Transaction } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags as t } from '@lezer/highlight';

/** HTML: the mode for tags, which would look for tags in scripts and styles, too. */
const html = {
  ...tags,
  token(stream, state) {
    const name = state.context?.tagName.toLowerCase();
    if (state.tokenize.isInText && (name === 'script' || name === 'style')) {
      const ends = stream.string.slice(stream.pos).search(new RegExp(`</${name}`, 'i'));
      if (ends !== 0) {
        if (ends < 0) stream.skipToEnd();
        else stream.pos += ends;
        return 'string';
      }
    }
    return tags.token(stream, state);
  },
};

/** JSON: in the mode's own words a member's name is a `string property`. */
const json = { ...values, tokenTable: { property: t.propertyName } };

/** robots.txt: names of fields, values, comments. */
const robots = {
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.string.slice(0, stream.pos).trim() === '' && stream.match(/^[\w-]+(?=\s*:)/)) return 'propertyName';
    stream.match(/^(:|[^#:]+)/);
    return 'string';
  },
};

/** Longer lines are left in one colour: what is drawn of such a line has thousands of pieces, and each key lays them out. */
const LONGEST_LINE = 20_000;
const LANGUAGES = Object.fromEntries(Object.entries({ html, json, robots }).map(([name, mode]) => [name, StreamLanguage.define({
  ...mode,
  token(stream, state) {
    if (stream.string.length <= LONGEST_LINE) return mode.token(stream, state);
    stream.skipToEnd();
    return null;
  },
})]));

const COLOURS = HighlightStyle.define([
  { tag: [t.comment, t.meta, t.processingInstruction], color: 'var(--soft)' },
  { tag: [t.tagName, t.propertyName], color: 'var(--accent)' },
  { tag: t.attributeName, color: 'var(--warn)' },
  { tag: [t.string, t.character], color: 'var(--good)' },
  { tag: [t.number, t.bool, t.null, t.atom, t.keyword], color: 'var(--warn)' },
]);

// The editor's own marks are pictures, which the page's policy does not load.
const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--field)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: 'inherit', overflow: 'auto' },
  '.cm-content': { padding: '.5rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 .65rem 0 .5rem' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 .3rem 0 .4rem', minWidth: '1.6rem', fontSize: '.78em', lineHeight: 'calc(1.55em / .78)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-gutter-lint': { width: '.9rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '.35em .15rem 0' },
  '.cm-lint-marker': { content: 'normal', width: '.6rem', height: '.6rem', background: 'var(--soft)' },
  '.cm-lint-marker-error': { content: 'normal', borderRadius: '50%', background: 'var(--bad)' },
  '.cm-lint-marker-warning': { content: 'normal', clipPath: 'polygon(50% 0, 100% 100%, 0 100%)', background: 'var(--warn)' },
  '.cm-lint-marker-info': { content: 'normal' },
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--soft) 1.5px', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-info': { backgroundImage: 'none' },
  '.cm-tooltip, .cm-panels': { background: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-diagnostic': { maxWidth: '26rem', fontFamily: 'var(--sans)' },
  '.cm-button, .cm-textfield': { background: 'var(--field)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)', color: 'var(--mark-ink)' },
});

/** The editor's own list and two more. Of a long row of them the first are drawn: each is an element, and what is hidden costs as much. */
const SIGNS = '[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2028\\u2029\\u202d\\u202e\\u2060\\u2066\\u2067\\u2069\\ufeff\\ufff9-\\ufffc]';
const SPECIAL = new RegExp(`(?<!${SIGNS}{20})${SIGNS}`, 'gu');

const AUTO = Decoration.line({ attributes: { dir: 'auto' } });

/**
 * Each line that is drawn finds its own direction, as the lines of a text area with `dir=auto` do. Of a longer line a browser reads all
 * up to its first letter anew for each piece that is drawn: 1 MB of numbers took it 20 s.
 */
const DIRECTIONS = ViewPlugin.fromClass(class {
  constructor(view) { this.read(view); }
  update({ docChanged, viewportChanged, view }) { if (docChanged || viewportChanged) this.read(view); }
  read(view) {
    const lines = [];
    for (const { from, to } of view.visibleRanges) {
      for (let at = from; at <= to;) {
        const line = view.state.doc.lineAt(at);
        if (line.length <= LONGEST_LINE && lines.at(-1)?.from !== line.from) lines.push(AUTO.range(line.from));
        at = line.to + 1;
      }
    }
    this.decorations = Decoration.set(lines);
  }
}, { decorations: (plugin) => plugin.decorations });

/** More findings than this are not marked. */
const MOST = 500;

const SEVERITIES = { error: 'error', warning: 'warning', notice: 'info' };

/** `<code-editor language numbers nowrap readonly>` */
class CodeEditor extends HTMLElement {
  static formAssociated = true; // so that a `label` may name it

  #view;
  #text = { doc: null, value: '' };
  #internals = this.attachInternals();

  connectedCallback() {
    if (this.#view) return;
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#view = new EditorView({ parent: root, root, state: this.#state() });
    // The browser's own event leaves the shadow tree, too, and before the editor has read the key.
    root.addEventListener('input', (event) => event.stopPropagation());
    // What asks the element for the focus gets the first place in it that can have one: the frame around the text.
    root.addEventListener('focusin', ({ target }) => { if (target === this.#view.scrollDOM) this.focus(); });
  }

  #state() {
    const is = (name) => this.hasAttribute(name);
    const label = this.getAttribute('aria-label') ?? this.#internals.labels[0]?.textContent ?? '';
    const language = LANGUAGES[this.getAttribute('language')];
    return EditorState.create({
      extensions: [
        is('numbers') ? lineNumbers() : [],
        is('readonly') ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : history(),
        is('numbers') && !is('readonly') ? lintGutter() : [],
        highlightSpecialChars({ specialChars: SPECIAL }),
        is('nowrap') ? [] : EditorView.lineWrapping,
        language ? [language, syntaxHighlighting(COLOURS)] : [],
        EditorView.perLineTextDirection.of(true), DIRECTIONS,
        search({ top: true }),
        // No Tab: it leaves the field, as it does everywhere on the page.
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0', ...(is('readonly') ? { 'aria-readonly': 'true' } : {}) }),
        EditorView.updateListener.of(({ docChanged, transactions }) => {
          const isTyped = transactions.some((one) => one.annotation(Transaction.addToHistory) !== false);
          if (docChanged && isTyped) this.dispatchEvent(new Event('input', { bubbles: true }));
        }),
        LOOK,
      ],
    });
  }

  get value() {
    const { doc } = this.#view.state;
    if (this.#text.doc !== doc) this.#text = { doc, value: doc.toString() };
    return this.#text.value;
  }

  set value(value) {
    // A long line of a new state is drawn whole, which takes seconds to minutes: the editor takes its width for that of a line that is not
    // wrapped. One that comes by a change is not.
    this.#view.setState(this.#state());
    this.#view.dispatch({ changes: { from: 0, insert: value }, annotations: Transaction.addToHistory.of(false) });
  }

  /** Of the text, without putting it together. */
  get length() { return this.#view.state.doc.length; }
  get selectionStart() { return this.#view.state.selection.main.from; }
  get selectionEnd() { return this.#view.state.selection.main.to; }

  focus() { this.#view.focus(); }

  /** Selects, and scrolls there. */
  setSelectionRange(start, end) {
    const place = (at) => Math.max(0, Math.min(at, this.length));
    const effects = EditorView.scrollIntoView(place(start), { y: 'center' });
    this.#view.dispatch({ selection: { anchor: place(start), head: place(end) }, effects });
  }

  /**
   * Marks findings: each `{ from, to, severity, message }`, in places of `value`. The text may have gone on since they were asked
   * for. Of what fills several lines, such as an object that lacks a member, the first is marked.
   */
  mark(findings) {
    const { doc } = this.#view.state;
    const marks = findings.slice(0, MOST).map(({ from, to, severity, message }) => {
      const start = Math.min(from, doc.length);
      return { from: start, to: Math.max(start, Math.min(to, doc.lineAt(start).to)), severity: SEVERITIES[severity], message };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }
}
customElements.define('code-editor', CodeEditor);
