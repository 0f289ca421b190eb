#!/usr/bin/env bash
# Guess: a reply whose stream ends with an error is asked for again; its words and tokens are in no transcript, or marked as
# failed.
# Seen: four clients, four other ways. Claude Code 2.1.332 stores it as a finished reply, with `stop_reason: end_turn` and
# its tokens, and asks for the rest in the person's place (`isMeta`). OpenCode 1.18.33 asks again, and stores both texts in
# one message, with the tokens of the second alone. Copilot CLI 1.0.102 prints both and stores the second; the first is in no
# figure, although its input was billed. pi 1.6.0 stores both, the first as an error with its tokens, and prints the second.
# So what a person saw, what was billed and what is stored differ, and only pi's transcript says what happened.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 \
  @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 opencode-ai@1.18.33 @earendil-works/pi-coding-agent@1.6.0
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >script.mjs <<'SCRIPT'
import { DatabaseSync } from 'node:sqlite'
import { claude, copilot, hasTools, modelOnLoopback, opencode, pi, recordsIn, settleOpencode, text } from './model.mjs'

/** `stored`: the records, how the first reply ended in them, and their tokens. */
async function talk(name, start, stored) {
  let requests = 0
  const { address, close } = await modelOnLoopback((body) => {
    if (!hasTools(body)) return { blocks: [text('Hives')] }
    return ++requests === 1
      ? { blocks: [text('North of the')], usage: { input_tokens: 1000 }, breaks: true }
      : { blocks: [text('Behind a barn.')], usage: { input_tokens: 20 } }
  })
  const { printed } = await start(address)
  close()
  const both = (all) => ['North of the', 'Behind a barn.'].map((each) => (all.includes(each) ? 'there' : 'missing')).join('+')
  const [records, end, tokens] = stored()
  console.log(
    `${name}: ${requests} requests, printed ${both(printed)}, stored ${both(JSON.stringify(records))} (${end}), ${tokens} of 1020 tokens`,
  )
}
const sum = (all) => all.reduce((before, each) => before + each, 0)

await talk('claude', (address) => claude(address, '-p', 'Where are the hives?'), () => {
  const replies = recordsIn('.claude/projects').filter(({ type }) => type === 'assistant').map(({ message }) => message)
  return [replies, replies[0].stop_reason, sum(replies.map(({ usage }) => usage.input_tokens))]
})
await talk('copilot', (address) => copilot(address, 'Where are the hives?'), () => {
  const records = recordsIn('.copilot/session-state')
  const errors = records.filter(({ type }) => /error|warning/.test(type)).length
  const used = records.filter(({ type }) => type === 'session.usage_record').map(({ data }) => data.usage.inputTokens)
  return [records, `${errors} errors`, sum(used)]
})
await talk('opencode', async (address) => {
  settleOpencode(address)
  return opencode('run', '--auto', 'Where are the hives?')
}, () => {
  const database = new DatabaseSync('.local/share/opencode/opencode.db')
  const rows = database.prepare('select data, message_id from part').all()
  const parts = rows.map(({ data, message_id }) => ({ ...JSON.parse(data), message_id }))
  const said = parts.filter(({ type, text }) => type === 'text' && !text.includes('?'))
  const messages = new Set(said.map(({ message_id }) => message_id)).size
  return [said, `${messages} message`, sum(parts.map(({ tokens }) => tokens?.input ?? 0))]
})
await talk('pi', (address) => pi(address, 'Where are the hives?'), () => {
  const messages = recordsIn('.pi/agent/sessions').flatMap(({ message }) => message ?? [])
  const replies = messages.filter(({ role }) => role === 'assistant')
  return [replies, replies[0].stopReason, sum(replies.map(({ usage }) => usage.input))]
})
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "claude: 2 requests, printed missing+there, stored there+there (end_turn), 1020 of 1020 tokens
copilot: 2 requests, printed there+there, stored missing+there (0 errors), 20 of 1020 tokens
opencode: 2 requests, printed there+there, stored there+there (1 message), 20 of 1020 tokens
pi: 2 requests, printed missing+there, stored there+there (error), 1020 of 1020 tokens" ]
