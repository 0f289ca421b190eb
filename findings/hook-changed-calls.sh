#!/usr/bin/env bash
# Guess: where a hook changes the arguments of a call before it runs, the transcript keeps what the model wrote, and beside
# it what ran; the next request repeats the model's words.
# Seen: three clients, three other ways. OpenCode 1.18.33 stores what ran as the model's call; what the model wrote is
# nowhere. Copilot CLI 1.0.102 does so in the next request, but its events have only what the model wrote: what ran is
# nowhere, and the model is told that it asked for it. Claude Code 2.1.332 keeps the model's arguments in the transcript and
# in the request; what ran is in the output of the hook, an attachment. So the commands of a transcript are not those that
# ran, wherever hooks shorten output or choose another program, and the result beside them belongs to another command.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 \
  @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 opencode-ai@1.18.33
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >script.mjs <<'SCRIPT'
import { mkdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  claude, copilot, hasTools, modelOnLoopback, opencode, recordsIn, settle, settleOpencode, shellCall, text,
} from './model.mjs'

const input = { command: 'echo six hives', description: 'Counts hives' }
function hookWith(name, answer) {
  writeFileSync(name, JSON.stringify(answer))
  return `cat '${process.cwd()}/${name}'`
}
async function talk(name, start, stored) {
  let repeated
  const { address, close } = await modelOnLoopback((body) => {
    const last = body.messages.findLastIndex(({ role }) => role === 'assistant')
    repeated = JSON.stringify(body.messages[last])
    return last < 0 && hasTools(body)
      ? { blocks: [shellCall(body, 'echo three hives')], stop: 'tool_use' }
      : { blocks: [text('Done.')] }
  })
  await start(address)
  close()
  const words = (all) => ['three', 'six'].filter((each) => all.includes(`echo ${each} hives`)).join('+')
  const [calls, others] = stored()
  console.log(
    `${name}: calls have ${words(calls)}, other records ${words(others)}; the next request has ${words(repeated)}`,
  )
}
const split = (records, isCall) => [
  JSON.stringify(records.filter(isCall)),
  JSON.stringify(records.filter((each) => !isCall(each))),
]

await talk(
  'claude',
  (address) => {
    const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: input }
    const command = hookWith('claude.json', { hookSpecificOutput })
    settle('.claude/settings.json', {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
    })
    return claude(address, '-p', 'Count the hives.')
  },
  () => split(recordsIn('.claude/projects').filter(({ type }) => !type.startsWith('api-')), ({ type }) => type === 'assistant'),
)
await talk(
  'copilot',
  (address) => {
    const bash = hookWith('copilot.json', { permissionDecision: 'allow', modifiedArgs: input })
    settle('.copilot/hooks/hooks.json', { version: 1, hooks: { preToolUse: [{ type: 'command', bash }] } })
    return copilot(address, 'Count the hives.')
  },
  () => split(recordsIn('.copilot/session-state'), ({ type }) => /^assistant\.message$|^tool\./.test(type)),
)
await talk(
  'opencode',
  async (address) => {
    settleOpencode(address)
    mkdirSync('.config/opencode/plugin')
    writeFileSync(
      '.config/opencode/plugin/hive.js',
      `export const Hive = async () => ({
        'tool.execute.before': async (_call, output) => { output.args.command = 'echo six hives' },
      })`,
    )
    await opencode('run', '--auto', 'Count the hives.')
  },
  () => {
    const database = new DatabaseSync('.local/share/opencode/opencode.db')
    const parts = database.prepare('select data from part union all select data from event').all()
    return split(parts.map(({ data }) => JSON.parse(data)), ({ type }) => type === 'tool')
  },
)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "claude: calls have three, other records six; the next request has three
copilot: calls have three, other records three; the next request has six
opencode: calls have six, other records six; the next request has six" ]
