import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSound, verifyArchive } from '../../src/deliver/archive/records.ts'
import { deliveredTo, keyed } from '../deliveries.ts'
import { type KillMoments, killAtMoment } from '../kill-at-moment.ts'
import { program, variablesOf } from '../program.ts'
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

/** At one of the first requests, which may not come. */
const KILLS = {
  moments: ['came', 'stored', 'answered'],
  most: 4,
  longestWait: 3000,
  longestLife: 2500,
  longestDelay: 60,
}
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
      kills: count,
      killedAt,
      befell: receiver.befell,
      lines,
      arrivals: receiver.arrivals(),
      records: receiver.records.size,
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
    env: variablesOf(home),
  })

/** Kills it at a moment of some request, or at any time. Returns undefined if it had already ended. */
async function killed(
  child: ChildProcess,
  random: Random,
  listen: KillMoments['listen'],
): Promise<string | undefined> {
  const { killedAt, code, errors } = await killAtMoment(child, random, { ...KILLS, listen })
  // Some of it may not have been delivered. Any other exit code is wrong for a failing destination.
  if (killedAt === undefined && code !== 0 && code !== 3) throw new Error(`it ended with ${code}: ${errors}`)
  return killedAt
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
