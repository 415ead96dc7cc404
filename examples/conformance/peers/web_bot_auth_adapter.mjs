// The npm package `web-bot-auth` behind our line protocol: whether the one signature of a request is valid.
//
//     npm install web-bot-auth
//     ../../../spec-vectors/run.py --only wba.verify node web_bot_auth_adapter.mjs
//
// It takes a request and a key: finding the agent, its directory and the key in it, and a server's policy, are the caller's.
// So it is asked only where all of that is plain: one signature, one directory that holds the key, no policy.
import { createInterface } from 'node:readline';
import { jwkToKeyID, helpers, verify } from 'web-bot-auth';
import { verifierFromJWK } from 'web-bot-auth/crypto';

// It compares times with the system's clock: that one stands still at the time of the case.
let now = 0;
const SystemDate = Date;
globalThis.Date = class extends SystemDate {
  constructor(...given) {
    super(...(given.length > 0 ? given : [now]));
  }

  static now() {
    return now;
  }
};

const plain = new Set(['message', 'now_s', 'directories']);
const field = (message, name) => message.headers.filter(([found]) => found.toLowerCase() === name).map(([, value]) => value).join(', ');

async function key(input, keyid) {
  const { keys } = JSON.parse(Buffer.from(input.directories[0].body_b64, 'base64').toString('utf8'));
  for (const jwk of keys) {
    const id = await jwkToKeyID(jwk, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE).catch(() => null);
    if (id === keyid && jwk.crv === 'Ed25519') return jwk;
  }
  return null;
}

async function answer({ id, op, in: input }) {
  const none = { id, err: { kind: 'unknown-op', message: 'this peer has no such operation' } };
  if (op !== 'wba.verify' || !Object.keys(input).every((name) => plain.has(name))) return none;
  if (input.directories?.length !== 1 || input.directories[0].status !== 200) return none;
  const inputs = field(input.message, 'signature-input');
  if ((inputs.match(/=\(/g) ?? []).length !== 1) return none;
  const keyid = inputs.match(/;keyid="([^"]*)"/)?.[1];
  let jwk;
  try {
    jwk = await key(input, keyid);
  } catch {
    return none;
  }
  if (!jwk) return none;
  now = input.now_s * 1000;
  const { method, url, headers } = input.message;
  try {
    await verify(new Request(url, { method, headers }), await verifierFromJWK(jwk));
    return { id, ok: { valid: [true] } };
  } catch (error) {
    return { id, ok: { valid: [false], why: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') console.log(JSON.stringify(await answer(JSON.parse(line))));
}
