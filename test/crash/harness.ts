import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { isSound, verifyArchive } from '../../src/collect/archive/verify.ts'
import { deliveredTo, keyed } from '../deliveries.ts'
import { compileCache, program } from '../program.ts'
import { createRandom, type Random } from '../random.ts'
import { createReceiver, type Receiver } from './receiver.ts'
import { judge, type Verdict } from './verdict.ts'

export interface CrashRun {
  kills: number
  /** Fewer kills if they take longer than this, in ms. */
  mostMs?: number
  seed: number
  /** An empty folder. */
  folder: string
  progress?: (kills: number, records: number) => void
}

export interface CrashReport {
  kills: number
  /** Where the collector was when it was killed, with counts. */
  killedAt: Record<string, number>
  /** What happened to requests, with counts. */
  befell: Record<string, number>
  /** Lines that were ever written, records that arrived, and records that are stored. */
  lines: number
  arrivals: number
  records: number
  server: Verdict
  archive: Verdict
  /** Whether `collect --verify` finds no damage in the archive. */
  sound: boolean
}

/** A kill comes at most this long after the awaited event or after its start, in ms. */
const LONGEST = 60
const LONGEST_LIFE = 2500
/** How long to wait for an event that may not come, in ms. */
const LONGEST_WAIT = 3000
/** The number of requests among which one moment is chosen. */
const MOST_MOMENTS = 4
const MOMENTS = ['came', 'stored', 'answered']
/** The number of collectors per kill, because some end earlier. */
const MOST_LIVES = 10
const PATIENCE_MS = 120_000

/**
 * Kills a collector repeatedly while transcripts are written and its destinations fail: a server to which
 * anything may happen, and a directory. Then lets it finish its work, and returns what is missing.
 */
export async function crash({
  kills,
  mostMs = Number.POSITIVE_INFINITY,
  seed,
  folder,
  progress,
}: CrashRun): Promise<CrashReport> {
  const random = createRandom(seed)
  const home = join(folder, 'home')
  const journal = join(folder, 'journal')
  const archive = join(folder, 'archive')
  mkdirSync(home, { recursive: true })
  let onMoment: (what: string) => void = () => {}
  const receiver = await createReceiver(createRandom(seed + 1), (what) => onMoment(what))
  const writer = fork(resolve(import.meta.dirname, 'writer.ts'), [home, journal, String(seed)], {
    execArgv: [],
  })
  await once(writer, 'message')
  const killedAt: Record<string, number> = {}
  try {
    let lives = 0
    let count = 0
    for (const began = performance.now(); count < kills && performance.now() - began < mostMs; ) {
      if (writer.exitCode !== null) throw new Error(`the writer ended with ${writer.exitCode}`)
      if (++lives > kills * MOST_LIVES) throw new Error(`after ${lives} lives only ${count} were killed`)
      const child = collector(home, [receiver.address, archive, ...(random(3) === 0 ? [] : ['--watch'])])
      const where = await killed(child, random, (listener) => {
        onMoment = listener
      })
      if (where === undefined) continue
      killedAt[where] = (killedAt[where] ?? 0) + 1
      count++
      progress?.(count, receiver.records.size)
    }
    const lines = await stopped(writer)
    receiver.calm()
    await last(home, receiver, archive)
    const stored = keyed(deliveredTo(archive))
    return {
      ...{ kills: count, killedAt, befell: receiver.befell, lines },
      ...{ arrivals: receiver.arrivals(), records: receiver.records.size },
      server: judge(receiver.records.values(), home, journal),
      archive: judge(stored.values(), home, journal),
      sound: isSound(verifyArchive(archive)),
    }
  } finally {
    writer.kill()
    await receiver.close()
  }
}

const collector = (home: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, 'collect', ...args, '--history', 'all'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: home,
    env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
  })

/** Kills it at a moment of some request, or at any time. Returns undefined if it had already ended. */
async function killed(
  child: ChildProcess,
  random: Random,
  listen: (listener: (what: string) => void) => void,
): Promise<string | undefined> {
  let output = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const closed = once(child, 'close')
  const wanted = MOMENTS[random(MOMENTS.length + 1)]
  let left = 1 + random(MOST_MOMENTS)
  let where = 'any time'
  await Promise.race([
    closed,
    pass(wanted === undefined ? random(LONGEST_LIFE) : LONGEST_WAIT),
    new Promise<void>((resolve) =>
      listen((what) => {
        if (what !== wanted || --left > 0) return
        where = what
        resolve()
      }),
    ),
  ])
  if (where !== 'any time' && random(2) === 0) await Promise.race([closed, pass(random(LONGEST))])
  child.kill('SIGKILL')
  await closed
  if (child.signalCode === 'SIGKILL') return where
  // Some of it may not have been delivered. Any other exit code is wrong for a failing destination.
  if (child.exitCode !== 0 && child.exitCode !== 3)
    throw new Error(`it ended with ${child.exitCode}: ${output}`)
  return undefined
}

async function stopped(writer: ChildProcess): Promise<number> {
  const answered = once(writer, 'message')
  writer.send('stop')
  const [{ lines }] = (await answered) as [{ lines: number }]
  return lines
}

/** Twice, because files that changed within the last milliseconds are checked again. */
async function last(home: string, receiver: Receiver, archive: string): Promise<void> {
  for (const _ of [1, 2]) {
    const child = collector(home, [receiver.address, archive])
    let output = ''
    child.stderr!.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    const [code] = (await once(child, 'close')) as [number | null]
    clearTimeout(late)
    if (code !== 0) throw new Error(`the last run ended with ${code}: ${output}`)
  }
}
