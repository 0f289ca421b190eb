#!/usr/bin/env bash
# Guess: an event of `claude -p --output-format stream-json` is the record of the transcript with the same `uuid`, so that
# either gives the same tokens.
# Seen with Claude Code 2.1.332: ids, times and content are equal, usage and stop reason are not. The event has what the
# server said when the reply began (here one token of output, `stop_reason: null`); the record has the final figures. Who
# adds up the events loses nearly all output. The `result` event at the end has the right sum, if the run gets there.
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
import { claude, modelOnLoopback, recordsIn, text } from './model.mjs'

const { address, close } = await modelOnLoopback(() => ({ blocks: [text('Three hives.')] }))
const { printed } = await claude(address, '-p', 'Count the hives.', '--output-format', 'stream-json', '--verbose')
close()
const events = printed.trim().split('\n').map((line) => JSON.parse(line))
const event = events.find(({ type }) => type === 'assistant')
const record = recordsIn('.claude/projects').find(({ uuid }) => uuid === event.uuid)
const figures = ({ message }) => [message.usage.output_tokens, message.stop_reason]
const seen = {
  isEqual: event.timestamp === record.timestamp && JSON.stringify(event.message.content) === JSON.stringify(record.message.content),
  event: figures(event),
  record: figures(record),
  result: events.at(-1).usage.output_tokens,
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "a reply of 5 tokens, in the printed event, in the transcript and in the result: $seen"
[ "$seen" = '{"isEqual":true,"event":[1,null],"record":[5,"end_turn"],"result":5}' ]
