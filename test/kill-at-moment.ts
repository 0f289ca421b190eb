import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import type { Random } from './random.ts'

/** When a process is killed: at a moment that somebody reports, or at any time. */
export interface KillMoments {
  /** The moments at one of which it is killed. As likely as each of them is any other time. */
  moments: readonly string[]
  /** It is killed at this occurrence of the moment at the latest. */
  most: number
  /** How long to wait for the moment, in ms. */
  longestWait: number
  /** The longest life of a process that is killed at any time, in ms. */
  longestLife: number
  /** After the moment, every other process lives on for up to this time, in ms. */
  longestDelay?: number
  /** Has moments reported to a listener, until the next one is given. */
  listen(listener: (moment: string) => void): void
}

/** How a process ended. */
export interface Ended {
  /** Where it was when it was killed. Undefined if it had ended before. */
  killedAt: string | undefined
  code: number | null
  /** What it printed to stderr. */
  errors: string
}

/** Kills a process at a random moment, and waits until it has ended. */
export async function killAtMoment(
  child: ChildProcess,
  random: Random,
  { moments, most, longestWait, longestLife, longestDelay, listen }: KillMoments,
): Promise<Ended> {
  const closed = once(child, 'close')
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const wanted = moments[random(moments.length + 1)]
  let left = 1 + random(most)
  let where = 'any time'
  await Promise.race([
    closed,
    pass(wanted === undefined ? random(longestLife) : longestWait),
    new Promise<void>((resolve) =>
      listen((moment) => {
        if (moment !== wanted || --left > 0) return
        where = moment
        resolve()
      }),
    ),
  ])
  if (longestDelay !== undefined && where !== 'any time' && random(2) === 0)
    await Promise.race([closed, pass(random(longestDelay))])
  child.kill('SIGKILL')
  await closed
  listen(() => {})
  return { killedAt: child.signalCode === 'SIGKILL' ? where : undefined, code: child.exitCode, errors }
}
