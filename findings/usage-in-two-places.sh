#!/usr/bin/env bash
# Guess: a reply of 1000 tokens of input, 2000 from the cache and 300 written to it has these figures in the transcript of
# each client, wherever the stream states them: at its beginning (`message_start`), at its end (`message_delta`), or in both.
# Servers that only speak like Anthropic's differ in this: some do not know the input at the beginning, some state the
# output alone at the end, and zeros beside it.
# Seen: at the end alone, Continue CLI 1.5.47 stores an input of 0. With zeros at the end, Copilot CLI 1.0.102, OpenCode
# 1.18.33 and pi 1.6.0 take them over what the beginning had stated, and store an input of 0; Claude Code 2.1.332 and
# Continue keep it. So one server's bill is whole in the transcripts of one client and lacks its input in those of the
# next, and a counter that adds up both sees nothing but a cheap client.
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
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { claude, copilot, modelOnLoopback, opencode, pi, recordsIn, run, settle, settleOpencode, text } from './model.mjs'

const input = { input_tokens: 1000, cache_read_input_tokens: 2000, cache_creation_input_tokens: 300 }
const zeros = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const places = {
  both: [{ ...input, output_tokens: 1 }, { ...input, output_tokens: 50 }],
  'beginning alone': [{ ...input, output_tokens: 1 }, { output_tokens: 50 }],
  'end alone': [{ input_tokens: 0, output_tokens: 0 }, { ...input, output_tokens: 50 }],
  'beginning, zeros at the end': [{ ...input, output_tokens: 1 }, { ...zeros, output_tokens: 50 }],
}
/** `stored`: input, read from the cache, written to it, output. */
async function talk(name, folder, start, stored) {
  const seen = []
  for (const [place, usages] of Object.entries(places)) {
    const { address, close } = await modelOnLoopback(() => ({ blocks: [text('Six hives.')], usages }))
    await start(address)
    close()
    seen.push(`${place} ${stored().join('+')}`)
    rmSync(folder, { recursive: true })
  }
  console.log(`${name}: ${seen.join('; ')}`)
}

await talk('claude', '.claude/projects', (address) => claude(address, '-p', 'Count the hives.'), () => {
  const { usage } = recordsIn('.claude/projects').find(({ type }) => type === 'assistant').message
  return [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens, usage.output_tokens]
})
await talk('copilot', '.copilot/session-state', (address) => copilot(address, 'Count the hives.'), () => {
  const { usage } = recordsIn('.copilot/session-state').find(({ type }) => type === 'session.usage_record').data
  const { inputTokens: whole, cacheReadTokens: read, cacheWriteTokens: written } = usage
  return [whole - read - written, read, written, usage.outputTokens]
})
await talk('opencode', '.local/share/opencode', (address) => {
  settleOpencode(address)
  return opencode('run', '--auto', 'Count the hives.')
}, () => {
  const database = new DatabaseSync('.local/share/opencode/opencode.db')
  const messages = database.prepare('select data from message').all().map(({ data }) => JSON.parse(data))
  const { input, cache, output } = messages.find(({ role }) => role === 'assistant').tokens
  database.close()
  return [input, cache.read, cache.write, output]
})
await talk('pi', '.pi/agent/sessions', (address) => pi(address, 'Count the hives.'), () => {
  const messages = recordsIn('.pi/agent/sessions').flatMap(({ message }) => message ?? [])
  const { input, cacheRead, cacheWrite, output } = messages.find(({ role }) => role === 'assistant').usage
  return [input, cacheRead, cacheWrite, output]
})
await talk('continue', '.continue/sessions', (address) => {
  const bee = { name: 'Bee', provider: 'anthropic', model: 'bee', apiBase: `${address}/v1/`, apiKey: 'no-key-at-all', roles: ['chat'] }
  settle('.continue/config.yaml', { name: 'Bees', version: '1.0.0', schema: 'v1', models: [bee] })
  return run('cn', ['-p', 'Count the hives.'], { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' })
}, () => {
  const name = readdirSync('.continue/sessions').find((each) => /^[\da-f-]{36}\.json$/.test(each))
  const { usage } = JSON.parse(readFileSync(`.continue/sessions/${name}`, 'utf8'))
  const { cachedTokens, cacheWriteTokens } = usage.promptTokensDetails
  return [usage.promptTokens, cachedTokens, cacheWriteTokens, usage.completionTokens]
})
process.exit(0)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'claude: both 1000+2000+300+50; beginning alone 1000+2000+300+50; end alone 1000+2000+300+50; beginning, zeros at the end 1000+2000+300+50
copilot: both 1000+2000+300+50; beginning alone 1000+2000+300+50; end alone 1000+2000+300+50; beginning, zeros at the end 0+0+0+50
opencode: both 1000+2000+300+50; beginning alone 1000+2000+300+50; end alone 1000+2000+300+50; beginning, zeros at the end 0+0+0+50
pi: both 1000+2000+300+50; beginning alone 1000+2000+300+50; end alone 1000+2000+300+50; beginning, zeros at the end 0+0+0+50
continue: both 1000+2000+300+50; beginning alone 1000+2000+300+50; end alone 0+0+0+50; beginning, zeros at the end 1000+2000+300+50' ]
