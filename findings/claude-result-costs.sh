#!/usr/bin/env bash
# Guess: in the result that `claude -p --output-format json` prints, `usage`, `modelUsage` and `total_cost_usd` are three
# views of one sum: that of this run.
# Seen with Claude Code 2.1.332: `usage` is of this run, without its subagents. `modelUsage` and `total_cost_usd` are with
# them, and of the whole session: a run that resumes it has the sum of all runs before. So a script that adds up the costs of
# its runs counts the first run in every later one, one that adds up `usage` leaves subagents out, and a cost divided by the
# tokens beside it is no price. The cost of a run is the difference to the last `cost-state` of the transcript before it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { claude, modelOnLoopback, text } from './model.mjs'

const task = { description: 'Counts', prompt: 'Count the western hives.', subagent_type: 'general-purpose' }
let billed = 0
const { address, close, requests } = await modelOnLoopback(({ messages }) => {
  const said = JSON.stringify(messages.filter(({ role }) => role === 'user'))
  const isSubagent = !said.includes('Send a helper.')
  const tokens = isSubagent ? 1000 : 10
  billed += tokens
  const usage = { input_tokens: tokens }
  return requests() > 1
    ? { blocks: [text('Done.')], usage }
    : { blocks: [{ type: 'tool_use', id: 'toolu_1', name: 'Agent', input: { ...task, run_in_background: false } }], stop: 'tool_use', usage }
})
const options = ['--model', 'claude-sonnet-4-5', '--output-format', 'json']
async function go(...words) {
  billed = 0
  const { printed } = await claude(address, ...words, ...options)
  const { session_id, usage, modelUsage, total_cost_usd } = JSON.parse(printed)
  const [{ inputTokens }] = Object.values(modelUsage)
  console.log(`billed ${billed}, usage ${usage.input_tokens}, modelUsage ${inputTokens}, ${total_cost_usd.toFixed(6)} dollars`)
  return session_id
}
const session = await go('-p', 'Send a helper.')
await go('-p', 'Again.', '--resume', session)
await go('-p', 'And again.', '--resume', session)
close()
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "tokens of input of three runs of one session, the first with a subagent:
$seen"
[ "$seen" = "billed 1020, usage 20, modelUsage 1020, 0.003285 dollars
billed 10, usage 10, modelUsage 1030, 0.003390 dollars
billed 10, usage 10, modelUsage 1040, 0.003495 dollars" ]
