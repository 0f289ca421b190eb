#!/usr/bin/env bash
# Guess: a reply that ends at the limit of output tokens ends the turn; clients print it and store it, with that reason.
# Seen: three clients, three other ways. Claude Code 2.1.332 and Copilot CLI 1.0.102 ask for the rest by themselves. Claude
# stores both halves as two replies, but `-p` prints the second alone. Copilot prints both, but its transcript has the
# second alone, next to the usage of two requests: the first half is nowhere. pi 1.6.0 stores the half with `length` and
# prints nothing, with exit code 0. So what a script got and what a transcript says differ, in either direction.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 \
  @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 @earendil-works/pi-coding-agent@1.6.0
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { claude, copilot, modelOnLoopback, pi, recordsIn, text } from './model.mjs'

async function talk(name, sessions, start) {
  const { address, close, requests } = await modelOnLoopback((_body, number) =>
    number === 1 ? { blocks: [text('The hives are nor')], stop: 'max_tokens' } : { blocks: [text('th of the barn.')] },
  )
  const { code, printed } = await start(address)
  close()
  const halves = (all) => ['are nor', 'th of the'].map((half) => (all.includes(half) ? 'there' : 'missing')).join('+')
  const stored = halves(JSON.stringify(recordsIn(sessions)))
  console.log(`${name}: ${requests()} requests, printed ${halves(printed)}, stored ${stored}, exit ${code}`)
}

await talk('claude', '.claude/projects', (address) => claude(address, '-p', 'Where are the hives?'))
await talk('copilot', '.copilot/session-state', (address) => copilot(address, 'Where are the hives?'))
await talk('pi', '.pi/agent/sessions', (address) => pi(address, 'Where are the hives?'))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "claude: 2 requests, printed missing+there, stored there+there, exit 0
copilot: 2 requests, printed there+there, stored missing+there, exit 0
pi: 1 requests, printed missing+missing, stored there+missing, exit 0" ]
