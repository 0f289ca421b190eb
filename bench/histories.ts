/**
 * Writes invented Claude Code transcripts of other shapes than `generate.ts`: `node bench/histories.ts
 * wordy|copied|small <folder> <size>`. The same arguments always give the same bytes.
 *
 * - `wordy`: `size` megabytes in files of 350 kB on average. 15 % of the bytes are words.
 * - `copied`: `size` megabytes. Some sessions are there in 20 growing copies, so that half of all lines are
 *   repeated.
 * - `small`: `size` files of 5 to 50 lines.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, inventCode } from './invent.ts'
import { drawer, inventLanguage, pick } from './language.ts'
import { createSpeech, hex, inventProjects, type Project, type Speech } from './speech.ts'

export const HISTORIES = ['wordy', 'copied', 'small'] as const
export type HistoryKind = (typeof HISTORIES)[number]

const FROM = Date.UTC(2026, 0, 1)
const WORDY_FILE = 350_000
const COPIES = 20
/** Sizes differ by two orders of magnitude, as in real trees. Their average is 1. */
const SPREAD = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.7, 3]

interface Writing {
  random: () => number
  speech: Speech
  code: string
  projectOf: () => Project
  /** The share of tool results that are short. */
  short: number
}

export function writeHistories(kind: HistoryKind, folder: string, size: number): void {
  rmSync(folder, { recursive: true, force: true })
  const random = createRandom(size + HISTORIES.indexOf(kind))
  const language = inventLanguage()
  const writing: Writing = {
    random,
    speech: createSpeech(random, language),
    code: inventCode(random, 400_000),
    projectOf: drawer(random, inventProjects(language)),
    short: kind === 'small' ? 1 : 0.6,
  }
  if (kind === 'wordy') writeWordy(folder, size * 1e6, writing)
  else if (kind === 'copied') writeCopied(folder, size * 1e6, writing)
  else writeSmall(folder, size, writing)
}

function writeWordy(folder: string, bytes: number, writing: Writing): void {
  const files = Math.max(SPREAD.length, Math.round(bytes / WORDY_FILE))
  for (let file = 0; file < files; file++) {
    const wanted = (bytes / files) * SPREAD[file % SPREAD.length]!
    writeFile(
      folder,
      writing,
      session(writing, file, (written) => written.bytes >= wanted),
    )
  }
}

/** A family of copies takes 10.5 times as many bytes as its session, and 9.5 of them are repeated. */
function writeCopied(folder: string, bytes: number, writing: Writing): void {
  const repeated = (COPIES + 1) / 2
  const family = WORDY_FILE * repeated
  const share = 0.5 / ((repeated - 1) / repeated)
  let file = 0
  for (let left = bytes; left > 0; left -= family / share) {
    const whole = session(writing, file++, (written) => written.bytes >= WORDY_FILE)
    for (let copy = 1; copy <= COPIES; copy++)
      writeFile(folder, writing, {
        ...whole,
        lines: whole.lines.slice(0, (whole.lines.length * copy) / COPIES),
      })
    for (let single = 0; single < (family / share - family) / WORDY_FILE; single++)
      writeFile(
        folder,
        writing,
        session(writing, file++, (written) => written.bytes >= WORDY_FILE),
      )
  }
}

function writeSmall(folder: string, files: number, writing: Writing): void {
  for (let file = 0; file < files; file++) {
    const lines = 5 + Math.floor(writing.random() * 46)
    writeFile(
      folder,
      writing,
      session(writing, file, (written) => written.lines.length >= lines),
    )
  }
}

interface Session {
  project: Project
  lines: string[]
}

/** Copies keep the session id of their lines, as forks do; the file has an id of its own. */
function writeFile(folder: string, { random }: Writing, { project, lines }: Session): void {
  const directory = join(folder, 'projects', project.folder.replace(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${uuid(random)}.jsonl`), `${lines.join('\n')}\n`)
}

const uuid = (random: () => number): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`

interface SoFar {
  bytes: number
  lines: readonly string[]
}

function session(
  { random, speech, code, projectOf, short }: Writing,
  number: number,
  isDone: (written: SoFar) => boolean,
): Session {
  const project = projectOf()
  const topic = speech.topic()
  const written = { bytes: 0, lines: [] as string[] }
  const sessionId = uuid(random)
  let at = FROM + number * 3_600_000
  let parentUuid: string | null = null
  const put = (type: 'user' | 'assistant', own: object): void => {
    const id = uuid(random)
    at += 900 + Math.floor(random() * 40_000)
    const line = JSON.stringify({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: project.folder,
      sessionId,
      version: '2.1.32',
      gitBranch: 'main',
      type,
      ...own,
      uuid: id,
      timestamp: new Date(at).toISOString(),
    })
    parentUuid = id
    written.bytes += Buffer.byteLength(line) + 1
    written.lines.push(line)
  }
  const output = (): string => {
    const length = random() < short ? 100 + Math.floor(random() * 900) : 1500 + Math.floor(random() * 14_000)
    const from = Math.floor(random() * (code.length - length))
    return code.slice(from, from + length)
  }
  const ask = (): void =>
    put('user', { message: { role: 'user', content: speech.say(150, 8000, topic, project) } })
  ask()
  while (!isDone(written)) {
    if (random() < 0.12) ask()
    const reply = {
      model: 'claude-opus-4-5-20251101',
      id: `msg_01${hex(random, 22)}`,
      type: 'message',
      role: 'assistant',
      stop_reason: null,
      stop_sequence: null,
    }
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: 41_200,
      output_tokens: 312,
      service_tier: 'standard',
    }
    const requestId = `req_01${hex(random, 20)}`
    const say = (content: object): void =>
      put('assistant', { message: { ...reply, content: [content], usage }, requestId })
    if (random() < 0.55) say({ type: 'text', text: speech.say(260, 8000, topic, project) })
    const call = `toolu_01${hex(random, 22)}`
    const file_path = `${project.folder}/${speech.pathIn(project)}`
    const tool = random()
    if (tool < 0.3) {
      const edit = { file_path, old_string: output().slice(0, 400), new_string: output().slice(0, 1500) }
      say({ type: 'tool_use', id: call, name: 'Edit', input: edit })
    } else if (tool < 0.65) say({ type: 'tool_use', id: call, name: 'Read', input: { file_path } })
    else {
      const command = pick(random, [
        `npm test -- ${file_path}`,
        `rg -n ${speech.name()} src`,
        `git log -- ${file_path}`,
      ])
      say({
        type: 'tool_use',
        id: call,
        name: 'Bash',
        input: { command, description: speech.say(6, 12, topic, project) },
      })
    }
    const printed = output()
    const failed = random() < 0.04
    const content = failed ? `Exit code 1\n${printed}` : printed
    put('user', {
      message: {
        role: 'user',
        content: [{ tool_use_id: call, type: 'tool_result', content, is_error: failed }],
      },
      toolUseResult: { stdout: printed, stderr: '', interrupted: false, isImage: false },
    })
  }
  return { project, lines: written.lines }
}

if (import.meta.main) {
  const [kind, folder, size] = process.argv.slice(2)
  if (!HISTORIES.includes(kind as HistoryKind) || !folder || !size)
    throw new Error(`node bench/histories.ts ${HISTORIES.join('|')} <folder> <size>`)
  writeHistories(kind as HistoryKind, folder, Number(size))
}
