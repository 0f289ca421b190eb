#!/usr/bin/env bash
# Guess: the model learns how its command ended, and the transcript says it; a command that ended with an exit code other
# than 0, or was stopped at its time limit, is a failed call in both.
# Seen: five clients, five other ways. Only pi 1.6.0 marks all three. Claude Code 2.1.332 marks exit code 3, but not that of
# a `grep` that found nothing, which is a success with a sentence in the record alone, nor a command at its time limit, which
# goes on in the background. Copilot CLI 1.0.102 marks nothing (`success: true`) and tells both the code. OpenCode 1.18.33
# stores `completed` with the code, null at the time limit, and does not tell the model the code: it sees the output of a
# command that went well. Continue CLI 1.5.47 tells neither: in its session, a failed command is one that went well, and
# nothing there can tell. So a rate of failed commands compares clients, not work.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 \
  opencode-ai@1.18.33 @earendil-works/pi-coding-agent@1.6.0 @continuedev/cli@1.5.47
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >script.mjs <<'SCRIPT'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  claude, copilot, hasTools, modelOnLoopback, opencode, pi, recordsIn, run, settle, settleOpencode, shellCall, text,
} from './model.mjs'

const commands = ['echo six hives; exit 3', 'grep bee hives.txt', 'echo six hives; sleep 5']
writeFileSync('hives.txt', 'wax\n')
/** `stored`: what the transcript says of each call. `limit`: the time limit of the last command, if the client has one. */
async function talk(name, start, stored, limit) {
  const told = []
  const calls = limit === undefined ? commands.slice(0, 2) : commands
  const { address, close } = await modelOnLoopback((body) => {
    const result = hasTools(body) && [body.messages.at(-1).content].flat().find(({ type }) => type === 'tool_result')
    if (result) told.push(result)
    const command = hasTools(body) && calls[told.length]
    if (!command) return { blocks: [text('Done.')] }
    const call = shellCall(body, command)
    const input = told.length === 2 ? { ...call.input, timeout: limit } : call.input
    return { blocks: [{ ...call, id: `toolu_${told.length}`, input }], stop: 'tool_use' }
  })
  await start(address)
  close()
  const words = [/code 3/, /code 1|no match/i, /time|terminated/i]
  const learned = told.map((result, at) =>
    result.is_error ? 'marked' : words[at].test(JSON.stringify(result.content)) ? 'told' : 'not told',
  )
  const seen = stored()
  const labels = ['exit code 3', 'nothing found', 'time limit']
  console.log(`${name}: ${calls.map((_, at) => `${labels[at]} ${learned[at]}, stored ${seen[at]}`).join('; ')}`)
}

await talk('claude', (address) => claude(address, '-p', 'Count the hives.', '--allowedTools', 'Bash'), () => {
  const records = recordsIn('.claude/projects').filter((record) => record.toolUseResult)
  return records.map(({ message, toolUseResult }) => {
    const [{ is_error }] = message.content
    return is_error ? 'as error' : `as success (${toolUseResult.returnCodeInterpretation ?? (toolUseResult.backgroundTaskId ? 'in the background' : '')})`
  })
}, 1500)
await talk('copilot', (address) => copilot(address, 'Count the hives.'), () => {
  const ends = recordsIn('.copilot/session-state').filter(({ type }) => type === 'tool.execution_complete')
  return ends.map(({ data }) => `success ${data.success} (${/"exitCode":\d+/.exec(JSON.stringify(data))})`)
})
await talk('opencode', (address) => {
  settleOpencode(address)
  return opencode('run', '--auto', 'Count the hives.')
}, () => {
  const database = new DatabaseSync('.local/share/opencode/opencode.db')
  const parts = database.prepare('select data from part order by id').all().map(({ data }) => JSON.parse(data))
  return parts.filter(({ type }) => type === 'tool').map(({ state }) => `${state.status} (${state.metadata.exit})`)
}, 1500)
await talk('pi', (address) => pi(address, 'Count the hives.'), () => {
  const messages = recordsIn('.pi/agent/sessions').flatMap(({ message }) => message ?? [])
  return messages.filter(({ role }) => role === 'toolResult').map(({ isError }) => (isError ? 'as error' : 'as success'))
}, 2)
await talk('continue', (address) => {
  const bee = { name: 'Bee', provider: 'anthropic', model: 'bee', apiBase: `${address}/v1/`, apiKey: 'no-key-at-all', roles: ['chat'] }
  settle('.continue/config.yaml', { name: 'Bees', version: '1.0.0', schema: 'v1', models: [bee] })
  return run('cn', ['-p', '--auto', 'Count the hives.'], { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' })
}, () => {
  const name = readdirSync('.continue/sessions').find((each) => /^[\da-f-]{36}\.json$/.test(each))
  const { history } = JSON.parse(readFileSync(`.continue/sessions/${name}`, 'utf8'))
  const states = history.flatMap(({ toolCallStates = [] }) => toolCallStates)
  return states.map((state) => `${state.status} (${/code.{0,3}\d/i.test(JSON.stringify(state.output)) ? 'a code' : 'no code'})`)
}, 2)
process.exit(0)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'claude: exit code 3 marked, stored as error; nothing found not told, stored as success (No matches found); time limit told, stored as success (in the background)
copilot: exit code 3 told, stored success true ("exitCode":3); nothing found told, stored success true ("exitCode":1)
opencode: exit code 3 not told, stored completed (3); nothing found not told, stored completed (1); time limit told, stored completed (null)
pi: exit code 3 marked, stored as error; nothing found marked, stored as error; time limit marked, stored as error
continue: exit code 3 not told, stored done (no code); nothing found not told, stored done (no code); time limit told, stored done (no code)' ]
