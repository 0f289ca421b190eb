#!/usr/bin/env bash
# Guess: a counter for many agents knows for each whether its input includes what came from the cache, so that its totals
# are what was billed.
# Seen with ccusage 20.0.24: for Qwen Code, whose `promptTokenCount` includes the cache, it takes this as the input and adds
# `cachedContentTokenCount` again, although `totalTokenCount` stands beside it. For Codex, whose `input_tokens` includes the
# cache as well, it subtracts. So its sums over agents cannot be compared, and a long session of Qwen Code, where nearly
# all of a prompt comes from the cache, counts almost double.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 ccusage@20.0.24
cat >script.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'

const id = '11111111-1111-4111-8111-111111111111'
const at = '2026-11-20T10:00:00.000Z'
const qwen = {
  ...{ uuid: '5b0c1c7e-0000-4000-8000-000000000001', parentUuid: null, sessionId: id, timestamp: at, type: 'assistant' },
  ...{ cwd: '/bees', version: '0.24.4', model: 'qwen3-coder-plus', message: { role: 'model', parts: [{ text: 'Honey.' }] } },
  usageMetadata: { promptTokenCount: 1000, cachedContentTokenCount: 900, candidatesTokenCount: 50, thoughtsTokenCount: 0, totalTokenCount: 1050 },
}
const usage = { input_tokens: 1000, cached_input_tokens: 900, output_tokens: 50, reasoning_output_tokens: 0, total_tokens: 1050 }
const codex = [
  { timestamp: at, type: 'session_meta', payload: { id, timestamp: at, cwd: '/bees', cli_version: '0.171.0', source: 'exec' } },
  { timestamp: at, type: 'turn_context', payload: { cwd: '/bees', model: 'gpt-5.5' } },
  { timestamp: at, type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage } } },
]
mkdirSync('.qwen/projects/-bees/chats', { recursive: true })
writeFileSync(`.qwen/projects/-bees/chats/${id}.jsonl`, `${JSON.stringify(qwen)}\n`)
mkdirSync('.codex/sessions/2026/11/20', { recursive: true })
writeFileSync(`.codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-${id}.jsonl`, codex.map((record) => `${JSON.stringify(record)}\n`).join(''))
const env = { PATH: process.env.PATH, HOME: process.cwd(), TZ: 'UTC' }
function count(agent) {
  const printed = execFileSync('node_modules/.bin/ccusage', [agent, 'daily', '--json', '--offline'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const { inputTokens, cacheReadTokens, cachedInputTokens, totalTokens } = JSON.parse(printed).totals
  return { input: inputTokens, cached: cacheReadTokens ?? cachedInputTokens, total: totalTokens }
}
console.log(JSON.stringify({ qwen: count('qwen'), codex: count('codex') }))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "a reply of 50 tokens to a prompt of 1000, of which 900 came from the cache: $seen"
[ "$seen" = '{"qwen":{"input":1000,"cached":900,"total":1950},"codex":{"input":100,"cached":900,"total":1050}}' ]
