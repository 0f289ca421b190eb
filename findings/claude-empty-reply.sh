#!/usr/bin/env bash
# Guess: each reply of the model is a record of Claude Code's transcript, so that the records have all tokens of the
# conversation; what they lack is titles and the like.
# Seen with Claude Code 2.1.332 and ccusage 20.0.24: a reply without content has none. The client asks again in the person's
# place (`isMeta`), and only that second reply is a record. Its `cost-state` and the printed result have the tokens of
# both, ccusage has those of one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 ccusage@20.0.24
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { claude, modelOnLoopback, recordsIn, run, text } from './model.mjs'

const { address, close, requests } = await modelOnLoopback((_body, number) => ({
  blocks: number === 1 ? [] : [text('Three hives.')],
}))
const { printed } = await claude(address, '-p', 'Count the hives.', '--output-format', 'json')
close()
const records = recordsIn('.claude/projects')
const sum = (list, key) => list.reduce((all, each) => all + each[key], 0)
const stated = Object.values(records.findLast(({ type }) => type === 'cost-state').modelUsage)
const counted = await run('ccusage', ['claude', 'daily', '--json', '--offline'])
const seen = {
  requests: requests(),
  replies: records.filter(({ type }) => type === 'assistant').length,
  added: records.find(({ type, isMeta }) => type === 'user' && isMeta)?.message.content.slice(0, 43),
  result: JSON.parse(printed).usage.input_tokens,
  costState: sum(stated, 'inputTokens'),
  ccusage: JSON.parse(counted.printed).totals.inputTokens,
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "requests of 10 tokens of input, and who knows of them: $seen"
[ "$seen" = '{"requests":2,"replies":1,"added":"[Your previous response had no visible outp","result":20,"costState":20,"ccusage":10}' ]
