// Workers on workerd: the platform compiles the module beforehand.
import module from './aiweb_bg.wasm';
import { initSync } from './aiweb.js';

initSync({ module });
export * from './aiweb.js';
