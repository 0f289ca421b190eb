import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { call, claude, text, uuid } from '../records.ts'

/** A change of the files of an agent. The numbers choose the file and the extent. */
export interface Happening {
  what: (typeof WHATS)[number]
  file: number
  other: number
  amount: number
}

export const WHATS = [
  'appends',
  'appends',
  'appends',
  'appends half',
  'finishes',
  'splits',
  'queues',
  'rewinds',
  'shrinks',
  'rewrites',
  'rewrites the end and grows',
  'is replaced',
  'is renamed',
  'swaps',
  'gives its number on',
  'forks',
  'is deleted',
  'is restored',
  'is dated',
  'is protected',
  'loses its head',
  'gets its bytes back',
] as const

const MOST_FILES = 6
const EPOCH = Date.UTC(2026, 10, 1)

/** A folder of Claude Code whose transcripts change. Every word in it is in one message only. */
export function createLivingTree(folder: string) {
  const project = join(folder, 'projects/-home-ann-garden')
  mkdirSync(project, { recursive: true })
  let numbers = 0
  let names = 0
  let clock = EPOCH
  /** Deleted files, which may be restored. */
  const graves: { path: string; content: Buffer; modified: Date }[] = []
  /** Files before they were cut, which may get their bytes back. */
  const formers: { path: string; content: Buffer }[] = []
  /** The rest of a line that was written partly. */
  const halves = new Map<string, string>()

  const word = (): string => `w${String(++numbers).padStart(5, '0')}x`
  const line = (entry: object): string => `${JSON.stringify(entry)}\n`
  const user = (more: object = {}): string => line(claude.user(++numbers, `said ${word()}`, more))
  const reply = (): string => line(claude.reply(++numbers, [text(`told ${word()}`)]))
  const turn = (amount: number): string => {
    if (amount % 3 === 0) return reply()
    if (amount % 7 === 1)
      return (
        line(claude.reply(++numbers, [call(`toolu_${numbers}`, 'Bash', { command: `run ${word()}` })])) +
        line(claude.result(++numbers, `toolu_${numbers - 1}`, `Error: ${word()}`, true))
      )
    return user()
  }
  const turns = (count: number, amount: number): string => {
    let lines = ''
    for (let each = 0; each < count; each++) lines += turn(amount + each)
    return lines
  }

  /** Some names are those of subagents, in which no human writes. */
  const newPath = (amount: number): string => {
    names++
    return join(project, amount % 4 === 0 ? `agent-a${names}b.jsonl` : `${uuid(900 + names)}.jsonl`)
  }
  const paths = (): string[] =>
    readdirSync(project)
      .sort()
      .map((name) => join(project, name))

  /** Most files have an old time; sometimes one has the time at which it was really written. */
  function date(path: string, amount: number): void {
    clock += 1000 + amount * 7
    if (amount % 5 !== 0) utimesSync(path, clock / 1000, clock / 1000)
  }

  function create(amount: number, path = newPath(amount)): void {
    const more = amount % 11 === 0 ? turns(24, amount) : ''
    writeFileSync(path, turns(1 + (amount % 5), amount) + more)
    date(path, amount)
  }

  function append(path: string, lines: string, amount: number): void {
    // An unfinished line is finished before lines are appended.
    appendFileSync(path, (halves.get(path) ?? '') + lines)
    halves.delete(path)
    date(path, amount)
  }

  function move(from: string, to: string): void {
    renameSync(from, to)
    const half = halves.get(from)
    halves.delete(from)
    halves.delete(to)
    if (half !== undefined) halves.set(to, half)
  }

  function remove(path: string): void {
    graves.push({ path, content: readFileSync(path), modified: statSync(path).mtime })
    rmSync(path)
    halves.delete(path)
  }

  /** The whole lines of a file, and where each begins. */
  function linesOf(path: string): { content: Buffer; starts: number[] } {
    const content = readFileSync(path)
    const starts: number[] = []
    for (let start = 0; start < content.length; start = content.indexOf(10, start) + 1) {
      starts.push(start)
      if (content.indexOf(10, start) < 0) break
    }
    return { content, starts }
  }

  /** Other words in the same positions. */
  const reworded = (content: string): string => content.replace(/w\d{5}x/g, word)

  const happen: Record<Happening['what'], (path: string, how: Happening) => void> = {
    'loses its head'(path, { amount }) {
      const { content, starts } = linesOf(path)
      formers.push({ path, content })
      writeFileSync(path, content.subarray(starts[amount % starts.length] ?? 0))
      date(path, amount)
    },
    appends: (path, { amount }) => append(path, turns(1 + (amount % 4), amount), amount),
    'appends half'(path, { amount }) {
      const next = turn(amount)
      const cut = 1 + (amount % next.length)
      append(path, next.slice(0, cut), amount)
      halves.set(path, next.slice(cut))
    },
    finishes: (path, { amount }) => append(path, '', amount),
    /** Blocks of one reply, one per line. */
    splits(path, { amount }) {
      const id = `msg_split_${++numbers}`
      let lines = ''
      for (let each = 0; each < 2 + (amount % 2); each++) {
        const entry = claude.reply(++numbers, [text(`part ${word()}`)])
        lines += line({
          ...entry,
          message: { ...entry.message, id, usage: { input_tokens: 9, output_tokens: each } },
        })
      }
      const first = lines.indexOf('\n') + 1
      append(path, lines.slice(0, first), amount)
      halves.set(path, lines.slice(first))
    },
    queues(path, { amount }) {
      const content = `queued ${word()}`
      const operation = (name: string, more: object = {}) =>
        line({
          type: 'queue-operation',
          operation: name,
          timestamp: claude.user(numbers, '').timestamp,
          ...more,
        })
      const ends = ['', operation('dequeue'), operation('remove'), operation('popAll', { content })]
      const userLine = line(claude.user(++numbers, content))
      append(
        path,
        operation('enqueue', { content }) + ends[amount % 4] + (amount % 3 === 1 ? userLine : ''),
        amount,
      )
    },
    /** A turn is taken back: the next one has the same parent. */
    rewinds(path, { amount }) {
      const from = uuid(++numbers)
      const lines = [
        claude.user(numbers, `before ${word()}`),
        claude.user(++numbers, `taken back ${word()}`, { parentUuid: from }),
        claude.user(++numbers, `instead ${word()}`, { parentUuid: from }),
      ]
      append(path, lines.map(line).join(''), amount)
    },
    shrinks(path, { amount }) {
      formers.push({ path, content: readFileSync(path) })
      truncateSync(path, statSync(path).size % (1 + amount * 13))
      halves.delete(path)
      date(path, amount)
    },
    rewrites(path, { amount }) {
      const { content } = linesOf(path)
      writeFileSync(path, reworded(content.toString()))
      date(path, amount - (amount % 5 === 0 ? 1 : 0))
    },
    'rewrites the end and grows'(path, { amount }) {
      const { content, starts } = linesOf(path)
      const from = starts.at(-(4 + (amount % 3))) ?? 0
      const end = reworded(content.subarray(from).toString()) + (halves.get(path) ?? '')
      halves.delete(path)
      writeFileSync(path, content.subarray(0, from).toString() + end + turns(2, amount))
      date(path, amount)
    },
    'is replaced'(path, { amount }) {
      const larger = join(folder, 'larger')
      create(amount, larger)
      while (statSync(larger).size <= statSync(path).size) appendFileSync(larger, turns(3, amount))
      move(larger, path)
    },
    'is renamed': (path, { amount }) => move(path, newPath(amount)),
    swaps(path, { other }) {
      const all = paths()
      const second = all[other % all.length]!
      const between = join(folder, 'between')
      move(path, between)
      if (second !== path) move(second, path)
      move(between, second)
    },
    /** File systems reuse the inode of a deleted file. */
    'gives its number on'(path, { amount }) {
      remove(path)
      create(amount, amount % 2 === 0 ? path : undefined)
    },
    forks(path, { other, amount }) {
      const { content, starts } = linesOf(path)
      const end = starts[1 + (other % starts.length)] ?? content.length
      const fork = newPath(amount)
      writeFileSync(fork, content.subarray(0, end))
      if (end === content.length && halves.has(path)) halves.set(fork, halves.get(path)!)
      append(fork, turn(amount), amount)
      append(path, turn(amount + 1), amount + 1)
    },
    'is deleted': remove,
    'is restored'(_, { other, amount }) {
      const grave = graves.splice(other % Math.max(1, graves.length), 1)[0]
      if (!grave || existsSync(grave.path)) return
      writeFileSync(grave.path, grave.content)
      if (amount % 2 === 0) utimesSync(grave.path, grave.modified, grave.modified)
      else date(grave.path, amount)
    },
    'gets its bytes back'(_, { other, amount }) {
      const former = formers.splice(other % Math.max(1, formers.length), 1)[0]
      if (!former || !existsSync(former.path)) return
      writeFileSync(former.path, former.content)
      halves.delete(former.path)
      date(former.path, amount)
    },
    'is dated'(path, { amount }) {
      clock += 1 + amount
      const skewed = amount % 2 === 0 ? clock + 1e11 : clock - 1e11
      utimesSync(path, skewed / 1000, skewed / 1000)
    },
    'is protected': (path, { amount }) => chmodSync(path, amount % 2 === 0 ? 0o600 : 0o644),
  }

  return {
    paths,
    /** Words that are in the files, in whole lines and in parts of lines. */
    words: (): Set<string> =>
      new Set(paths().flatMap((path) => readFileSync(path, 'utf8').match(/w\d{5}x/g) ?? [])),
    /** Applies a change to one of the files. */
    happen(how: Happening): void {
      const all = paths()
      if (all.length === 0 || (all.length < MOST_FILES && how.other % 6 === 0)) create(how.amount)
      const path = paths()[how.file % paths().length]!
      if (all.length >= MOST_FILES && how.what === 'forks') happen['is deleted'](path, how)
      else happen[how.what](path, how)
    },
  }
}
