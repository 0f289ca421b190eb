#!/usr/bin/env bash
# Guess: what a client prints into a pipe is whole, however slowly it is read, or the client fails.
# Seen with Claude Code 2.1.332, Copilot CLI 1.0.102 and OpenCode 1.18.33: they end after a few seconds with exit code 0, and the
# reader gets the 64 KiB that the pipe holds. So `claude -p … | less`, or `opencode export` into a program that thinks before it
# reads, is cut in the middle of a word. Codex 0.171.0 and pi 1.6.0 wait. Scrollback reads the files and databases instead.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 \
  @openai/codex@0.171.0 opencode-ai@1.18.33 @earendil-works/pi-coding-agent@1.6.0
node node_modules/opencode-ai/postinstall.mjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { claude, codex, copilot, modelOnLoopback, opencode, pi, responseMessage, settleOpencode, text } from './model.mjs'
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const words = 'Three hives. '.repeat(20_000)
const { address, close } = await modelOnLoopback(() => ({
  blocks: [text(words)],
  items: [responseMessage({ type: 'output_text', text: words, annotations: [] })],
}))
settleOpencode(address)

/** How much of its output reaches a reader that begins after five seconds, and the exit code of the client. */
async function slowly(program, call) {
  const path = `node_modules/.bin/${program}`
  const real = `node_modules/.bin/${program}-itself`
  renameSync(path, real)
  const line = `{ "$(dirname "$0")/${program}-itself" "$@" 2>/dev/null; echo $? >code; } | (sleep 5; cat >printed)`
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
  await call()
  const code = Number(readFileSync('code', 'utf8'))
  return `${readFileSync('printed').length >= words.length ? 'whole' : readFileSync('printed').length} ${code}`
}

await opencode('run', '--auto', 'Count the hives.')
const id = /ses_\w+/.exec((await opencode('session', 'list', '--format', 'json')).printed)[0]
const seen = {
  claude: await slowly('claude', () => claude(address, '-p', 'Count the hives.')),
  copilot: await slowly('copilot', () => copilot(address, 'Count the hives.')),
  opencode: await slowly('opencode', () => opencode('export', id)),
  codex: await slowly('codex', () => codex(address, 'Count the hives.')),
  pi: await slowly('pi', () => pi(address, 'Count the hives.')),
}
close()
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "bytes of some 260,000 that a slow reader gets, and the exit code: $seen"
[ "$seen" = '{"claude":"65536 0","copilot":"65536 0","opencode":"65536 0","codex":"whole 0","pi":"whole 0"}' ]
