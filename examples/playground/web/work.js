// Questions to the worker, and texts as part of a link.

let worker = null;
const waiting = new Map();
let last = 0;

/** A worker; after an error the next question starts another. */
function start() {
  const one = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  one.addEventListener('message', ({ data: { id, answer, error } }) => {
    const { done, fail } = waiting.get(id);
    waiting.delete(id);
    if (error) fail(error);
    else done(answer);
  });
  one.addEventListener('error', (event) => {
    one.terminate();
    worker = null;
    const failed = [...waiting.values()];
    waiting.clear();
    for (const { fail } of failed) fail({ message: event.message || 'the worker did not start' });
  });
  return one;
}

/** The answer of a job; rejects with a plain object that has `message` and what else an `AiwebError` has. */
export function ask(job, input) {
  return new Promise((done, fail) => {
    const id = ++last;
    waiting.set(id, { done, fail });
    worker ??= start();
    worker.postMessage({ id, job, input });
  });
}

/** Longer texts are not unpacked: a link may be made to hold gigabytes. */
const MOST = 16_000_000;

const through = (bytes, transform) => new Blob([bytes]).stream().pipeThrough(transform);

/** A state as characters for a fragment: JSON, deflated, in base64url. */
export async function pack(state) {
  const packed = new Uint8Array(await new Response(through(JSON.stringify(state), new CompressionStream('deflate-raw'))).arrayBuffer());
  let binary = '';
  for (let at = 0; at < packed.length; at += 0x8000) binary += String.fromCharCode(...packed.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The state of a fragment; `null` where it is none. */
export async function unpack(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    const reader = through(bytes, new DecompressionStream('deflate-raw')).getReader();
    const chunks = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > MOST) return null;
      chunks.push(next.value);
    }
    const state = JSON.parse(await new Blob(chunks).text());
    const isState = state !== null && typeof state === 'object' && Object.values(state).every((value) => typeof value === 'string');
    return isState ? state : null;
  } catch {
    return null;
  }
}
