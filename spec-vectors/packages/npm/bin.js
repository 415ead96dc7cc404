#!/usr/bin/env node
// Runs the vectors against a program that speaks the line protocol, or tells what a case asks for:
//   aiweb-vectors [--only PREFIX] [--any-error] [--count BASES] PROGRAM [ARG...]
//   aiweb-vectors --explain ID
// Exit status: 0 nothing counted failed, 1 something did, 2 the program could not be run or does not speak the protocol.
// JUnit, TAP and the stories of several steps are in run.py, of the repository and of the Python package.
import { spawnSync } from 'node:child_process';
import { explain, passes, sets } from './index.js';

const args = process.argv.slice(2);
const bases = ['text', 'reading', 'limit', 'errata'];
let [only, anyError, count, wanted] = ['', false, ['text'], undefined];
const stop = (message) => {
  console.error(`aiweb-vectors: ${message}`);
  process.exit(2);
};
while (args[0]?.startsWith('--')) {
  const option = args.shift();
  if (option === '--only') only = args.shift() ?? '';
  else if (option === '--any-error') anyError = true;
  else if (option === '--count') count = args[0] === 'all' ? (args.shift(), bases) : (args.shift() ?? '').split(',');
  else if (option === '--explain') wanted = args.shift() ?? '';
  else stop(`there is no option ${option}`);
}
if (!count.every((basis) => bases.includes(basis))) stop(`--count takes all, or some of ${bases.join(', ')}`);
const every = [...sets().values()].flat();
if (wanted !== undefined) {
  const one = every.find((other) => other.id === wanted);
  if (one === undefined) stop(`there is no case ${wanted}`);
  console.log(explain(one));
  process.exit(0);
}
if (args.length === 0) stop('expected a program to test');
const asked = every.filter((one) => one.op.startsWith(only));
if (asked.length === 0) stop(`no operation begins with ${only}`);

const answers = new Map();
const ids = new Set(asked.map((one) => one.id));
// A program that ends early is started again behind the case that it was at.
let [left, idle] = [asked, 0];
for (let start = 1; left.length > 0; start += 1) {
  const input = left.map((one) => `${JSON.stringify({ id: one.id, op: one.op, in: one.input })}\n`).join('');
  const run = spawnSync(args[0], args.slice(1), { input, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'inherit'] });
  if (run.error && run.error.code !== 'EPIPE') stop(`cannot run ${args[0]}: ${run.error.message}`);
  const lines = run.stdout.toString().split('\n');
  if (run.status !== 0) lines.pop(); // what a program that was ended left unfinished
  const before = answers.size;
  for (const line of lines.filter((text) => text.trim() !== '')) {
    let answer;
    try {
      answer = JSON.parse(line);
    } catch {
      stop(`this line of the program's output is not JSON: ${line.slice(0, 120)}`);
    }
    if (typeof answer?.id !== 'string' || ('ok' in answer) === ('err' in answer)) {
      stop(`this line of the program's output is not an answer: ${line.slice(0, 120)}`);
    }
    if (!ids.has(answer.id)) stop(`this line of the program's output answers an id that was not asked: ${line.slice(0, 120)}`);
    answers.set(answer.id, answer);
  }
  if (run.status === 0) break;
  const ended = run.status === null ? `was ended by ${run.signal}` : `ended with status ${run.status}`;
  const [at, ...rest] = left.filter((one) => !answers.has(one.id));
  if (at === undefined) break;
  idle = answers.size > before ? 0 : idle + 1;
  answers.set(at.id, { id: at.id, ended: `the program ${ended} at this case, after ${answers.size - before} answers` });
  left = rest;
  if (idle === 3 || start === 20) {
    for (const one of left) answers.set(one.id, { id: one.id, ended: `not asked: the program ${ended}, after ${start} starts` });
    break;
  }
}
let [passed, skipped] = [0, 0];
const [failed, differing] = [[], []];
for (const one of asked) {
  const answer = answers.get(one.id) ?? { ended: 'no answer' };
  if (answer.err?.kind === 'unknown-op') skipped += 1;
  else if (answer.ended === undefined && passes(one, answer, anyError)) passed += 1;
  else (count.includes(one.basis) ? failed : differing).push([one, answer]);
}
const line = ([one, answer]) => `${one.set} ${one.id}: ${answer.ended ?? JSON.stringify(answer).slice(0, 300)}`;
for (const [one, answer] of failed.slice(0, 20)) console.log(`${explain(one, answer)}\n`);
for (const each of failed.slice(20)) console.log(line(each));
if (differing.length > 0) {
  console.log(`not counted, since the specification does not decide them: ${differing.length} that differ (--count all counts them)`);
  for (const each of differing.slice(0, 20)) console.log(`  ${each[0].basis}: ${line(each)}`);
}
console.log(`${passed} passed, ${failed.length} failed, ${skipped} skipped`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
