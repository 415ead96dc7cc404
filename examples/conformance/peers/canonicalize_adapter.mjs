// The npm packages `canonicalize` and `json-canonicalize` (RFC 8785) behind our line protocol.
//
//     npm install canonicalize json-canonicalize
//     ../../../spec-vectors/run.py --only tct.canonicalize --any-error node canonicalize_adapter.mjs [json-canonicalize]
//
// It serialises what JSON.parse gives, so repeated member names and byte order marks are gone or refused before it
// sees them: that is how it is used, and what the table in the README measures.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';

const canonicalize = process.argv[2] === 'json-canonicalize'
  ? (await import('json-canonicalize')).canonicalize
  : (await import('canonicalize')).default;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function answer({ id, op, in: input }) {
  if (op !== 'tct.canonicalize' || input.profile !== 'rfc8785') {
    return { id, err: { kind: 'unknown-op', message: 'this peer has no such operation' } };
  }
  try {
    const text = utf8.decode(Buffer.from(input.json_b64, 'base64'));
    const bytes = Buffer.from(canonicalize(JSON.parse(text)), 'utf8');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { id, ok: { json_b64: bytes.toString('base64'), sha256 } };
  } catch (error) {
    return { id, err: { kind: error.name.toLowerCase(), message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') console.log(JSON.stringify(answer(JSON.parse(line))));
}
