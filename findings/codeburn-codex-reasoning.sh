#!/usr/bin/env bash
# Guess: a counter that reads Codex and Copilot CLI has the tokens of their transcripts. That the output of Codex includes its
# reasoning, where Gemini states it apart, is what one looks up first.
# Seen with codeburn 0.9.15, Codex 0.171.0 and Copilot CLI 1.0.102: it adds the reasoning of Codex to an output that includes
# it, in tokens and in cost, as is right for Gemini. With a model that reasons, that is nearly twice the output, its dearest
# part. Of Copilot it leaves out a session without tool calls, and counts one with them as requests without tokens, although
# each request has a record with all of them. ccusage 20.0.24 has both right, and codeburn has Claude Code right, so that a
# comparison of clients in it shows Codex too dear and Copilot free.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0 @github/copilot@1.0.102 \
  codeburn@0.9.15 ccusage@20.0.24
cat >script.mjs <<'SCRIPT'
import { codex, copilot, modelOnLoopback, responseMessage, run, shellCall, text } from './model.mjs'

const usage = {
  ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 500 },
  ...{ output_tokens_details: { reasoning_tokens: 400 }, total_tokens: 600 },
}
const { address, close } = await modelOnLoopback((body) => {
  if (!body.messages)
    return { items: [responseMessage({ type: 'output_text', text: 'Three hives.', annotations: [] })], response: { usage } }
  const usageOfMessages = { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 500 }
  const said = JSON.stringify(body.messages)
  return said.includes('Use the shell.') && !said.includes('"tool_result"')
    ? { blocks: [shellCall(body, 'echo three')], stop: 'tool_use', usage: usageOfMessages }
    : { blocks: [text('Three hives.')], usage: usageOfMessages }
})
async function count(client, name) {
  const audited = JSON.parse((await run('codeburn', ['audit', '--provider', client, '--format', 'json'])).printed)
  const [{ calls = 0, displayed = {} } = {}] = audited
  const { totals } = JSON.parse((await run('ccusage', [client, 'daily', '--json', '--offline'])).printed)
  const ofCodeburn = [displayed.inputTokens, displayed.cacheReadTokens, displayed.outputTokens].map((each) => each ?? 0)
  const ofCcusage = [totals.inputTokens, totals.cacheReadTokens, totals.outputTokens]
  console.log(`${name}: codeburn ${ofCodeburn.join(' + ')} in ${calls} requests, ccusage ${ofCcusage.join(' + ')}`)
}
await codex(address, 'Count the hives.')
await count('codex', 'codex, one request')
await copilot(address, 'Count the hives.')
await count('copilot', 'copilot, one request')
await copilot(address, 'Use the shell.')
await count('copilot', 'copilot, and two more')
close()
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "requests of 40 + 60 tokens of input and 500 of output, reasoning included:
$seen"
[ "$seen" = "codex, one request: codeburn 40 + 60 + 900 in 1 requests, ccusage 40 + 60 + 500
copilot, one request: codeburn 0 + 0 + 0 in 0 requests, ccusage 40 + 60 + 500
copilot, and two more: codeburn 0 + 0 + 0 in 2 requests, ccusage 120 + 180 + 1500" ]
