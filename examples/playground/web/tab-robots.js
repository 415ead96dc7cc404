// robots.txt: verdict, the line that decides, preferences, lint.

import { $, findings, h, select, verdict } from './ui.js';

const REASONS = {
  'no-rule': 'No rule of the groups that speak to it matches.',
  'no-group': 'No group of the file speaks to it.',
  'robots-txt': 'The file itself may always be fetched.',
  'not-a-path': 'This is neither a path nor an address with a scheme, so no rule can be compared with it.',
};
const CATEGORIES = { 'train-ai': 'training models', 'ai-train': 'training models', 'ai-use': 'use by models', 'ai-input': 'input of models', search: 'search', bots: 'automated use' };

export default function tool({ aiweb }) {
  let last = null;

  function update() {
    const [file, agent, url] = ['robots-file', 'robots-agent', 'robots-url'].map((id) => $(id).value);
    last?.free();
    last = null;
    try {
      last = new aiweb.Robots(file);
      show(file, agent, last.decide(agent, url), last.contents());
    } catch (error) {
      verdict($('robots-verdict'), 'bad', error.message);
    }
  }

  function show(file, agent, answer, contents) {
    const { rule } = answer;
    verdict($('robots-verdict'), answer.allowed ? 'good' : 'bad', answer.allowed ? 'Allowed. ' : 'Disallowed. ',
      rule ? h('span', {}, `Line ${rule.line} decides: `, h('code', {}, `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}`)) : REASONS[answer.reason] ?? answer.reason,
      h('div', {}, 'Compared with the rules: ', h('code', {}, answer.path), answer.crawlDelay === null ? '' : `. It asks for ${answer.crawlDelay} s between requests.`));
    const odd = new Map(contents.findings.map((finding) => [finding.line, finding]));
    const group = rule ? contents.groups[rule.group] : null;
    const mine = new Set(group?.lines ?? []);
    const lines = file.split(/\r\n|\r|\n/);
    if (lines.at(-1) === '') lines.pop();
    const items = lines.map((line, index) => {
      const number = index + 1;
      const decides = rule?.line === number;
      const kind = decides ? `decides-${rule.allow ? 'yes' : 'no'}` : odd.has(number) ? 'odd' : mine.has(number) ? 'mine' : null;
      return h('li', { class: kind, title: odd.get(number)?.message }, line, decides && h('span', { class: 'tag' }, 'decides'));
    });
    $('robots-lines').replaceChildren(...items);
    const lit = $('robots-lines').querySelector('[class^=decides]');
    if (lit) $('robots-lines').scrollTop = lit.offsetTop - $('robots-lines').clientHeight / 2;
    const { usage, signals, ceiling } = answer.preferences;
    const row = (by) => ([use, yes]) => h('tr', {}, h('td', {}, by), h('td', {}, h('code', {}, use), CATEGORIES[use] ? ` ${CATEGORIES[use]}` : ''), h('td', {}, yes ? 'yes' : 'no'));
    const rows = [...usage.map(row('Content-Usage (AIPREF)')), ...signals.map(row('Content-Signal'))];
    if (ceiling) rows.push(h('tr', {}, h('td', {}, 'Content-Signal'), h('td', {}, h('code', {}, 'use')), h('td', {}, `${ceiling} at most`)));
    $('robots-prefs').tBodies[0].replaceChildren(...(rows.length ? rows : [h('tr', {}, h('td', { class: 'nothing', colspan: '3' }, 'The file says nothing about use of this page.'))]));
    findings($('robots-findings'), contents.findings, (finding) => {
      const before = lines.slice(0, finding.line - 1).join('\n').length + (finding.line > 1 ? 1 : 0);
      select($('robots-file'), before, before + lines[finding.line - 1].length);
    });
  }

  return { empty: { file: '', agent: 'AIWebIndex', url: 'https://example.com/' }, update };
}
