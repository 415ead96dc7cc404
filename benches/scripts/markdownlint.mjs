// Runs markdownlint's default rules over the snapshots of aidocument-extract's pages, and counts what they find.
//
//     npm install markdownlint@0.40.0 && node benches/scripts/markdownlint.mjs [ROWS]
//
// Rules about what a page itself says are told and do not fail: how long its lines are (MD013: a paragraph is a line), tabs in
// its code (MD010), which headings it has (MD001, MD024, MD025, MD026, MD036, MD041), languages that no highlighter noted (MD040),
// images without words (MD045), what its links say (MD034, MD059). All others are about how Markdown is written, and must find nothing.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.cwd() + '/');
const { lint } = await import(pathToFileURL(require.resolve('markdownlint/sync')));
const OF_THE_PAGE = /^MD(001|010|013|024|025|026|034|036|040|041|045|059)$/;
const folder = new URL('../../crates/aidocument-extract/tests/it/snapshots/', import.meta.url);
const strings = {};
for (const name of readdirSync(folder).filter((name) => name.includes('__pages__'))) {
  const text = readFileSync(new URL(name, folder), 'utf8');
  strings[name] = text.slice(text.indexOf('\n---\n', 4) + 5).trimEnd() + '\n';
}
const found = {};
for (const [name, errors] of Object.entries(lint({ strings }))) {
  for (const error of errors) {
    const place = `${name}:${error.lineNumber} ${error.errorDetail ?? ''} ${error.errorContext ?? ''}`;
    (found[error.ruleNames.join(' ')] ??= []).push(place);
  }
}
let failed = false;
for (const [rule, places] of Object.entries(found).sort()) {
  const ofPage = OF_THE_PAGE.test(rule.split(' ')[0]);
  failed ||= !ofPage;
  console.log(`${rule}: ${places.length}${ofPage ? ", of the page's own" : ''}`);
  for (const place of places.slice(0, Number(process.argv[2] ?? 0))) console.log(`    ${place}`);
}
console.log(`${Object.keys(strings).length} snapshots`);
process.exit(failed ? 1 : 0);
