#!/usr/bin/env bash
# Guess: `listSessions` of the Claude Agent SDK lists each session of a project, also one whose only prompt is in XML tags, a
# form that guides to prompts recommend; words such as `<command-name>`, which the client writes itself, are left out of titles.
# Seen with SDK 0.3.332 and Claude Code 2.1.332: a session is not listed if each of its prompts begins with a tag, whatever
# comes behind it (`<task>…</task> Do it now.`, `<div> is not centered, why?`). `getSessionInfo` says that there is none, while
# `getSessionMessages` reads it. A capital letter, a blank or a number in the place of the first letter lets it be listed. If
# a later prompt has no tag, that is its first prompt and its title. So a reader that lists by the SDK misses whole sessions
# of scripts and of people who ask about HTML, and a count of sessions is too low.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 @anthropic-ai/claude-agent-sdk@0.3.332
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { getSessionInfo, getSessionMessages, listSessions } from '@anthropic-ai/claude-agent-sdk'
import { claude, modelOnLoopback, text } from './model.mjs'

const sessions = [
  ['Move the hive.'],
  ['<task>Move the hive.</task> Do it now.'],
  ['<div> is not centered, why?'],
  ['<Task>Move the hive.</Task>'],
  ['<3 bees'],
  ['<task>Move the hive.</task>', 'To the north.'],
]
const idOf = (at) => `5c819700-0000-4000-8000-00000000000${at}`
const { address, close } = await modelOnLoopback(() => ({ blocks: [text('Done.')] }))
for (const [at, prompts] of sessions.entries())
  for (const [turn, prompt] of prompts.entries())
    await claude(address, '-p', prompt, turn === 0 ? '--session-id' : '--resume', idOf(at))
close()
const listed = await listSessions()
for (const [at, [prompt]] of sessions.entries()) {
  const title = listed.find(({ sessionId }) => sessionId === idOf(at))?.summary ?? '(not listed)'
  const info = (await getSessionInfo(idOf(at))) ? 'known' : 'unknown'
  console.log(`${prompt} → ${title}, ${info}, ${(await getSessionMessages(idOf(at))).length} messages`)
}
SCRIPT
seen=$(HOME=$PWD PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "first prompts, and what the SDK says of their sessions:
$seen"
[ "$seen" = "Move the hive. → Move the hive., known, 2 messages
<task>Move the hive.</task> Do it now. → (not listed), unknown, 2 messages
<div> is not centered, why? → (not listed), unknown, 2 messages
<Task>Move the hive.</Task> → <Task>Move the hive.</Task>, known, 2 messages
<3 bees → <3 bees, known, 2 messages
<task>Move the hive.</task> → To the north., known, 4 messages" ]
