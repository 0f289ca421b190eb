#!/usr/bin/env bash
# Guess: counters of Claude Code have the tokens that a reply wrote to the cache, `cache_creation_input_tokens` of its usage;
# `cache_creation` beside it only tells how long they are kept.
# Seen with Claude Code 2.1.332 and ccusage 20.0.24: where the server states the sum alone, as a gateway or a local server
# may, the client writes the sum and adds a `cache_creation` of zeros. ccusage takes the zeros: no cache writes, and the
# largest part of the cost of a new session is gone. The client's own result and codeburn 0.9.15 have them. The same record
# without `cache_creation`, or with null, counts in ccusage, so that figures change with the version of the client.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 ccusage@20.0.24 codeburn@0.9.15
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { claude, modelOnLoopback, recordsIn, run, text } from './model.mjs'

const usage = { cache_creation_input_tokens: 20_000 }
const { address, close } = await modelOnLoopback(() => ({ blocks: [text('Three hives.')], usage }))
const { printed } = await claude(address, '-p', 'Count the hives.', '--model', 'claude-sonnet-4-5', '--output-format', 'json')
close()
const projects = '.claude/projects'
const { message } = recordsIn(projects).find(({ type }) => type === 'assistant')
const { cache_creation_input_tokens: sum, cache_creation } = message.usage
console.log(`record: ${sum}, ${Object.values(cache_creation).join(' and ')}`)
console.log(`result: ${JSON.parse(printed).usage.cache_creation_input_tokens}`)
async function counted() {
  const { totals } = JSON.parse((await run('ccusage', ['claude', 'daily', '--json', '--offline'])).printed)
  return `${totals.cacheCreationTokens}, ${totals.totalCost.toFixed(4)} dollars`
}
console.log(`ccusage: ${await counted()}`)
const [{ displayed }] = JSON.parse((await run('codeburn', ['audit', '--format', 'json'])).printed)
console.log(`codeburn: ${displayed.cacheWriteTokens}`)
const path = `${projects}/${readdirSync(projects, { recursive: true }).find((each) => each.endsWith('.jsonl'))}`
const without = readFileSync(path, 'utf8').replaceAll(`"cache_creation":${JSON.stringify(cache_creation)},`, '')
writeFileSync(path, without)
console.log(`ccusage without the zeros: ${await counted()}`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "tokens written to the cache:
$seen"
[ "$seen" = "record: 20000, 0 and 0
result: 20000
ccusage: 0, 0.0001 dollars
codeburn: 20000
ccusage without the zeros: 20000, 0.0751 dollars" ]
