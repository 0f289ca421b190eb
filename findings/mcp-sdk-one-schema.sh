#!/usr/bin/env bash
# Guess: if the schema of a tool cannot be written as JSON Schema, `registerTool` throws, or that tool alone is missing.
# Seen with @modelcontextprotocol/sdk 1.32.2 and zod 4.6.7: registering succeeds and so does calling every tool; but
# `tools/list` fails as a whole, for all tools of the server. A date in one schema (`z.date()`, `z.coerce.date()`) is enough.
# So a server whose tests call its tools shows no tool to any agent. Times of messages are where one would write a date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
cat >script.mjs <<'SCRIPT'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'

const server = new McpServer({ name: 'bees', version: '1.0.0' })
const answer = async () => ({ content: [{ type: 'text', text: 'three hives' }] })
server.registerTool('hives', { inputSchema: { name: z.string() } }, answer)
server.registerTool('since', { inputSchema: { day: z.coerce.date() } }, answer)
const [serverSide, clientSide] = InMemoryTransport.createLinkedPair()
const client = new Client({ name: 'keeper', version: '1.0.0' })
await server.connect(serverSide)
await client.connect(clientSide)
const tried = (act) => act().catch((error) => error.message)
const call = (name, values) => tried(async () => (await client.callTool({ name, arguments: values })).content[0].text)
const seen = {
  list: await tried(async () => (await client.listTools()).tools.length),
  hives: await call('hives', { name: 'north' }),
  since: await call('since', { day: '2026-11-20' }),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "the list of two tools, and calls of them: $seen"
[ "$seen" = '{"list":"MCP error -32603: Date cannot be represented in JSON Schema","hives":"three hives","since":"three hives"}' ]
