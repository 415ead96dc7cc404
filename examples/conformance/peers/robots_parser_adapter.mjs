// The npm package `robots-parser` behind our line protocol. It takes one agent and says whether a URL is allowed.
//
//     npm install robots-parser
//     ../../../spec-vectors/run.py --only robots.allowed node robots_parser_adapter.mjs
import { createInterface } from 'node:readline';
import robotsParser from 'robots-parser';

function answer({ id, op, in: input }) {
  if (op !== 'robots.allowed' || input.agents.length !== 1) {
    return { id, err: { kind: 'unknown-op', message: 'this peer has no such operation' } };
  }
  try {
    const text = input.robots ?? Buffer.from(input.robots_b64, 'base64').toString('utf8');
    const file = new URL('/robots.txt', input.url).href;
    return { id, ok: { allowed: robotsParser(file, text).isAllowed(input.url, input.agents[0]) ?? null } };
  } catch (error) {
    return { id, err: { kind: error.name.toLowerCase(), message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') console.log(JSON.stringify(answer(JSON.parse(line))));
}
