#!/usr/bin/env bash
# Guess: a call of a tool in a reply of Copilot CLI's transcript was made by the model.
# Seen with Copilot CLI 1.0.102: when a command in the background ends, the client writes a reply with a call of
# `read_bash` that no model made, runs it, and asks the model only then. Nothing marks the reply but what it lacks:
# `model` and `apiCallId`. So who counts the calls of the agent, or looks for what it did of its own accord, has more
# than there were. That the command failed is in a notification; the call that reads its output succeeds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @github/copilot@1.0.102
cat >script.mjs <<'SCRIPT'
import { copilot, modelOnLoopback, recordsIn, text } from './model.mjs'

const calls = [
  { name: 'bash', input: { command: 'sleep 1; exit 5', description: 'fill', mode: 'async', shellId: 'hive' } },
  { name: 'bash', input: { command: 'sleep 4', description: 'wait' } },
]
let made = 0
const { address, close } = await modelOnLoopback((_body, number) => {
  const call = calls[number - 1]
  if (!call) return { blocks: [text('Done.')] }
  made++
  return { blocks: [{ type: 'tool_use', id: `toolu_${number}`, ...call }], stop: 'tool_use' }
})
await copilot(address, 'Fill the hive in the background.')
close()
const records = recordsIn('.copilot/session-state')
const replies = records.filter(({ type }) => type === 'assistant.message')
const callsOf = ({ data }) => (data.toolRequests ?? []).map(({ name }) => name)
const own = replies.filter(({ data }) => data.model === undefined && data.apiCallId === undefined)
console.log(`the model made ${made} calls; the transcript has ${replies.flatMap(callsOf).length}`)
console.log(`in replies without a model: ${own.flatMap(callsOf).join() || 'none'}`)
const results = new Map(
  records
    .filter(({ type }) => type === 'tool.execution_complete')
    .map(({ data }) => [data.toolCallId, data.success]),
)
const ids = own.flatMap(({ data }) => data.toolRequests.map(({ toolCallId }) => toolCallId))
console.log(`they succeed: ${ids.map((id) => results.get(id)).join()}`)
const codes = records.flatMap(({ type, data }) => (type === 'system.notification' ? [data.kind?.exitCode] : []))
console.log(`exit code in the notification: ${codes.filter((code) => code !== undefined).join()}`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'the model made 2 calls; the transcript has 3
in replies without a model: read_bash
they succeed: true
exit code in the notification: 5' ]
