#!/usr/bin/env bash
# Guess: two price tables with the same prices give one reply the same cost, also above 200,000 tokens, where Sonnet 4.5
# costs twice as much.
# Seen with ccusage 20.0.24 and @pydantic/genai-prices 0.1.8: they agree on a short prompt and differ on a long one.
# genai-prices bills the whole prompt at the higher price, by its size with the cache; ccusage bills only the tokens above
# the limit, as a tax is computed, and looks at input and cache reads apart: 150,000 + 150,000 are never long. So a cost
# next to another tool's is no check of the tokens.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 ccusage@20.0.24 @pydantic/genai-prices@0.1.8
cat >script.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { calcPrice } from '@pydantic/genai-prices'

const model = 'claude-sonnet-4-5'
function costs(input, cached) {
  const usage = { input_tokens: input, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: cached }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [{ type: 'text', text: 'Honey.' }], usage }
  const id = '11111111-1111-4111-8111-111111111111'
  const record = { type: 'assistant', sessionId: id, version: '2.1.332', cwd: '/bees', timestamp: '2026-11-20T10:00:00.000Z', requestId: 'req_1', message }
  mkdirSync('claude/projects/-bees', { recursive: true })
  writeFileSync(`claude/projects/-bees/${id}.jsonl`, `${JSON.stringify(record)}\n`)
  const env = { PATH: process.env.PATH, HOME: process.cwd(), CLAUDE_CONFIG_DIR: `${process.cwd()}/claude`, TZ: 'UTC' }
  const printed = execFileSync('node_modules/.bin/ccusage', ['claude', 'daily', '--json', '--offline'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const price = calcPrice({ input_tokens: input + cached, cache_read_tokens: cached, output_tokens: 0 }, model, { providerId: 'anthropic' })
  return [JSON.parse(printed).totals.totalCost, price.total_price].map((cost) => Number(cost.toFixed(4)))
}
console.log(JSON.stringify({ short: costs(100_000, 0), long: costs(300_000, 0), cached: costs(150_000, 150_000) }))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "dollars of ccusage and of genai-prices: $seen"
[ "$seen" = '{"short":[0.3,0.3],"long":[1.2,1.8],"cached":[0.495,0.99]}' ]
