// `aiweb mcp` by the TypeScript SDK, over standard input and output and over HTTP: node client.mjs AIWEB SITE HOST STORE HTTP
//
// SITE is the address of a running `aiweb serve`, HOST its host and port, STORE a file that does not exist, HTTP the address of a
// running `aiweb mcp --http`.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages are where the caller installed them, which is not above this file.
const require = createRequire(process.env.AIWEB_NODE_MODULES + "/");
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");

const [aiweb, site, host, store, http] = process.argv.slice(2);

async function session(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ["read", "outline", "search_in", "site", "changed_since", "may"],
  );
  const told = [];
  const url = site + "bridge.html";
  const read = await client.callTool({ name: "read", arguments: { url } }, undefined, {
    onprogress: (progress) => told.push(progress.message),
  });
  assert.equal(read.structuredContent.source, "twin");
  assert.match(read.content[0].text, /\nDATA [0-9a-f]{16}\n/);
  assert.ok(told.some((line) => line.startsWith("GET")), told.join());
  const again = await client.callTool({ name: "read", arguments: { url } });
  assert.equal(again.structuredContent.cost.requests, 0);
  const all = [
    ["outline", { url: site + "tide-tables.html" }],
    ["search_in", { url: site + "tide-tables.html", words: "moon" }],
    ["site", { url: site, feed: "products_json" }],
    ["site", { url: site }],
    ["changed_since", { url: site, time: "2000-01-01" }],
    ["may", { url, purpose: "ai-train" }],
  ];
  for (const [name, args] of all) {
    // The SDK checks the structured answer against the output schema.
    const answer = await client.callTool({ name, arguments: args });
    const isFeed = args.feed !== undefined;
    assert.ok(isFeed || !answer.isError, `${name}: ${answer.content[0].text}`);
  }
  const refused = await client.callTool({ name: "read", arguments: { url: site + "drafts/x.html" } });
  assert.ok(refused.isError && refused.content[0].text.includes("robots.txt"));
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0].uri });
  assert.ok(contents[0].text.includes("\nDATA "));
  const { prompts } = await client.listPrompts();
  const got = await client.getPrompt({ name: prompts[0].name, arguments: { url: site, question: "Why?" } });
  assert.ok(got.messages[0].content.text.includes("Why?"));
}

const transports = {
  stdio: () => new StdioClientTransport({ command: aiweb, args: ["mcp", "--private", host, "--store", store] }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(http)),
};
for (const [name, transport] of Object.entries(transports)) {
  const client = new Client({ name: "aiweb-test", version: "1.0.0" });
  await client.connect(transport());
  await session(client);
  await client.close();
  console.log(`client.mjs: ${name}: agrees`);
}
