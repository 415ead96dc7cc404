// Node: the module is read from the package, once.
import { readFileSync } from 'node:fs';
import { initSync } from './aiweb.js';

initSync({ module: readFileSync(new URL('aiweb_bg.wasm', import.meta.url)) });
export * from './aiweb.js';
