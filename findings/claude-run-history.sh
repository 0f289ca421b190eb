#!/usr/bin/env bash
# Guess: a viewer of Claude Code lists the transcripts that are there, below `projects/`.
# Seen with claude-run 0.3.0 and Claude Code 2.1.332: it lists what `history.jsonl` names, the prompts typed into a terminal.
# Sessions of print mode and of programs are in no list, although their address shows them in full; sessions whose transcript
# the client has deleted, as it does after 30 days, are listed and empty. The list is not a list of transcripts, and its count
# no count of sessions: after some months most entries of a person lead to nothing, and the work of scripts is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 claude-run@0.3.0
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { claude, modelOnLoopback, text } from './model.mjs'

const [there, gone] = ['5c819700-0000-4000-8000-000000000001', '5c819700-0000-4000-8000-000000000002']
const { address, close } = await modelOnLoopback(() => ({ blocks: [text('Three hives.')] }))
await claude(address, '-p', 'Count the hives.', '--session-id', there)
close()
// What the terminal writes; the transcript of this session is no longer there.
const typed = { display: 'Move the queen.', pastedContents: {}, timestamp: 1_790_000_000_000, project: process.cwd(), sessionId: gone }
writeFileSync('.claude/history.jsonl', `${JSON.stringify(typed)}\n`)

const port = await new Promise((settle) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => settle(port))
  })
})
const env = { HOME: process.cwd(), PATH: process.env.PATH, TZ: 'UTC' }
const viewer = spawn('claude-run', ['--port', String(port), '--no-open'], { env, stdio: 'ignore' })
async function ask(path) {
  for (let tries = 0; tries < 60; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`).catch(() => undefined)
    if (answer) return answer.json()
    await new Promise((settle) => setTimeout(settle, 250))
  }
  throw new Error('the viewer does not answer')
}
const listed = (await ask('sessions')).map(({ id }) => id)
for (const [name, id] of Object.entries({ 'print mode': there, 'deleted after it was typed': gone }))
  console.log(`${name}: ${listed.includes(id) ? 'listed' : 'not listed'}, ${(await ask(`conversation/${id}`)).length} messages`)
viewer.kill()
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "print mode: not listed, 2 messages
deleted after it was typed: listed, 0 messages" ]
