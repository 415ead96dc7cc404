// Canonical JSON: errors with a caret, the output, and the first byte that is not canonical.

import { $, byteLength, caret, h, select, verdict } from './ui.js';

const WHY = {
  'white-space': 'white space between tokens',
  escape: 'an escape that is not needed, or is written in another way',
  'number-form': 'a number in another form',
  'member-order': 'a name that sorts before the one in front of it',
};

export default function tool({ aiweb, panel }) {
  function update() {
    const text = $('json-in').value;
    const profile = panel.querySelector('[name=json-profile]:checked').value;
    const element = $('json-verdict');
    const output = $('json-out');
    let canonical;
    try {
      canonical = aiweb.canonicalize(text, profile);
    } catch (error) {
      output.textContent = '';
      $('json-size').textContent = 'A text that readers could understand in two ways, or not at all, has no canonical form.';
      verdict(element, 'bad', 'No canonical form: ', `${error.message}. `, h('code', {}, [error.kind, error.requirement].filter(Boolean).join(' · ')),
        error.index === undefined ? null : caret(text, error.index), error.index === undefined ? null : go(text, error));
      return;
    }
    output.textContent = canonical;
    $('json-size').textContent = `${byteLength(text)} bytes in, ${byteLength(canonical)} bytes out.`;
    const found = aiweb.checkCanonical(text, profile);
    if (!found) return verdict(element, 'good', 'This is canonical already, byte for byte.');
    verdict(element, 'warn', `Byte ${found.offset} is the first that is not canonical: `,
      `${WHY[found.kind] ?? found.kind}, in line ${found.line}, column ${found.column}.`, caret(text, found.index), go(text, found));
  }

  function go(text, spot) {
    return h('button', { type: 'button', onclick: () => select($('json-in'), spot.index, Math.min(spot.index + 1, text.length)) }, 'Show it in the text');
  }

  return { empty: { json: '', profile: 'tct' }, update };
}
