#!/usr/bin/env bash
# Guess: a call whose arguments are no JSON does not run; it is stored as a failed call of that tool, with what the model wrote.
# Seen: Claude Code 2.1.332 and pi 1.6.0 do that, in fields of their own (`input.__unparsedToolInput.raw`, `argumentsError`).
# OpenCode 1.18.33 stores a call of a tool named `invalid` with the status `completed`; the tool that was meant is an
# argument of it. Copilot CLI 1.0.102 closes arguments that are cut off, runs the call, and stores it as if the model had
# written that. With a comma too many it drops the whole reply, words included, and asks again: two requests were billed,
# the transcript has the tokens of one. So who counts failures by their status misses those of OpenCode, and who reads what
# Copilot ran does not see that it was half a call.
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
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  claude, copilot, hasTools, modelOnLoopback, opencode, pi, recordsIn, settleOpencode, shellCall, text,
} from './model.mjs'

const forms = {
  'comma too many': '{"command":"echo three hives","description":"Counts",}',
  'cut off': '{"command":"echo three hives","description":"Cou',
}

/** `stored`: the tool, the state and the tokens of the transcript. */
async function talk(name, form, sessions, start, stored) {
  rmSync(sessions, { recursive: true, force: true })
  let requests = 0
  const { address, close } = await modelOnLoopback((body) => {
    if (!hasTools(body)) return { blocks: [text('Hives')] }
    if (++requests > 1) return { blocks: [text('Done.')] }
    return { blocks: [text('I look.'), { ...shellCall(body, ''), json: forms[form] }], stop: 'tool_use' }
  })
  await start(address)
  close()
  console.log(`${name}, ${form}: billed ${10 * requests}, stored ${stored().join(', ')}`)
}
const sum = (all) => all.reduce((before, each) => before + each, 0)
const written = (all) => `${JSON.stringify(all).includes('echo three hives') ? 'with' : 'without'} the arguments`

for (const form of Object.keys(forms)) {
  await talk('claude', form, '.claude/projects', (address) => claude(address, '-p', 'Count.'), () => {
    const messages = recordsIn('.claude/projects').flatMap(({ message }) => message ?? [])
    const parts = messages.flatMap(({ content }) => content)
    const { name } = parts.find(({ type }) => type === 'tool_use')
    const isError = parts.find(({ type }) => type === 'tool_result').is_error
    const tokens = new Map(messages.map(({ id, usage }) => [id, usage?.input_tokens ?? 0]))
    return [name, isError ? 'failed' : 'succeeded', written(messages), sum([...tokens.values()])]
  })
  await talk('pi', form, '.pi/agent/sessions', (address) => pi(address, 'Count.'), () => {
    const messages = recordsIn('.pi/agent/sessions').flatMap(({ message }) => message ?? [])
    const { toolName, isError } = messages.find(({ role }) => role === 'toolResult')
    return [toolName, isError ? 'failed' : 'succeeded', written(messages), sum(messages.map(({ usage }) => usage?.input ?? 0))]
  })
  await talk('copilot', form, '.copilot/session-state', (address) => copilot(address, 'Count.'), () => {
    const records = recordsIn('.copilot/session-state')
    const of = (wanted) => records.filter(({ type }) => type === wanted).map(({ data }) => data)
    const [call] = of('assistant.message').flatMap(({ toolRequests }) => toolRequests)
    const [result] = of('tool.execution_complete')
    const state = result ? (result.success ? 'succeeded' : 'failed') : 'no result'
    const tokens = sum(of('session.usage_record').map(({ usage }) => usage.inputTokens))
    const said = JSON.stringify(records).includes('I look.') ? 'its words' : 'no words'
    return [call?.name ?? 'no call', state, written(records), said, tokens]
  })
  await talk('opencode', form, '.local', async (address) => {
    settleOpencode(address)
    await opencode('run', '--auto', 'Count.')
  }, () => {
    const rows = new DatabaseSync('.local/share/opencode/opencode.db').prepare('select data from part').all()
    const parts = rows.map(({ data }) => JSON.parse(data))
    const { tool, state } = parts.find(({ type }) => type === 'tool')
    return [`${tool} (${state.input.tool})`, state.status, written(parts), sum(parts.map(({ tokens }) => tokens?.input ?? 0))]
  })
}
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "claude, comma too many: billed 20, stored Bash, failed, with the arguments, 20
pi, comma too many: billed 20, stored bash, failed, with the arguments, 20
copilot, comma too many: billed 20, stored no call, no result, without the arguments, no words, 10
opencode, comma too many: billed 20, stored invalid (bash), completed, with the arguments, 20
claude, cut off: billed 20, stored Bash, failed, with the arguments, 20
pi, cut off: billed 20, stored bash, failed, with the arguments, 20
copilot, cut off: billed 20, stored bash, succeeded, with the arguments, its words, 20
opencode, cut off: billed 20, stored invalid (bash), completed, with the arguments, 20" ]
