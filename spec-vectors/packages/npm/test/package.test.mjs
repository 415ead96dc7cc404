// The installed package: its data is whole, and its check notices what is wrong. Run with `node --test`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Refused, cases, check, explain, operations, requirements, sets } from 'aiweb-vectors';

test('the data is whole', () => {
  const all = [...sets().values()].flat();
  assert.ok(all.length > 3000);
  assert.equal(new Set(all.map((one) => one.id)).size, all.length);
  const known = new Set(requirements().map((row) => row.id));
  const unknown = all.flatMap((one) => one.requirements).filter((id) => !id.startsWith('RFC ') && !known.has(id));
  assert.deepEqual(unknown, []);
  const described = new Set(operations().map((one) => one.op));
  assert.deepEqual(all.filter((one) => !described.has(one.op)), []);
  for (const one of all) {
    assert.equal((one.ok === undefined) + (one.err === undefined), 1, one.id);
    assert.ok(one.comment && one.spec && ['text', 'reading', 'limit', 'errata'].includes(one.basis), one.id);
  }
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
  const wrong = await check({ 'tct.canonicalize': (input) => ({ ...right(input), json_b64: 0 }) }, { count: ['text', 'reading', 'limit', 'errata'] });
  assert.deepEqual([wrong.passed, wrong.failures.length], [refused, expected.size - refused]);
});

test('what is thrown is the failure of its case', async () => {
  const report = await check({
    'tct.normalize': ({ text }) => {
      if (text.includes('&')) throw new TypeError('no references here');
      return { text };
    },
  });
  const thrown = report.failures.filter((failure) => failure.exception instanceof TypeError);
  assert.ok(thrown.length > 0);
  assert.match(String(thrown[0]), /found {5}an error of kind TypeError: threw TypeError: no references here/);
});

test('a failure tells its story', async () => {
  const report = await check({ 'tct.normalize': ({ text }) => ({ text: text.toLowerCase() }) });
  assert.ok(report.differing.every((failure) => failure.case.basis !== 'text'));
  const told = String(report.failures[0]);
  for (const label of ['why', 'input', 'expected', 'found', 'differs   /text: at character', 'rule', 'where']) {
    assert.ok(told.includes(`\n  ${label}`), `${label}: ${told}`);
  }
  const hidden = cases('tct.normalize').find((one) => one.input.text.includes('\u00a0'));
  assert.ok(explain(hidden).includes('\\u00a0'), explain(hidden));
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
  const dying = "require('readline').createInterface({input: process.stdin}).on('line', (l) => { const r = JSON.parse(l);"
    + " if (r.id === 'robots-rfc9309-simple-3') process.exit(3);"
    + " process.stdout.write(JSON.stringify({id: r.id, err: {kind: 'unknown-op'}}) + '\\n') })";
  const died = spawnSync(process.execPath, [bin, '--only', 'robots.allowed', process.execPath, '-e', dying], { encoding: 'utf8' });
  assert.match(died.stdout, /^robots-rfc9309-simple-3 {2}[^]*the program ended with status 3 at this case[^]*\n0 passed, 1 failed, \d+ skipped\n$/);
  const told = spawnSync(process.execPath, [bin, '--explain', 'tct-fingerprint-form-feed-joins-words'], { encoding: 'utf8' });
  assert.match(told.stdout, /TCT-FP-5 \(MUST/);
  const missing = spawnSync(process.execPath, [bin, 'no-such-program-here'], { encoding: 'utf8' });
  assert.equal(missing.status, 2);
});
