// The package as others take it: packed by npm, then with four bundlers, TypeScript and `require`. Each bundle runs in a browser.
import { after, before, test } from 'node:test';
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserPath, launch } from './browser.mjs';
import { serve } from '../serve.mjs';

const DIST = fileURLToPath(new URL('../dist/npm/', import.meta.url));
const PARTS = { '': 'extract', '/checks': 'Robots', '/core': 'fingerprint' };
let folder;
let installed;
let packed;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'aiweb-pack-'));
  const [told] = JSON.parse(execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: DIST, encoding: 'utf8' }));
  packed = told;
  installed = join(folder, 'node_modules/@aiweb-rs/aiweb');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, told.filename), '-C', installed, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  writeFileSync(join(folder, 'app.js'), `import { fingerprint, extract } from '@aiweb-rs/aiweb';
    document.title = fingerprint('tea').slice(0, 7) + extract('<title>Tea</title><p>x').title;`);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta charset=utf-8><title>waits</title><link rel=icon href=data:,><script type=module src=app.js></script>');
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('`npm pack` holds what a user needs, and nothing else', () => {
  const files = packed.files.map(({ path }) => path).sort();
  const part = (name) => ['aiweb.cjs', 'aiweb.js', 'aiweb_bg.wasm', 'browser.js', 'index.d.cts', 'index.d.ts', 'node.js', 'worker.js'].map((file) => `${name}${file}`);
  deepStrictEqual(files, [...part(''), ...part('core/'), ...part('checks/'), 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json',
    'example/negotiate.d.ts', 'example/negotiate.js', 'example/worker.js'].sort());
  console.log(`npm pack: ${files.length} files, ${Math.round(packed.size / 1000)} kB, ${Math.round(packed.unpackedSize / 1000)} kB unpacked`);
});

test('what loads the module is not public', async () => {
  for (const part of ['', 'checks/', 'core/']) {
    const names = Object.keys(await import(join(installed, part, 'node.js')));
    ok(!names.includes('initSync') && !names.includes('default'), names.join());
    ok(!/initSync|InitInput/.test(readFileSync(join(installed, part, 'index.d.ts'), 'utf8')));
  }
  const use = (path) => execFileSync(process.execPath, ['--input-type=module', '-e', `await import('@aiweb-rs/aiweb/${path}').then(() => process.exit(1), ({ code }) => console.log(code))`], { cwd: folder, encoding: 'utf8' }).trim();
  strictEqual(use('aiweb.js'), 'ERR_PACKAGE_PATH_NOT_EXPORTED');
});

test('import and require give the same names and answers', () => {
  for (const [part, name] of Object.entries(PARTS)) {
    const run = (code, type) => execFileSync(process.execPath, [`--input-type=${type}`, '-e', code], { cwd: folder, encoding: 'utf8' });
    const told = 'console.log(Object.keys(aiweb).filter((name) => !name.startsWith("__") && name !== "default" && name !== "module.exports").sort().join(), aiweb.fingerprint("tea"))';
    const required = run(`const aiweb = require('@aiweb-rs/aiweb${part}'); ${told}`, 'commonjs');
    strictEqual(required, run(`import * as aiweb from '@aiweb-rs/aiweb${part}'; ${told}`, 'module'));
    ok(required.includes(name));
  }
});

test('publint and arethetypeswrong have nothing to say', async (context) => {
  let lint;
  let types;
  try {
    [lint, types] = await Promise.all([import('publint'), import('@arethetypeswrong/core')]);
  } catch {
    return context.skip('publint and @arethetypeswrong/core are not installed (npm ci)');
  }
  const { messages } = await lint.publint({ pkgDir: DIST, pack: false, strict: true });
  deepStrictEqual(messages.map(({ code, path }) => `${code} ${path}`), []);
  const { problems } = await types.checkPackage(types.createPackageFromTarballData(readFileSync(join(folder, packed.filename))));
  // `node10` is TypeScript's resolution before it knew `exports`: the small entries have none there.
  // `negotiate` is an ES module alone.
  const left = problems.filter(({ resolutionKind, entrypoint }) => resolutionKind !== 'node10' && entrypoint !== './negotiate');
  deepStrictEqual(left, []);
});

const BUNDLERS = {
  async esbuild() {
    const { build } = await import('esbuild');
    await build({ entryPoints: [join(folder, 'app.js')], outfile: join(folder, 'esbuild/app.js'), bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' });
    // esbuild leaves `new URL(…, import.meta.url)` as it is: the module goes beside the bundle.
    copyFileSync(join(installed, 'aiweb_bg.wasm'), join(folder, 'esbuild/aiweb_bg.wasm'));
    copyFileSync(join(folder, 'index.html'), join(folder, 'esbuild/index.html'));
    return 'esbuild';
  },
  async vite() {
    const { build } = await import('vite');
    await build({ root: folder, logLevel: 'error', build: { outDir: 'vite', target: 'es2022' }, configFile: false });
    return 'vite';
  },
  async webpack() {
    const { default: webpack } = await import('webpack');
    const config = { mode: 'production', context: folder, entry: './app.js', output: { path: join(folder, 'webpack'), filename: 'app.js', publicPath: 'auto' }, performance: false };
    await new Promise((done, fail) => webpack(config, (error, stats) => (error || stats.hasErrors() ? fail(error ?? new Error(stats.toString('errors-only'))) : done())));
    copyFileSync(join(folder, 'index.html'), join(folder, 'webpack/index.html'));
    return 'webpack';
  },
  async rollup() {
    const [{ rollup }, { importMetaAssets }] = await Promise.all([import('rollup'), import('@web/rollup-plugin-import-meta-assets')]);
    const resolve = { name: 'resolve', resolveId: (id) => (id === '@aiweb-rs/aiweb' ? join(installed, 'browser.js') : null) };
    const bundle = await rollup({ input: join(folder, 'app.js'), plugins: [resolve, importMetaAssets()] });
    await bundle.write({ dir: join(folder, 'rollup'), format: 'es' });
    copyFileSync(join(folder, 'index.html'), join(folder, 'rollup/index.html'));
    return 'rollup';
  },
};

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  test(`${name} bundles it, and the bundle runs`, async (context) => {
    if (!existsSync(new URL(`../node_modules/${name}`, import.meta.url))) return context.skip(`${name} is not installed (npm ci)`);
    const output = join(folder, await bundle());
    const path = browserPath();
    if (!path) return context.skip('bundled, not run: no Chromium is installed');
    const { server, origin } = await serve(output);
    const browser = await launch(path);
    try {
      const page = await browser.newPage();
      const faults = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${origin}/`);
      await page.waitForFunction(() => document.title !== 'waits', { timeout: 20_000 }).catch(() => {});
      deepStrictEqual([await page.title(), faults], ['sha256-Tea', []]);
    } finally {
      await browser.close();
      server.close();
    }
  });
}
