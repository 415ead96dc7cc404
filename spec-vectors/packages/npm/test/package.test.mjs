// The installed package: its data is whole, and its check notices what is wrong. Run with `node --test`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Refused, cases, check, requirements, sets } from 'aiweb-vectors';

test('the data is whole', () => {
  const all = [...sets().values()].flat();
  assert.ok(all.length > 3000);
  assert.equal(new Set(all.map((one) => one.id)).size, all.length);
  const known = new Set(requirements().map((row) => row.id));
  const unknown = all.flatMap((one) => one.requirements).filter((id) => !id.startsWith('RFC ') && !known.has(id));
  assert.deepEqual(unknown, []);
  for (const one of all) assert.equal((one.ok === undefined) + (one.err === undefined), 1, one.id);
});

test('right answers pass and wrong ones do not', async () => {
  const expected = new Map(cases('tct.canonicalize').map((one) => [JSON.stringify(one.input), one]));
  const right = (input) => {
    const one = expected.get(JSON.stringify(input));
    if (one.err !== undefined) throw new Refused(one.err);
    return one.ok;
  };
  const report = await check({ 'tct.canonicalize': right });
  assert.deepEqual([report.passed, report.failures], [expected.size, []]);
  const refused = [...expected.values()].filter((one) => one.err !== undefined).length;
  const wrong = await check({ 'tct.canonicalize': (input) => ({ ...right(input), json_b64: 0 }) });
  assert.deepEqual([wrong.passed, wrong.failures.length], [refused, expected.size - refused]);
});

test('an unknown operation is said', async () => {
  await assert.rejects(check({ 'tct.fly': (input) => input }), RangeError);
});

test('the runner runs', () => {
  const echo = "require('readline').createInterface({input: process.stdin}).on('line', (l) => "
    + "console.log(JSON.stringify({id: JSON.parse(l).id, err: {kind: 'unknown-op'}})))";
  const bin = createRequire(import.meta.url).resolve('aiweb-vectors').replace('index.js', 'bin.js');
  const run = spawnSync(process.execPath, [bin, '--only', 'tct.seal', process.execPath, '-e', echo], { encoding: 'utf8' });
  assert.match(run.stdout, /^0 passed, 0 failed, \d+ skipped\n$/, run.stderr);
  assert.equal(run.status, 1);
  const missing = spawnSync(process.execPath, [bin, 'no-such-program-here'], { encoding: 'utf8' });
  assert.equal(missing.status, 2);
});
