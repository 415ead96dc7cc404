#!/usr/bin/env node
// Runs the vectors against a program that speaks the line protocol: aiweb-vectors [--only PREFIX] [--any-error] PROGRAM [ARG...]
// Exit status: 0 all passed, 1 some failed, 2 the program could not be run or does not speak the protocol.
import { spawnSync } from 'node:child_process';
import { passes, sets } from './index.js';

const args = process.argv.slice(2);
let only = '';
let anyError = false;
while (args[0]?.startsWith('--')) {
  const option = args.shift();
  if (option === '--only') only = args.shift() ?? '';
  else if (option === '--any-error') anyError = true;
  else {
    console.error(`aiweb-vectors: there is no option ${option}`);
    process.exit(2);
  }
}
const stop = (message) => {
  console.error(`aiweb-vectors: ${message}`);
  process.exit(2);
};
if (args.length === 0) stop('expected a program to test');
const asked = [...sets().values()].flat().filter((one) => one.op.startsWith(only));
if (asked.length === 0) stop(`no operation begins with ${only}`);
const input = asked.map((one) => `${JSON.stringify({ id: one.id, op: one.op, in: one.input })}\n`).join('');
const run = spawnSync(args[0], args.slice(1), { input, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'inherit'] });
if (run.error && run.error.code !== 'EPIPE') stop(`cannot run ${args[0]}: ${run.error.message}`);

const answers = new Map();
for (const line of run.stdout.toString().split('\n').filter((text) => text.trim() !== '')) {
  let answer;
  try {
    answer = JSON.parse(line);
  } catch {
    stop(`this line of the program's output is not JSON: ${line.slice(0, 120)}`);
  }
  if (typeof answer?.id !== 'string' || ('ok' in answer) === ('err' in answer)) {
    stop(`this line of the program's output is not an answer: ${line.slice(0, 120)}`);
  }
  answers.set(answer.id, answer);
}
let [passed, failed, skipped] = [0, 0, 0];
for (const one of asked) {
  const answer = answers.get(one.id);
  if (answer?.err?.kind === 'unknown-op') skipped += 1;
  else if (answer !== undefined && passes(one, answer, anyError)) passed += 1;
  else {
    failed += 1;
    console.log(`${one.set} ${one.id}: ${answer === undefined ? 'no answer' : JSON.stringify(answer).slice(0, 300)}`);
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
