import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createRandom } from '../../random.ts'
import { call, claude, openclaw, text, uuid } from '../../records.ts'

interface File {
  path: string
  /** Its records as JSON. */
  lines: string[]
  /** The order in which files came to be. */
  born: number
  changes: number
}

/** Files that change; older ones stay as they are. */
const LIVE = 12
const WORDS = 'fern moss pump leaf stone river Wörter 木々 '
/** Modification times of two files never meet, in seconds. */
const APART = 1000
const BEGINNING = Date.UTC(2026, 0, 1) / 1000

/**
 * Transcripts that change in all ways, step by step. Their modification times are in the order in which they
 * came to be, so that two stores that read them at different moments read them in the same order.
 */
export function createTree(home: string, seed: number) {
  const random = createRandom(seed)
  const claudes = join(home, '.claude/projects/-home-ann-garden')
  const sessions = join(home, '.openclaw/agents/main/sessions')
  for (const folder of [claudes, sessions]) mkdirSync(folder, { recursive: true })
  let numbers = 0
  let born = 0
  let files: File[] = []
  const gone = new Set<File>()

  const words = (): string => `w${++numbers}x ${WORDS.repeat(1 + random(random(20) === 0 ? 200 : 6))}`
  function record({ path }: File): string {
    const of = path.startsWith(claudes) ? claude : openclaw
    const number = ++numbers
    if (random(3) > 0) return JSON.stringify(of.user(number, words()))
    const part = random(2) === 0 ? text(words()) : call(`t${number}`, 'Bash', { command: words() })
    return JSON.stringify(of.reply(number, [part]))
  }
  function save(file: File): void {
    writeFileSync(file.path, file.lines.map((line) => `${line}\n`).join(''))
    const at = BEGINNING + file.born * APART + ++file.changes
    utimesSync(file.path, at, at)
  }
  const append = (file: File): void => {
    for (let count = 1 + random(5); count > 0; count--) file.lines.push(record(file))
    save(file)
  }
  function begin(): void {
    const folder = random(3) === 0 ? sessions : claudes
    const name = folder === claudes ? uuid(++numbers) : `s${++numbers}`
    const file: File = { path: join(folder, `${name}.jsonl`), lines: [], born: ++born, changes: 0 }
    files.push(file)
    append(file)
  }

  const CHANGES: ((file: File) => void)[] = [
    function endIsReworded(file) {
      const from = Math.max(0, file.lines.length - 1 - random(6))
      file.lines = file.lines.map((line, index) =>
        index < from ? line : line.replace(/w\d+x /, () => `w${++numbers}x `),
      )
      save(file)
    },
    function endIsTakenBack(file) {
      file.lines = file.lines.slice(0, Math.max(1, file.lines.length - 1 - random(4)))
      save(file)
    },
    function beginningIsCutOff(file) {
      file.lines = file.lines.slice(random(Math.max(1, file.lines.length - 2)))
      append(file)
    },
    function isReplaced(file) {
      file.lines = []
      append(file)
    },
    function isReset(file) {
      // Only a session that goes on is reset.
      if (!file.path.startsWith(sessions) || !file.path.endsWith('.jsonl')) return
      const path = `${file.path}.reset.2026-11-01T00-00-00.${String(++numbers).padStart(3, '0')}Z`
      renameSync(file.path, path)
      const next: File = { path: file.path, lines: [], born: ++born, changes: 0 }
      file.path = path
      files.push(next)
      append(next)
    },
    function isForked(file) {
      const path = join(dirname(file.path), `${uuid(++numbers)}.jsonl`)
      copyFileSync(file.path, path)
      const fork: File = { path, lines: [...file.lines], born: ++born, changes: 0 }
      files.push(fork)
      append(fork)
    },
    function isDeleted(file) {
      rmSync(file.path)
      gone.add(file)
    },
  ]
  const live = (): File[] => files.filter((file) => !gone.has(file)).slice(-LIVE)

  return {
    /** Lines and files are added. The order in which they are read does not matter. */
    grow(): void {
      for (let count = 1 + random(3); count > 0; count--) {
        if (random(4) === 0 || live().length === 0) begin()
        append(live()[random(live().length)]!)
      }
    },
    /** Files are rewritten, renamed, copied or deleted. Every store has to have read them before. */
    change(): void {
      for (let count = 0; count < 4; count++) {
        const some = live()
        if (some.length < LIVE) begin()
        else CHANGES[random(CHANGES.length)]!(some[random(some.length)]!)
      }
      files = files.filter((file) => !gone.has(file))
    },
    /** The words that identify the texts in each file, by its path. */
    words: (): Map<string, string[]> =>
      new Map(files.map(({ path }) => [path, readFileSync(path, 'utf8').match(/\bw\d+x\b/g) ?? []] as const)),
    /** The ids of some sessions that have changed most recently. */
    sessions: (): string[] =>
      live().flatMap(({ path }) => (path.startsWith(claudes) ? basename(path, '.jsonl') : [])),
  }
}
