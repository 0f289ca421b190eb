#!/usr/bin/env bash
# Guess: ccusage counts a reply of Claude Code once by its `message.id`, also where a fork (`--fork-session`) has copied
# it to a second file; that it removes repeats is what it is known for.
# Seen with ccusage 20.0.24: across files only if the records have a `requestId`. Those of Claude Code 2.1.332 have none
# if the server sends no `request-id` header. Then repeats within one file count once if they have the same time, but the
# copies in a fork count again, and so does each block of a reply, which has a record some milliseconds later: a reply with
# words and a call counts double. So the cost of a history depends on the server it was made with. Copies and blocks keep
# the id of the reply, which is enough to recognize them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 ccusage@20.0.24
cat >script.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'

const usage = { input_tokens: 10, output_tokens: 250, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const record = (sessionId, request) => ({
  ...{ type: 'assistant', uuid: '5b0c1c7e-0000-4000-8000-000000000001', parentUuid: null, isSidechain: false },
  ...{ sessionId, version: '2.1.332', cwd: '/bees', timestamp: '2026-11-20T10:00:00.000Z', ...request },
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'text', text: 'Honey.' }], usage },
})
const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
function outputOf(name, request, sessions, repeats) {
  mkdirSync(`${name}/projects/-bees`, { recursive: true })
  for (const id of ids.slice(0, sessions))
    writeFileSync(`${name}/projects/-bees/${id}.jsonl`, `${JSON.stringify(record(id, request))}\n`.repeat(repeats))
  return counted(name)
}
function counted(name) {
  const env = { PATH: process.env.PATH, HOME: process.cwd(), CLAUDE_CONFIG_DIR: `${process.cwd()}/${name}`, TZ: 'UTC' }
  const printed = execFileSync('node_modules/.bin/ccusage', ['claude', 'daily', '--json', '--offline'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  return JSON.parse(printed).totals.outputTokens
}
function outputOfBlocks(name, request) {
  mkdirSync(`${name}/projects/-bees`, { recursive: true })
  const blocks = ['10:00:00.000Z', '10:00:00.003Z'].map((time) => ({ ...record(ids[0], request), timestamp: `2026-11-20T${time}` }))
  writeFileSync(`${name}/projects/-bees/${ids[0]}.jsonl`, blocks.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return counted(name)
}
const seen = {
  forkWithRequestIds: outputOf('a', { requestId: 'req_1' }, 2, 1),
  oneFileWithoutThem: outputOf('b', {}, 1, 3),
  forkWithoutThem: outputOf('c', {}, 2, 1),
  blocksWithRequestIds: outputOfBlocks('d', { requestId: 'req_1' }),
  blocksWithoutThem: outputOfBlocks('e', {}),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "output tokens of one reply of 250: $seen"
[ "$seen" = '{"forkWithRequestIds":250,"oneFileWithoutThem":250,"forkWithoutThem":500,"blocksWithRequestIds":250,"blocksWithoutThem":500}' ]
