#!/usr/bin/env bash
# Guess: `getSessionMessages` of the Claude Agent SDK, which "reads a session's conversation messages from its JSONL transcript
# file", returns the conversation, before a compaction as well, since the file has it; and an editor that opens the session by
# the Agent Client Protocol shows it.
# Seen with SDK 0.3.332, Claude Code 2.1.332 and @agentclientprotocol/claude-agent-acp 0.101.0: what was said before the
# compaction is missing, but for its last reply, which stands behind the summary; the prompt it answers is missing. The editor
# gets the same, and the summary as words of the person. `forkSession` of the same SDK copies all of it. So a reader built
# on the SDK loses the longest sessions, and no option brings them back.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 \
  @anthropic-ai/claude-agent-sdk@0.3.332 @agentclientprotocol/claude-agent-acp@0.101.0
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { forkSession, getSessionMessages } from '@anthropic-ai/claude-agent-sdk'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { claude, modelOnLoopback, text } from './model.mjs'

const session = '5c819700-0000-4000-8000-000000000001'
const { address, close } = await modelOnLoopback(({ messages }) => {
  const last = messages.findLast(({ role }) => role === 'user')
  const asked = JSON.stringify(last).match(/PROMPT-\d/g)?.at(-1)
  return { blocks: [text(asked?.replace('PROMPT', 'REPLY') ?? 'SUMMARY')] }
})
await claude(address, '-p', 'PROMPT-1', '--session-id', session)
for (const prompt of ['PROMPT-2', '/compact', 'PROMPT-3']) await claude(address, '-p', prompt, '--resume', session)

/** The words of the script in a text, each run of one word once. */
const words = (all) => (all.match(/PROMPT-\d|REPLY-\d|SUMMARY/g) ?? []).filter((each, at, list) => each !== list[at - 1])
const transcript = (id) => {
  const folder = process.cwd().replace(/[^A-Za-z\d]/g, '-')
  const lines = readFileSync(`.claude/projects/${folder}/${id}.jsonl`, 'utf8').trim().split('\n')
  const messages = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'user' || type === 'assistant')
  return words(JSON.stringify(messages.map(({ message }) => message)))
}
const read = async (options) =>
  words(JSON.stringify((await getSessionMessages(session, options)).map(({ message }) => message)))

async function loaded() {
  const program = 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js'
  const env = { HOME: process.cwd(), PATH: process.env.PATH, TZ: 'UTC', ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: 'no-key-at-all' }
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }
  const agent = spawn(process.execPath, [program], { env: { ...env, ...quiet }, stdio: ['pipe', 'pipe', 'ignore'] })
  const shown = []
  const ask = (id, method, params) => agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  ask(2, 'session/load', { sessionId: session, cwd: process.cwd(), mcpServers: [] })
  for await (const line of createInterface({ input: agent.stdout })) {
    const { id, error, params } = JSON.parse(line)
    const { sessionUpdate = '', content } = params?.update ?? {}
    if (/message_chunk/.test(sessionUpdate))
      shown.push(...words(content.text).map((each) => `${sessionUpdate.split('_')[0]}:${each}`))
    if (error) throw new Error(error.message)
    if (id === 2) break
  }
  agent.kill()
  return shown
}

console.log(`file: ${transcript(session).join(' ')}`)
console.log(`SDK: ${(await read()).join(' ')}`)
console.log(`SDK with system messages: ${(await read({ includeSystemMessages: true })).join(' ')}`)
console.log(`editor: ${(await loaded()).join(' ')}`)
console.log(`fork: ${transcript((await forkSession(session)).sessionId).join(' ')}`)
close()
SCRIPT
seen=$(HOME=$PWD PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "file: PROMPT-1 REPLY-1 PROMPT-2 REPLY-2 SUMMARY PROMPT-3 REPLY-3
SDK: SUMMARY REPLY-2 PROMPT-3 REPLY-3
SDK with system messages: SUMMARY REPLY-2 PROMPT-3 REPLY-3
editor: user:SUMMARY agent:REPLY-2 user:PROMPT-3 agent:REPLY-3
fork: PROMPT-1 REPLY-1 PROMPT-2 REPLY-2 SUMMARY PROMPT-3 REPLY-3" ]
