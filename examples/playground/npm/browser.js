// Browsers, and bundlers that know `new URL(…, import.meta.url)`.
import init from './aiweb.js';

await init({ module_or_path: new URL('aiweb_bg.wasm', import.meta.url) });
export * from './aiweb.js';
