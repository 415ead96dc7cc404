// The npm packages `http-message-sig` and `http-message-signatures` (RFC 9421) behind our line protocol: signature bases,
// and whether the one signature of a message is valid.
//
//     npm install http-message-sig http-message-signatures
//     ../../../spec-vectors/run.py --only httpsig. --any-error node http_signatures_adapter.mjs [http-message-signatures]
//
// Neither has a function for a base alone, but both hand it to the caller's verifier: the message is given a signature of
// zeros, and what the verifier gets is the base. Neither reads HTTP: what no HTTP library would hand to them, such as a
// method that is not a token or a field value with a line break, is not asked, and an empty path is the slash that is sent
// for it. What `http-message-sig` says that it does not support is not asked either.
import { createInterface } from 'node:readline';

const packages = { 'http-message-sig': perDescriptor, 'http-message-signatures': perRecord };
const check = await packages[process.argv[2] ?? 'http-message-sig']();

/** Calls `http-message-sig`: it takes lines in order, and a clock. */
async function perDescriptor() {
  const { verifySignature } = await import('http-message-sig');
  const fieldsOf = (lines = []) => lines.map(([name, value]) => ({ name, value }));
  const described = ({ method, url, target, status, headers, trailers, request }) => ({
    fields: fieldsOf(headers),
    trailers: fieldsOf(trailers),
    ...(status === undefined
      ? { kind: 'request', method, targetUri: url, requestTarget: target }
      : { kind: 'response', status, request: request && described(request) }),
  });
  return async (message, now, verify, keyid) => {
    const policy = { algorithms: ['ed25519'], requiredComponents: [], requiredParameters: [], clockSkew: 60, now };
    await verifySignature(described(message), {
      policy,
      resolveVerifier: ({ parameters }) => {
        if (keyid !== undefined && parameters.keyid !== keyid) throw new Error('another key');
        return { algorithm: 'ed25519', verify };
      },
    });
    return true;
  };
}

/** Calls `http-message-signatures`: it takes a record of fields, and the system's clock, which stands still here. */
async function perRecord() {
  const { httpbis } = (await import('http-message-signatures')).default;
  const SystemDate = Date;
  const recordOf = (lines) => {
    const record = {};
    for (const [name, value] of lines) (record[name.toLowerCase()] ??= []).push(value);
    return record;
  };
  const plain = ({ method, url, status, headers }) =>
    status === undefined ? { method, url, headers: recordOf(headers) } : { status, headers: recordOf(headers) };
  return async (message, now, verify, keyid) => {
    if (message.trailers || message.target) return null; // it has neither
    globalThis.Date = class extends SystemDate {
      static now() {
        return now * 1000;
      }
    };
    const keyLookup = async (found) => (keyid === undefined || found.keyid === keyid ? { algs: ['ed25519'], verify } : null);
    return (await httpbis.verifyMessage({ keyLookup, tolerance: 60 }, plain(message), message.request && plain(message.request))) === true;
  };
}

/** Whether an HTTP library could have handed this over. */
function isOfHttp({ method = 'GET', headers, trailers = [], request }) {
  const isValue = ([, value]) => typeof value === 'string' && !/[\0\r\n]/.test(value);
  const isToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method);
  return isToken && [...headers, ...trailers].every(isValue) && (!request || isOfHttp(request));
}

function asSent(message, more = []) {
  const url = message.url?.replace(/^(https?:\/\/[^/?#]*)(?=[?#]|$)/i, '$1/');
  return { ...message, url, headers: [...message.headers, ...more], request: message.request && asSent(message.request) };
}

const timeIn = (text) => Number(text.match(/;created=(\d+)/)?.[1] ?? 0);

async function base({ message, params }) {
  let found = null;
  const more = [['Signature-Input', `s=${params}`], ['Signature', `s=:${Buffer.alloc(64).toString('base64')}:`]];
  const took = await check(asSent(message, more), timeIn(params), async (data) => {
    found = Buffer.from(data).toString();
    return true;
  });
  if (took !== null && found === null) throw new Error('no base');
  return took === null ? null : { base: found };
}

async function valid({ message, keys, now_s, require }) {
  const inputs = message.headers.filter(([name]) => name.toLowerCase() === 'signature-input').map(([, value]) => value).join(', ');
  // One signature, one key of Ed25519 that is for nothing else, no demands: the rest is the caller's.
  if (require || keys.length !== 1 || Object.keys(keys[0].jwk).some((name) => !['kty', 'crv', 'x'].includes(name))) return null;
  if (keys[0].jwk.crv !== 'Ed25519' || (inputs.match(/=\(/g) ?? []).length !== 1) return null;
  const { keyid, jwk } = keys[0];
  try {
    const key = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, 'Ed25519', false, ['verify']);
    const verify = (data, signature) => crypto.subtle.verify('Ed25519', key, signature, data);
    const took = await check(asSent(message), now_s ?? timeIn(inputs), verify, keyid);
    return took === null ? null : { valid: [took] };
  } catch (error) {
    if (error.code === 'UnsupportedFeature') throw error;
    return { valid: [false], why: error.message };
  }
}

const operations = { 'httpsig.base': base, 'httpsig.verify': valid };

async function answer({ id, op, in: input }) {
  const none = { id, err: { kind: 'unknown-op', message: 'this peer has no such operation' } };
  if (!operations[op] || !isOfHttp(input.message)) return none;
  try {
    const ok = await operations[op](input);
    return ok ? { id, ok } : none;
  } catch (error) {
    return error.code === 'UnsupportedFeature' ? none : { id, err: { kind: error.name.toLowerCase(), message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') console.log(JSON.stringify(await answer(JSON.parse(line))));
}
