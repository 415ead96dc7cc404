// The JavaScript reference of Web Bot Auth (npm: web-bot-auth), for signatures that our code made or is to judge.
//
//     node interop.mjs MODULES verify < request.json    prints `valid`, or the reason of the reference
//     node interop.mjs MODULES sign < request.json      prints the headers that the reference adds
//
// MODULES is a folder with `web-bot-auth`; request.json is {method, url, headers: {name: value}, jwk, created, expires}.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [modules, what] = process.argv.slice(2);
const load = createRequire(join(modules, "x.js"));
const { signatureHeaders, verify } = load("web-bot-auth");
const { signerFromJWK, verifierFromJWK } = load("web-bot-auth/crypto");
const { method, url, headers, jwk, created, expires } = JSON.parse(readFileSync(0, "utf8"));
const request = new Request(url, { method, headers });

if (what === "verify") {
  try {
    await verify(request, await verifierFromJWK(jwk));
    console.log("valid");
  } catch (error) {
    console.log(`refused: ${error.message}`);
  }
} else {
  const times = { created: new Date(created * 1000), expires: new Date(expires * 1000) };
  const signed = await signatureHeaders(request, await signerFromJWK(jwk), times);
  console.log(JSON.stringify({ ...headers, ...signed }));
}
