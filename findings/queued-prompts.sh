#!/usr/bin/env bash
# Guess: what a program sends to a client while a turn runs waits for its end; then each message is a prompt with the id
# that it was sent with, and has a reply of its own.
# Seen, with two messages sent in the first of three turns: three clients, three ways. Claude Code 2.1.332 makes one prompt
# of both, joined by a line feed, with the id of the second and one result; only `mergedSendUuids` has the id of the first,
# and who waits for three results waits for ever. OpenCode 1.18.33 keeps three messages and answers the last two at once:
# the reply names the last one as its parent, the one before has none. pi 1.6.0 gives each its reply, and says once for all
# that the agent has ended. So prompts and replies of one conversation have other numbers with each client.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 \
  @anthropic-ai/claude-code@2.1.332 opencode-ai@1.18.33 @earendil-works/pi-coding-agent@1.6.0
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >script.mjs <<'SCRIPT'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { hasTools, modelOnLoopback, recordsIn, settleOpencode, settlePi, text } from './model.mjs'

const prompts = ['One bee.', 'Two bees.', 'Three bees.']
/** A client that goes on until it is stopped, and what it has printed. */
function start(program, options, variables = {}) {
  const env = { HOME: process.cwd(), PATH: process.env.PATH, TZ: 'UTC', ...variables }
  const child = spawn(`${process.cwd()}/node_modules/.bin/${program}`, options, { env })
  const client = { child, printed: '', write: (each) => child.stdin.write(`${JSON.stringify(each)}\n`) }
  child.stdout.on('data', (data) => (client.printed += data))
  return client
}
async function until(isSo) {
  for (let tries = 0; !isSo() && tries < 300; tries++) await wait(100)
  await wait(1500)
}
/** A model that gets the second and the third prompt sent before it answers the first. `answers`: how many it gave. */
async function modelThatIsSlow(send) {
  const model = { answers: 0 }
  const { address, close } = await modelOnLoopback(async (body) => {
    if (!hasTools(body)) return { blocks: [text('Bees')] }
    const number = ++model.answers
    if (number === 1 && send()) await wait(3000)
    return { blocks: [text(`Answer ${number}.`)] }
  })
  return Object.assign(model, { address, close })
}
const stop = async ({ child }) => {
  const ended = new Promise((settle) => child.on('exit', settle))
  child.kill('SIGKILL')
  await ended
}
const count = (words, pattern) => [...words.matchAll(pattern)].length
const wordsOf = ({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text).join(''))

{
  let client
  const ids = prompts.map(() => randomUUID())
  const say = (at) => client.write({ type: 'user', uuid: ids[at], message: { role: 'user', content: prompts[at] } })
  const { address, close } = await modelThatIsSlow(() => [say(1), say(2)])
  const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json']
  client = start('claude', ['-p', '--verbose', ...streams], {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: 'no-key-at-all',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  })
  say(0)
  const results = () => count(client.printed, /"type":"result"/g)
  await until(() => results() > 1)
  await stop(client)
  close()
  const records = recordsIn('.claude/projects')
  const users = records.filter(({ type }) => type === 'user').map(({ message }) => wordsOf(message))
  const kinds = ids.map((id) =>
    records.some(({ type, uuid }) => type === 'user' && uuid === id) ? 'a record' : records.some(({ mergedSendUuids }) => mergedSendUuids?.includes(id)) ? 'merged' : 'nowhere',
  )
  console.log(`claude: ${JSON.stringify(users)}, ids: ${kinds.join(', ')}; ${results()} results`)
}
{
  let [base, id] = []
  const post = (path, body) =>
    fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const say = (at) => post(`/session/${id}/prompt_async`, { parts: [{ type: 'text', text: prompts[at] }] })
  const model = await modelThatIsSlow(() => say(1).then(() => say(2)))
  settleOpencode(model.address)
  const client = start('opencode', ['serve', '--port', '0', '--hostname', '127.0.0.1'], {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  })
  await until(() => (base = /http:\/\/[\d.:]+/.exec(client.printed)?.[0]))
  id = (await (await post('/session', {})).json()).id
  await say(0)
  await until(() => model.answers > 1)
  await stop(client)
  model.close()
  const database = new DatabaseSync('.local/share/opencode/opencode.db')
  const messages = database.prepare('select id, data from message order by time_created').all()
  const parents = messages.map(({ data }) => JSON.parse(data).parentID)
  const partOf = database.prepare("select data ->> 'text' as words from part where message_id = ? and data ->> 'type' = 'text'")
  const users = messages.filter(({ data }) => JSON.parse(data).role === 'user')
  const seen = users.map((each) => `${JSON.stringify(partOf.get(each.id).words)} ${parents.includes(each.id) ? 'has a reply' : 'has none'}`)
  console.log(`opencode: ${seen.join(', ')}`)
}
{
  let client
  const { address, close } = await modelThatIsSlow(() => prompts.slice(1).map((message) => client.write({ type: 'follow_up', message })))
  settlePi(address)
  client = start('pi', ['--mode', 'rpc', '--provider', 'bees', '--model', 'bee'], { PI_OFFLINE: '1', PI_TELEMETRY: '0' })
  client.write({ type: 'prompt', message: prompts[0] })
  await until(() => client.printed.includes('"agent_end"'))
  await stop(client)
  close()
  const messages = recordsIn('.pi/agent/sessions').flatMap(({ message }) => message ?? [])
  const said = messages.filter(({ role }) => role !== 'system').map((each) => wordsOf(each))
  console.log(`pi: ${JSON.stringify(said)}, ${count(client.printed, /"type":"agent_end"/g)} end`)
}
process.exit(0)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'claude: ["One bee.","Two bees.\nThree bees."], ids: a record, merged, a record; 2 results
opencode: "One bee." has a reply, "Two bees." has none, "Three bees." has a reply
pi: ["One bee.","Answer 1.","Two bees.","Answer 2.","Three bees.","Answer 3."], 1 end' ]
