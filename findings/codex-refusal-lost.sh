#!/usr/bin/env bash
# Guess: when the model declines, Codex prints and stores its words like any reply: `refusal` is a documented part of a
# message of the Responses API, next to `output_text`.
# Seen with Codex 0.171.0: such a message is nowhere. The turn ends as completed, exit code 0, without an item; the rollout
# has the tokens of the reply, `last_agent_message: null` and no words. So a transcript with tokens and without a reply is
# no broken file, and what was said cannot be found.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0
cat >script.mjs <<'SCRIPT'
import { codex, modelOnLoopback, recordsIn, responseMessage } from './model.mjs'

const items = [responseMessage({ type: 'refusal', refusal: 'I do not disturb bees.' })]
const { address, close } = await modelOnLoopback(() => ({ items }))
const { code, printed } = await codex(address, 'Open the hives.')
close()
const rollout = JSON.stringify(recordsIn('.codex/sessions'))
const seen = {
  events: [...printed.matchAll(/"type":"((?:turn|item)\.\w+)"/g)].map(([, event]) => event),
  code,
  tokensStored: /"total_token_usage":\{"input_tokens":(\d+)/.exec(rollout)?.[1],
  wordsStored: rollout.includes('disturb') || printed.includes('disturb'),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "events of a turn in which the model declined, and what is stored: $seen"
[ "$seen" = '{"events":["turn.started","turn.completed"],"code":0,"tokensStored":"100","wordsStored":false}' ]
