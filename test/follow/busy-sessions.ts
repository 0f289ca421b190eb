import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import type { Random } from '../random.ts'

/** A line that was written, and the times at which it was in a file, in ms. */
export interface Lifetime {
  /** The session, whose lines are shown in order. */
  session: string
  since: number
  until: number
}

interface Transcript {
  path: string
  header: string
  /** The lines that are in it now, and those of the files that had its name before. */
  numbers: number[]
  former: number[]
  /** How often it was started again. */
  lives: number
}

const SESSIONS = 8
const LONGEST_PAUSE = 60

const idOf = (file: number): string => `0a1b2c3d-1111-4222-8333-${String(file).padStart(12, '0')}`

/** The text of a line, by which it is recognized. */
export const wordsOf = (number: number): string => `words-${number}.`

const momentName = (): string => new Date().toISOString().replaceAll(':', '-')

/** Changing sessions of both platforms in a home. Each line is written with its number. */
export function createBusySessions(home: string, random: Random) {
  const lifetimes = new Map<number, Lifetime>()
  const done: Record<string, number> = {}
  let count = 0
  const transcripts = Array.from({ length: SESSIONS }, (_, file): Transcript => {
    if (file % 2 === 0) {
      const folder = join(home, '.claude/projects', `-home-ann-garden${file % 4}`)
      return { path: join(folder, `${idOf(file)}.jsonl`), header: '', numbers: [], former: [], lives: 0 }
    }
    const id = `session-${file}`
    const header = { type: 'session', version: 3, id, timestamp: new Date().toISOString(), cwd: '/home/ann' }
    const folder = join(home, '.openclaw/agents', `agent${file % 4}`, 'sessions')
    return {
      path: join(folder, `${id}.jsonl`),
      header: `${JSON.stringify(header)}\n`,
      numbers: [],
      former: [],
      lives: 0,
    }
  })
  for (const { path, header } of transcripts) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, header)
  }

  const lineOf = (file: number, number: number): string => {
    const id = idOf(1_000_000 + number)
    const timestamp = new Date(Date.UTC(2026, 10, 1) + number * 1000).toISOString()
    const content = [{ type: 'text', text: wordsOf(number) }]
    const record =
      file % 2 === 0
        ? {
            type: 'user',
            uuid: id,
            parentUuid: null,
            sessionId: idOf(file),
            cwd: '/home/ann/garden',
            isSidechain: false,
            userType: 'external',
            timestamp,
            message: { role: 'user', content },
          }
        : { type: 'message', id, parentId: null, timestamp, message: { role: 'user', content } }
    return `${JSON.stringify(record)}\n`
  }
  const wholeOf = (file: number): string => {
    const { header, numbers } = transcripts[file]!
    return header + numbers.map((number) => lineOf(file, number)).join('')
  }
  /** New lines of a file. They count as present once `write` has written them. */
  const adding = async (file: number, write: (lines: string) => void | Promise<void>): Promise<void> => {
    const numbers = Array.from({ length: 1 + random(3) }, () => ++count)
    transcripts[file]!.numbers.push(...numbers)
    await write(numbers.map((number) => lineOf(file, number)).join(''))
    const since = performance.now()
    const session = `${file} ${transcripts[file]!.lives}`
    for (const number of numbers) lifetimes.set(number, { session, since, until: Number.POSITIVE_INFINITY })
  }
  const withdrawn = (numbers: readonly number[]): void => {
    for (const number of numbers) lifetimes.get(number)!.until = performance.now()
  }

  const startAgain = async (file: number, path: string): Promise<void> => {
    transcripts[file]!.numbers = []
    transcripts[file]!.lives++
    await pass(random(LONGEST_PAUSE))
    await adding(file, () => writeFileSync(path, wholeOf(file)))
  }

  const deeds: [name: string, often: number, deed: (file: number, path: string) => Promise<void>][] = [
    ['appended', 20, (file, path) => adding(file, (lines) => appendFileSync(path, lines))],
    [
      'appended in halves',
      6,
      (file, path) =>
        adding(file, async (lines) => {
          const half = random(lines.length)
          appendFileSync(path, lines.slice(0, half))
          await pass(random(LONGEST_PAUSE))
          appendFileSync(path, lines.slice(half))
        }),
    ],
    ['rewritten in place', 5, (file, path) => adding(file, () => writeFileSync(path, wholeOf(file)))],
    [
      'replaced by renaming',
      5,
      (file, path) =>
        adding(file, () => {
          writeFileSync(`${path}.new`, wholeOf(file))
          renameSync(`${path}.new`, path)
        }),
    ],
    [
      'truncated and written again',
      4,
      (file, path) =>
        adding(file, async () => {
          truncateSync(path, 0)
          await pass(random(LONGEST_PAUSE))
          appendFileSync(path, wholeOf(file))
        }),
    ],
    [
      'last lines taken back',
      3,
      async (file, path) => {
        const { numbers } = transcripts[file]!
        withdrawn(numbers.splice(Math.max(0, numbers.length - 1 - random(3))))
        truncateSync(path, Buffer.byteLength(wholeOf(file)))
      },
    ],
    [
      'reset, and begun anew',
      2,
      async (file, path) => {
        const { numbers, former } = transcripts[file]!
        // Only one of the two platforms has such files.
        if (file % 2 === 0) withdrawn(numbers)
        else former.push(...numbers)
        renameSync(path, `${path}.reset.${momentName()}`)
        await startAgain(file, path)
      },
    ],
    [
      'deleted, and begun anew',
      2,
      async (file, path) => {
        withdrawn(transcripts[file]!.numbers)
        renameSync(path, `${path}.deleted.${momentName()}`)
        await startAgain(file, path)
      },
    ],
    [
      'removed with its directory, and written again',
      2,
      async (file, path) => {
        const beside = transcripts.flatMap((other, index) =>
          dirname(other.path) === dirname(path) && index !== file ? [index] : [],
        )
        rmSync(dirname(path), { recursive: true })
        for (const other of [file, ...beside]) withdrawn(transcripts[other]!.former.splice(0))
        for (const other of beside) withdrawn(transcripts[other]!.numbers.splice(0))
        await pass(random(4 * LONGEST_PAUSE))
        mkdirSync(dirname(path), { recursive: true })
        for (const other of beside) writeFileSync(transcripts[other]!.path, wholeOf(other))
        await adding(file, () => writeFileSync(path, wholeOf(file)))
      },
    ],
  ]
  const all = deeds.flatMap((deed) => Array.from({ length: deed[1] }, () => deed))

  return {
    lifetimes,
    done,
    /** Applies one change to one of them. */
    async act(): Promise<void> {
      const [name, , deed] = all[random(all.length)]!
      const file = random(SESSIONS)
      await deed(file, transcripts[file]!.path)
      done[name] = (done[name] ?? 0) + 1
      await pass(random(LONGEST_PAUSE))
    },
  }
}
