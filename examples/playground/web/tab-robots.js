// robots.txt: verdict, the line that decides, preferences, lint.

import { $, findings, h, prose, select, verdict } from './ui.js';

const REASONS = {
  'no-rule': 'No rule of the groups that speak to it matches.',
  'no-group': 'No group of the file speaks to it.',
  'robots-txt': 'The file itself may always be fetched.',
  'not-a-path': 'This is neither a path nor an address with a scheme, so no rule can be compared with it.',
};
const CATEGORIES = { 'train-ai': 'training models', 'ai-train': 'training models', 'ai-use': 'use by models', 'ai-input': 'input of models', search: 'search', bots: 'automated use' };

/** Crawlers that sites write rules about. */
const AGENTS = ['AIWebIndex', 'Googlebot', 'Google-Extended', 'bingbot', 'GPTBot', 'OAI-SearchBot', 'ChatGPT-User', 'ClaudeBot', 'Claude-User', 'Claude-SearchBot',
  'PerplexityBot', 'Perplexity-User', 'CCBot', 'Applebot', 'Applebot-Extended', 'Amazonbot', 'Bytespider', 'meta-externalagent', 'DuckDuckBot', 'YandexBot'];
/** Products of browsers, which crawlers put in front of their own name. */
const BROWSERS = new Set(['mozilla', 'applewebkit', 'chrome', 'safari', 'gecko', 'firefox', 'version', 'mobile', 'edg', 'opr']);

/** The names in a whole `User-Agent`; `null` for a name alone, as robots.txt has it. */
function namesOf(agent) {
  if (/^[\w*-]*$/.test(agent.trim())) return null;
  const names = agent.match(/[A-Za-z][\w-]*(?=\/)/g) ?? agent.match(/[A-Za-z][\w-]*[Bb]ot\b/g) ?? [];
  return [...new Set(names)].filter((name) => !BROWSERS.has(name.toLowerCase()));
}

/** More lines than this are not drawn. */
const MOST = 2000;

export default function tool() {
  $('robots-agents').replaceChildren(...AGENTS.map((name) => h('option', { value: name })));

  function input() {
    const [file, agent, url] = ['robots-file', 'robots-agent', 'robots-url'].map((id) => $(id).value);
    const names = namesOf(agent);
    return { file, url, agent: names ? null : agent.trim(), names, agents: AGENTS };
  }

  function choose(name) {
    $('robots-agent').value = name;
    // As if it had been typed.
    $('robots-agent').dispatchEvent(new Event('input', { bubbles: true }));
  }

  function fault(error) {
    for (const id of ['robots-lines', 'robots-findings']) $(id).replaceChildren();
    $('robots-file').mark([]);
    for (const id of ['robots-prefs', 'robots-all']) $(id).tBodies[0].replaceChildren();
    verdict($('robots-verdict'), 'bad', ...prose(error.message));
  }

  function show({ verdict: answer, contents, told }, { file, agent, names }) {
    const why = ({ rule, reason }) => (rule ? `line ${rule.line}` : REASONS[reason] ?? reason);
    $('robots-all').tBodies[0].replaceChildren(...told.map(([name, one]) => h('tr', { class: name === agent ? 'chosen' : null },
      h('td', {}, h('button', { type: 'button', class: 'plain', onclick: () => choose(name) }, name)), h('td', {}, one.allowed ? 'allowed' : 'disallowed'), h('td', {}, why(one)))));
    const rule = answer?.rule;
    if (answer === null) {
      verdict($('robots-verdict'), 'warn', 'This is a whole User-Agent. ', 'A robots.txt file speaks to crawlers by their name alone, and no group would be found by this text. ',
        ...(names.length ? ['Ask for ', ...names.slice(0, 5).map((name) => h('button', { type: 'button', onclick: () => choose(name) }, name))] : ['Enter a name, such as GPTBot.']));
    } else {
      verdict($('robots-verdict'), answer.allowed ? 'good' : 'bad', answer.allowed ? 'Allowed. ' : 'Disallowed. ',
        rule ? h('span', {}, `Line ${rule.line} decides: `, h('code', {}, `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}`), '. Of the rules that match, it is the longest.') : REASONS[answer.reason] ?? answer.reason,
        h('div', {}, 'Compared with the rules: ', h('code', {}, answer.path), answer.crawlDelay === null ? '' : `. It asks for ${answer.crawlDelay} s between requests.`));
    }
    const odd = new Map(contents.findings.map((finding) => [finding.line, finding]));
    const group = rule ? contents.groups[rule.group] : null;
    const mine = new Set(group?.lines ?? []);
    const lines = file.split(/\r\n|\r|\n/);
    if (lines.at(-1) === '') lines.pop();
    // Those around the line that decides, where it is further down.
    const first = rule && rule.line > MOST ? rule.line - MOST / 2 : 0;
    const items = lines.slice(first, first + MOST).map((line, index) => {
      const number = first + index + 1;
      const decides = rule?.line === number;
      const kind = decides ? `decides-${rule.allow ? 'yes' : 'no'}` : odd.has(number) ? 'odd' : mine.has(number) ? 'mine' : null;
      return h('li', { class: kind, title: odd.get(number)?.message }, line, decides && h('span', { class: 'tag' }, 'decides'));
    });
    $('robots-lines').style.counterReset = `line ${first}`;
    if (lines.length > MOST) items.push(h('li', { class: 'more' }, `Of ${lines.length.toLocaleString('en')} lines ${MOST.toLocaleString('en')} are shown.`));
    $('robots-lines').replaceChildren(...items);
    const lit = $('robots-lines').querySelector('[class^=decides]');
    if (lit) $('robots-lines').scrollTop = lit.offsetTop - $('robots-lines').clientHeight / 2;
    const { usage, signals, ceiling } = answer?.preferences ?? { usage: [], signals: [], ceiling: null };
    const row = (by) => ([use, yes]) => h('tr', {}, h('td', {}, by), h('td', {}, h('code', {}, use), CATEGORIES[use] ? ` ${CATEGORIES[use]}` : ''), h('td', {}, yes ? 'yes' : 'no'));
    const rows = [...usage.map(row('Content-Usage (AIPREF)')), ...signals.map(row('Content-Signal'))];
    if (ceiling) rows.push(h('tr', {}, h('td', {}, 'Content-Signal'), h('td', {}, h('code', {}, 'use')), h('td', {}, `${ceiling} at most`)));
    $('robots-prefs').tBodies[0].replaceChildren(...(rows.length ? rows : [h('tr', {}, h('td', { class: 'nothing', colspan: '3' }, 'The file says nothing about use of this page.'))]));
    const starts = [0];
    for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
    const found = contents.findings.map((finding) => ({ ...finding, from: starts[finding.line - 1], to: starts[finding.line] - 1 }));
    const decides = rule ? [{ from: starts[rule.line - 1], to: starts[rule.line] - 1, severity: 'notice', message: `This line decides: ${answer.allowed ? 'allowed' : 'disallowed'}.` }] : [];
    $('robots-file').mark([...found, ...decides]);
    findings($('robots-findings'), found, ({ from, to }) => select($('robots-file'), from, to));
  }

  return { empty: { file: '', agent: 'AIWebIndex', url: 'https://example.com/' }, job: 'robots', input, show, fault };
}
