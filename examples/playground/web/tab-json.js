// Canonical JSON: errors with a caret, the output, and the first byte that is not canonical.

import { $, caret, h, lineColumn, prose, select, verdict } from './ui.js';

const WHY = {
  'white-space': 'white space between tokens',
  escape: 'an escape that is not needed, or is written in another way',
  'number-form': 'a number in another form',
  'member-order': 'a name that sorts before the one in front of it',
};

const why = ({ code }) => WHY[code] ?? code;
const mark = (severity, { index }, message) => ({ from: index, to: index + 1, severity, message });

export default function tool({ panel }) {
  const input = () => ({ text: $('json-in').value, profile: panel.querySelector('[name=json-profile]:checked').value });

  function show({ canonical, bytesIn, bytesOut, deviation }, { text }) {
    $('json-out').value = canonical;
    $('json-size').textContent = `${bytesIn} bytes in, ${bytesOut} bytes out.`;
    const element = $('json-verdict');
    $('json-in').mark(deviation ? [mark('notice', deviation, `the first byte that is not canonical: ${why(deviation)}`)] : []);
    if (!deviation) return verdict(element, 'good', 'This is canonical already, byte for byte.');
    verdict(element, 'warn', `Byte ${deviation.offset} is the first that is not canonical: `,
      `${why(deviation)}, in ${lineColumn(deviation)}.`, caret(text, deviation.index), go(text, deviation));
  }

  function fault(error, { text }) {
    $('json-out').value = '';
    $('json-in').mark(error.index === undefined ? [] : [mark('error', error, error.message)]);
    $('json-size').textContent = error.code ? 'A text that readers could understand in two ways, or not at all, has no canonical form.' : '';
    const placed = error.index === undefined ? [] : [` In ${lineColumn(error)}. `, caret(text, error.index), go(text, error)];
    verdict($('json-verdict'), 'bad', error.code ? 'No canonical form: ' : 'No answer: ', ...prose(error.message), '. ', h('code', {}, [error.code, error.requirement].filter(Boolean).join(' · ')), ...placed);
  }

  function go(text, spot) {
    return h('button', { type: 'button', onclick: () => select($('json-in'), spot.index, Math.min(spot.index + 1, text.length)) }, 'Show it in the text');
  }

  return { empty: { json: '', profile: 'tct' }, job: 'json', input, show, fault };
}
