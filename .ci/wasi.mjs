// Runs a test program for wasm32-wasip1: `node wasi.mjs PROGRAM [ARGUMENT…]`.
import { readFileSync } from 'node:fs';
import { argv, cwd, env, exit } from 'node:process';
import { WASI } from 'node:wasi';

const [program, ...args] = argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env, preopens: { '/': '/', '.': cwd() } });
const module = await WebAssembly.compile(readFileSync(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
exit(wasi.start(instance));
