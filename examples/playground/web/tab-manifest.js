// Manifests, feeds and documents: findings at their place, llms.txt as made.

import { $, caret, findings, h, lineColumn, prose, select, verdict } from './ui.js';

export default function tool({ panel }) {
  const input = () => ({ text: $('manifest-in').value, kind: panel.querySelector('[name=manifest-kind]:checked').value });

  function fault(error, { text, kind }) {
    $('manifest-llms').hidden = kind !== 'manifest';
    $('manifest-llms-text').textContent = 'No manifest, no llms.txt.';
    $('manifest-findings').replaceChildren();
    $('manifest-in').mark(error.index === undefined ? [] : [{ from: error.index, to: error.index + 1, severity: 'error', message: error.message }]);
    const placed = error.index === undefined ? [] : [` In ${lineColumn(error)}.`, caret(text, error.index),
      h('button', { type: 'button', onclick: () => select($('manifest-in'), error.index, error.index + 1) }, 'Show it in the text')];
    const what = error.code === 'too-large' ? 'Too long: ' : error.code ? 'Not JSON: ' : 'No answer: ';
    verdict($('manifest-verdict'), 'bad', what, ...prose(error.message), '.', ...placed);
  }

  function show({ report, llms }, { text, kind }) {
    const [element, list] = [$('manifest-verdict'), $('manifest-findings')];
    $('manifest-llms').hidden = kind !== 'manifest';
    $('manifest-llms-text').replaceChildren(llms ?? h('span', { class: 'ghost' }, 'A manifest with errors makes no llms.txt.'));
    const starts = [0];
    /** The range of a finding in the whole text; of one that has none, its line's. */
    const range = ({ start, end }, from = 0, to) => (start ? { from: from + start.index, to: from + end.index } : to === undefined ? {} : { from, to });
    if (kind === 'feed') for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    const found = kind === 'feed'
      ? [...report.lines.flatMap(({ line, findings: some }) => some.map((finding) => ({
        ...finding, label: `line ${line} ${finding.place ?? ''}`.trim(), line, ...range(finding, starts[line - 1], (starts[line] ?? text.length + 1) - 1),
      }))), ...report.findings]
      : report.findings.map((finding) => ({ ...finding, label: finding.place || (finding.start ? 'whole text' : ''), ...range(finding) }));
    $('manifest-in').mark(found.filter(({ to }) => to !== undefined));
    // A feed is counted whole, though not every line of it is listed.
    const count = (severity) => report.counts?.[`${severity}s`] ?? found.filter((finding) => finding.severity === severity).length;
    const told = [[count('error'), 'error'], [count('warning'), 'warning'], [count('notice'), 'notice']]
      .filter(([number]) => number).map(([number, word]) => `${number.toLocaleString('en')} ${word}${number > 1 ? 's' : ''}`).join(', ')
      + (report.truncated ? `, of which those of the first ${report.lines.length.toLocaleString('en')} lines are listed` : '');
    const of = kind === 'feed' ? `${report.products} valid product${report.products === 1 ? '' : 's'}` : '';
    verdict(element, report.valid ? (count('warning') ? 'warn' : 'good') : 'bad', report.valid ? 'Valid. ' : 'Not valid. ', [of, told].filter(Boolean).join('; '), of || told ? '.' : '');
    findings(list, found, ({ from, to }) => select($('manifest-in'), from, to), text);
  }

  return { empty: { kind: 'manifest', text: '' }, job: 'manifest', input, show, fault };
}
