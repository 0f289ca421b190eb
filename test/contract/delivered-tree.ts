import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { claude, openclaw, uuid } from '../records.ts'

/** A change of the files of two agents. The numbers choose the file and the extent. */
export interface Change {
  what: (typeof CHANGES)[number]
  file: number
  amount: number
}

export const CHANGES = [
  'appends',
  'appends',
  'appends',
  'appends half',
  'finishes',
  'repeats a line',
  'is torn',
  'glues',
  'rewrites its end',
  'takes a line back',
  'truncates',
  'is replaced',
  'is reset',
  'is renamed',
  'forks',
  'is deleted',
  'is dated',
  'changes the index',
  'changes the jobs',
  'changes a memory',
  'is made',
] as const

const MOST_FILES = 6
const EPOCH = Date.UTC(2026, 10, 1)
const RESET = '.reset.2026-11-01T00-00-'
const NEWLINE = 10

/** A home in which Claude Code and OpenClaw write. Every word in it is written once, except for copies. */
export function createDeliveredTree(home: string) {
  const claudes = join(home, '.claude/projects/-home-ann-garden')
  const sessions = join(home, '.openclaw/agents/main/sessions')
  const runs = join(home, '.openclaw/cron/runs')
  const index = join(sessions, 'sessions.json')
  const jobs = join(home, '.openclaw/cron/jobs.json')
  const memory = join(claudes, 'memory/MEMORY.md')
  const history = join(home, '.claude/history.jsonl')
  for (const folder of [claudes, sessions, runs, dirname(memory)]) mkdirSync(folder, { recursive: true })
  let numbers = 0
  let clock = EPOCH
  /** The rest of a line that was written partly. */
  const halves = new Map<string, Buffer>()
  const word = (): string => `w${String(++numbers).padStart(5, '0')}x Wörter 木`
  const isClaude = (path: string): boolean => path.startsWith(claudes)

  const files = (): string[] =>
    [claudes, sessions, runs].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.includes('.jsonl'))
        .sort()
        .map((name) => join(folder, name)),
    )

  /** Records with an id, with only a time, and with neither. */
  function record(path: string, amount: number): object {
    if (path.startsWith(runs)) return { ts: EPOCH + ++numbers, jobId: 'j1', status: word() }
    if (amount % 4 === 1) return { type: 'summary', summary: amount % 3 === 0 ? 'the same words' : word() }
    return isClaude(path) ? claude.user(++numbers, word()) : openclaw.user(++numbers, word())
  }
  const line = (path: string, amount: number): string => `${JSON.stringify(record(path, amount))}\n`
  const lines = (path: string, amount: number): string =>
    Array.from({ length: 1 + (amount % 4) }, (_, each) => line(path, amount + each)).join('')

  const newPath = (path: string): string =>
    isClaude(path)
      ? join(claudes, `${uuid(++numbers)}.jsonl`)
      : join(path.startsWith(runs) ? runs : sessions, `s${++numbers}.jsonl`)

  /** An unfinished line is finished before lines are appended. */
  function append(path: string, more: string | Buffer): void {
    appendFileSync(path, Buffer.concat([halves.get(path) ?? Buffer.of(), Buffer.from(more)]))
    halves.delete(path)
  }
  function write(path: string, content: string | Buffer): void {
    writeFileSync(path, content)
    halves.delete(path)
  }
  const endOf = (content: Buffer, count: number): number => {
    let at = content.length
    for (let each = 0; each < count && at > 0; each++) at = content.lastIndexOf(NEWLINE, at - 2) + 1
    return at
  }
  const reworded = (content: Buffer): string => content.toString().replace(/w\d{5}x Wörter 木/g, word)

  const happen: Record<Change['what'], (path: string, amount: number) => void> = {
    appends: (path, amount) => append(path, lines(path, amount)),
    'appends half'(path, amount) {
      const next = Buffer.from(line(path, amount))
      const cut = 1 + (amount % next.length)
      append(path, next.subarray(0, cut))
      halves.set(path, next.subarray(cut))
    },
    finishes: (path) => append(path, ''),
    'repeats a line'(path) {
      const content = readFileSync(path)
      if (content.at(-1) === NEWLINE) append(path, content.subarray(endOf(content, 1)))
    },
    /** A crash of the agent leaves half a line, and the next process continues after it. */
    'is torn'(path, amount) {
      append(path, `{"torn":"${word()}${amount % 2 === 0 ? '","' : ''}\n${line(path, amount)}`)
    },
    glues: (path, amount) => append(path, line(path, amount).trimEnd() + line(path, amount + 1)),
    'rewrites its end'(path, amount) {
      const content = readFileSync(path)
      const from = endOf(content, 1 + (amount % 5))
      write(path, content.subarray(0, from).toString('utf8') + reworded(content.subarray(from)))
    },
    'takes a line back'(path, amount) {
      const content = readFileSync(path)
      const [from, to] = [endOf(content, 2), endOf(content, 1)]
      write(
        path,
        Buffer.concat([
          content.subarray(0, from),
          content.subarray(to),
          Buffer.from(amount % 2 ? line(path, amount) : ''),
        ]),
      )
    },
    truncates(path, amount) {
      truncateSync(path, readFileSync(path).length % (1 + amount * 5))
      halves.delete(path)
    },
    'is replaced'(path, amount) {
      const other = join(home, 'other')
      write(other, lines(path, amount) + lines(path, amount + 1))
      renameSync(other, path)
      halves.delete(path)
    },
    'is reset'(path, amount) {
      if (!path.startsWith(sessions) || path.includes('.reset.')) return append(path, lines(path, amount))
      move(path, `${path}${RESET}${String(++numbers).padStart(6, '0')}Z`)
      if (amount % 2 === 0) write(path, lines(path, amount))
    },
    'is renamed': (path) => move(path, newPath(path)),
    forks(path, amount) {
      const content = readFileSync(path)
      const fork = newPath(path)
      write(fork, content.subarray(0, endOf(content, amount % 3)))
      appendFileSync(fork, lines(fork, amount))
    },
    'is deleted'(path) {
      rmSync(path)
      halves.delete(path)
    },
    /** The file was last written long ago. Each such time occurs once. */
    'is dated'(path) {
      clock += 1000
      utimesSync(path, clock / 1000, clock / 1000)
    },
    'changes the index'(_, amount) {
      const known = existsSync(index) ? (JSON.parse(readFileSync(index, 'utf8')) as object) : {}
      const key = `agent:main:${amount % 4}`
      write(index, JSON.stringify({ ...known, [key]: { sessionId: `s${amount}`, note: word() } }))
    },
    'changes the jobs': (_, amount) =>
      write(
        jobs,
        JSON.stringify({
          version: 1,
          jobs: [
            { id: 'j1', name: word() },
            { id: `j${amount}`, n: 1 },
          ],
        }),
      ),
    'changes a memory': (_, amount) => write(memory, `# ${word()}\n`.repeat(1 + (amount % 3))),
    'is made'(path, amount) {
      const made = [newPath(path), newPath(index), newPath(runs), history][amount % 4]!
      append(made, made === history ? `${JSON.stringify({ display: word(), timestamp: EPOCH })}\n` : '')
      if (made !== history) append(made, lines(made, amount))
    },
  }

  function move(from: string, to: string): void {
    renameSync(from, to)
    const half = halves.get(from)
    halves.delete(from)
    halves.delete(to)
    if (half !== undefined) halves.set(to, half)
  }

  return {
    index,
    jobs,
    memory,
    /** All files of lines. */
    files: (): string[] => [...files(), ...(existsSync(history) ? [history] : [])],
    change({ what, file, amount }: Change): void {
      if (files().length < 2)
        for (const path of [newPath(claudes), newPath(sessions)]) append(path, lines(path, amount))
      const all = files()
      const path = all[file % all.length]!
      const grows = what === 'forks' || what === 'is made'
      happen[grows && all.length >= MOST_FILES ? 'is deleted' : what](path, amount)
    },
  }
}

export type DeliveredTree = ReturnType<typeof createDeliveredTree>
