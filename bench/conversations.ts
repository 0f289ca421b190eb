/**
 * Writes invented Claude Code transcripts that consist almost entirely of words: `node bench/conversations.ts
 * <folder> <messages>`. Tool results are left out, so that a million messages fit into half a gigabyte. The
 * same arguments always give the same bytes. About 58 % of the messages are tool calls, 33 % replies, 6 %
 * prompts and 3 % errors. The distribution of lengths is realistic.
 */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from './invent.ts'
import { drawer, inventLanguage, pick } from './language.ts'
import { createSpeech, hex, inventProjects, type Project, type Speech } from './speech.ts'

const MESSAGES_A_FILE = 500
const FROM = Date.UTC(2025, 10, 1)
/** When the last of them was written: twelve months after the first. */
export const WRITTEN_UNTIL = Date.UTC(2026, 10, 1)

/** Writes the transcripts one by one, oldest first. */
export function writeConversations(folder: string, messages: number): void {
  rmSync(folder, { recursive: true, force: true })
  const random = createRandom(messages)
  const language = inventLanguage()
  const speech = createSpeech(random, language)
  const projectOf = drawer(random, inventProjects(language))
  const files = Math.max(10, Math.round(messages / MESSAGES_A_FILE))
  for (let file = 0, written = 0; file < files; file++) {
    // Sizes differ by two orders of magnitude, as in real trees. The total is as requested.
    const spread = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.7, 3][file % 9]!
    const wanted = file === files - 1 ? messages - written : Math.round((messages / files) * spread)
    const count = Math.max(1, Math.min(wanted, messages - written - (files - 1 - file)))
    written += count
    const project = projectOf()
    const directory = join(folder, 'projects', project.folder.replace(/[^a-zA-Z0-9]/g, '-'))
    mkdirSync(directory, { recursive: true })
    const id = uuid(random)
    const path = join(directory, `${id}.jsonl`)
    const from = FROM + ((WRITTEN_UNTIL - FROM) * file) / files
    const { text, until } = conversation(random, speech, project, id, from, count)
    writeFileSync(path, text)
    utimesSync(path, until / 1000, until / 1000)
  }
}

/** Writes one conversation with this many messages, and returns its id. */
export function writeLongConversation(folder: string, messages: number): string {
  rmSync(folder, { recursive: true, force: true })
  const random = createRandom(messages + 1)
  const language = inventLanguage()
  const project = inventProjects(language)[0]!
  const directory = join(folder, 'projects', project.folder.replace(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(directory, { recursive: true })
  const id = uuid(random)
  const { text } = conversation(random, createSpeech(random, language), project, id, FROM, messages)
  writeFileSync(join(directory, `${id}.jsonl`), text)
  return id
}

const uuid = (random: () => number): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`

function call(
  random: () => number,
  speech: Speech,
  { folder, ...project }: Project,
): { name: string; input: object } {
  const path = speech.pathIn({ folder, ...project })
  const kind = random()
  if (kind < 0.5)
    return {
      name: pick(random, ['Read', 'Read', 'Edit', 'Write']),
      input: { file_path: `${folder}/${path}` },
    }
  if (kind < 0.6) return { name: 'Grep', input: { pattern: speech.name(), path: folder } }
  if (kind < 0.65)
    return { name: 'WebSearch', input: { query: `${speech.name()} ${speech.word()} ${speech.word()}` } }
  const commands = [
    `npm test -- ${path}`,
    `git commit -m "${speech.word()} ${speech.word()} ${speech.name()}"`,
    `git diff ${hex(random, 7)} -- ${path}`,
    `rg -n ${speech.name()} src | head -${Math.floor(random() * 90)}`,
    `node --test ${path} --grep ${speech.word()}`,
  ]
  return { name: 'Bash', input: { command: pick(random, commands) } }
}

/** Writes one transcript with this many messages. Returns when its last line was written. */
function conversation(
  random: () => number,
  speech: Speech,
  project: Project,
  sessionId: string,
  from: number,
  count: number,
): { text: string; until: number } {
  const lines: string[] = []
  const topic = speech.topic()
  let until = from
  let parentUuid: string | null = null
  let messages = 0
  const put = (type: 'user' | 'assistant', message: object): void => {
    const id = uuid(random)
    until += 2000 + Math.floor(random() * 60_000)
    const timestamp = new Date(until).toISOString()
    lines.push(
      JSON.stringify({ parentUuid, cwd: project.folder, sessionId, type, message, uuid: id, timestamp }),
    )
    parentUuid = id
  }
  const full = (): boolean => messages >= count
  const writeMessage = (type: 'user' | 'assistant', message: object): void => {
    if (full()) return
    messages++
    put(type, message)
  }
  while (!full()) {
    writeMessage('user', { role: 'user', content: speech.say(14, 600, topic, project) })
    for (let steps = Math.floor(random() * 20); steps >= 0 && !full(); steps--) {
      const id = `msg_01${hex(random, 22)}`
      const reply = (content: object): void =>
        writeMessage('assistant', {
          model: 'claude-opus-4-5-20251101',
          id,
          role: 'assistant',
          content: [content],
          usage: { input_tokens: 4, output_tokens: 90 },
        })
      if (steps === 0 || random() < 0.5) reply({ type: 'text', text: speech.say(22, 1200, topic, project) })
      if (steps === 0) break
      const tool = `toolu_01${hex(random, 22)}`
      reply({ type: 'tool_use', id: tool, ...call(random, speech, project) })
      if (random() < 0.06)
        writeMessage('user', {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: tool,
              is_error: true,
              content: `Exit code 1\n${speech.say(12, 60, topic, project)}`,
            },
          ],
        })
    }
  }
  return { text: `${lines.join('\n')}\n`, until }
}

if (import.meta.main) {
  const [folder, messages] = process.argv.slice(2)
  if (!folder || !messages) throw new Error('node bench/conversations.ts <folder> <messages>')
  writeConversations(folder, Number(messages))
}
