// Bundles the page's editor into dist/web, and puts the licences of the packages in it beside it.
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';

const { metafile } = await build({
  entryPoints: ['web/editor.js'], outfile: 'dist/web/editor.js', bundle: true, minify: true, format: 'esm', target: 'es2022', metafile: true,
  banner: { js: '/* CodeMirror and what it needs, MIT: LICENSES.txt */' },
});
const [{ inputs }] = Object.values(metafile.outputs);
const folders = new Set(Object.keys(inputs).map((path) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean));
const licences = [...folders].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return `${name} ${version}, ${license}\n\n${readFileSync(`${folder}/LICENSE`, 'utf8').trim()}\n`;
});
writeFileSync('dist/web/LICENSES.txt', licences.join('\n----\n\n'));
