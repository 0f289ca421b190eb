#!/usr/bin/env bash
# Guess: `turn.completed.usage` of `codex exec --json` is what the turn used, as the name of the event says.
# Seen with Codex 0.171.0: it is the sum of the thread. After `codex exec resume` it contains all turns of earlier runs, so a
# script that adds up the turns it started counts the first one in every later one. The rollout has both figures
# (`last_token_usage`, `total_token_usage`), and in `token_usage_record` those of the turn; the printed event has the sum alone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0
cat >script.mjs <<'SCRIPT'
import { codex, modelOnLoopback, responseMessage } from './model.mjs'

const items = [responseMessage({ type: 'output_text', text: 'Three hives.', annotations: [] })]
const { address, close, requests } = await modelOnLoopback(() => ({ items }))
const usageIn = ({ printed }) => JSON.parse(printed.trim().split('\n').at(-1)).usage.input_tokens
const first = await codex(address, 'Count the hives.')
const { thread_id } = JSON.parse(first.printed.split('\n')[0])
const second = await codex(address, 'resume', thread_id, 'Again.')
const third = await codex(address, 'resume', thread_id, 'Again.')
close()
console.log(JSON.stringify({ requests: requests(), input: [first, second, third].map(usageIn) }))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "requests of 100 tokens of input each, and what each turn says it used: $seen"
[ "$seen" = '{"requests":3,"input":[100,200,300]}' ]
