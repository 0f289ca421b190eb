#!/usr/bin/env bash
# Guess: a key in `structuredContent` that the output schema of the tool does not name is either dropped by the server or
# accepted by the client, as keys are in arguments; and whether a call works does not depend on what was asked before.
# Seen with @modelcontextprotocol/sdk 1.32.2: the server checks the result and sends it with the key, but declares
# `additionalProperties: false`. The client compiles the schemas when it lists the tools, so the same call works before
# `listTools` and throws after it, and the text beside the structure is lost, too. A default in the output schema fails
# in the same way. A server for transcripts that adds a field breaks in clients alone, and not in a test that only calls.
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
const content = [{ type: 'text', text: 'three hives' }]
server.registerTool('extra', { outputSchema: { hives: z.number() } }, async () => ({ content, structuredContent: { hives: 3, year: 2026 } }))
server.registerTool('default', { outputSchema: { hives: z.number().default(3) } }, async () => ({ content, structuredContent: {} }))
const [serverSide, clientSide] = InMemoryTransport.createLinkedPair()
const client = new Client({ name: 'keeper', version: '1.0.0' })
await server.connect(serverSide)
await client.connect(clientSide)
const call = async (name) => {
  try {
    return (await client.callTool({ name, arguments: {} })).structuredContent
  } catch (error) {
    return error.message.replace(/.*: /, '')
  }
}
const before = [await call('extra'), await call('default')]
await client.listTools()
console.log(JSON.stringify({ before, after: [await call('extra'), await call('default')] }))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "results of two tools, before and after the client has listed them: $seen"
after='"data must NOT have additional properties","data must have required property '"'hives'"'"'
[ "$seen" = "{\"before\":[{\"hives\":3,\"year\":2026},{}],\"after\":[$after]}" ]
