import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type DeliveryReport, deliver } from '../../src/deliver/delivery/deliver.ts'
import { inventory } from '../../src/deliver/delivery/inventory.ts'
import { prepareSlice } from '../../src/deliver/delivery/prepare.ts'
import type { RecordSettings, SliceTask } from '../../src/deliver/delivery/slice.ts'
import { type DeliveryState, openDeliveryState } from '../../src/deliver/delivery/state.ts'
import { opened } from '../../src/io/source.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { type Change, createDeliveredTree } from './delivered-tree.ts'
import { type Answer, createFaultyDestination, type FaultyDestination } from './faulty-destination.ts'
import { nameOf, ownNameOf, recordsIn, scopeOf } from './present-records.ts'

/** A pass over the tree: how its destination answers, and what happens in between. */
export interface Pass {
  what: 'pass'
  answers: Answer[]
  /** The step at which the process is killed, if it is. */
  killedAt?: number
  /** The step at which it is asked to stop, if it is. */
  stoppedAt?: number
  /** Changes of files while they are read: after the read with this number. */
  meanwhile?: { reading: number; change: Change }
}

export const SETTINGS: RecordSettings = {
  device: 'test',
  deviceId: '0'.repeat(32),
  home: '/nowhere',
  redact: { level: 'off' },
  tagKey: '',
  users: [],
  normalized: false,
  historyFromMs: null,
  maxRecords: 3,
  maxBytes: 2000,
}

const never = new Promise<never>(() => {})
const TRIES = 2

/** A tree of two agents, a destination, and the state between them, in an existing folder. */
export function createDeliveredLife(folder: string) {
  const home = join(folder, 'home')
  const environment: Environment = {
    home: '/nowhere',
    variables: {},
    deleted: true,
    dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
  }
  const tree = createDeliveredTree(home)
  const destination = createFaultyDestination()
  const ever = new Set<string>()
  /** The last of several lines with one id counts. It may have disappeared before it was acknowledged. */
  const twice = new Set<string>()
  let state = openDeliveryState(join(folder, 'state.sqlite'))
  const { id } = state.addDestination('test:', 'all', null, 0)

  function change(change: Change): void {
    tree.change(change)
    const present = recordsIn(tree)
    for (const each of present) ever.add(nameOf(each))
    for (const [name, { length }] of Map.groupBy(present, ownNameOf)) if (length > 1) twice.add(name)
  }

  async function pass({ answers, killedAt, stoppedAt, meanwhile }: Omit<Pass, 'what'>): Promise<boolean> {
    destination.follow(answers)
    const stop = new AbortController()
    let steps = 0
    let dead = false
    let die = (): void => {}
    const death = new Promise<'killed'>((resolve) => {
      die = () => resolve('killed')
    })
    /** Whether the process is dead from here on. */
    const step = (): boolean => {
      steps++
      if (steps === stoppedAt) stop.abort()
      if (steps === killedAt) dead = true
      if (dead) die()
      return dead
    }
    const mortal = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
      if (step()) return never
      const result = await work()
      return step() ? never : result
    }
    const current = state
    const wrapped: DeliveryState = {
      ...current,
      advance(...moved) {
        if (step()) throw new Error('dead')
        current.advance(...moved)
        if (step()) throw new Error('dead')
      },
    }
    let readings = 0
    opened.reader = () => {
      if (++readings === meanwhile?.reading) change(meanwhile.change)
    }
    try {
      const ended = await Promise.race([
        deliver(inventory(environment), {
          state: wrapped,
          destination: id,
          settings: SETTINGS,
          concurrency: 2,
          nowMs: Date.now,
          sink: {
            ...destination.sink,
            write: (...given) => mortal(() => destination.sink.write(...given)),
          },
          prepare: (task: SliceTask) => mortal(() => prepareSlice(task, String)),
          stop: stop.signal,
          tries: TRIES,
        }),
        death,
      ])
      return ended !== 'killed' && ended.faults.length === 0 && !stop.signal.aborted
    } catch {
      return false
    } finally {
      opened.reader = undefined
      state.close()
      state = openDeliveryState(join(folder, 'state.sqlite'))
    }
  }

  /** Delivers until nothing is left to do, and compares the destination with the files. */
  async function check(): Promise<void> {
    expect(await pass({ answers: [] })).toBe(true)
    const { length } = destination.arrivals
    expect(await pass({ answers: [] })).toBe(true)
    expect(destination.arrivals.slice(length)).toEqual([])
    const given = new Set(state.quarantined(id).map((each) => each.id))
    const fresh = await freshly(environment, join(folder, 'fresh.sqlite'))
    checkDestination(given)
    holdsAsFresh(fresh, given)
  }

  function checkDestination(given: ReadonlySet<string>): void {
    const there = new Set<string>()
    for (const each of destination.records.values()) {
      if (each.kind === 'artifact') continue
      const name = nameOf({ scope: scopeOf(each), raw: each.raw })
      there.add(name)
      if (each.stub) expect(destination.tooLarge).toContain(each.id)
      else if (!ever.has(name)) expect.fail(`never in a file: ${name}`)
    }
    if (given.size > 0 || destination.tooLarge.size > 0) return
    // Of several lines with one id a destination stores one.
    const present = Map.groupBy(
      recordsIn(tree).filter(({ whole }) => whole),
      ownNameOf,
    )
    for (const [name, lines] of present)
      if (!lines.some((each) => there.has(nameOf(each)))) expect.fail(`lost: ${name}`)
  }

  function holdsAsFresh(fresh: FaultyDestination, given: ReadonlySet<string>): void {
    const positionOf = ({ raw, line, offset }: (typeof fresh.arrivals)[number]): string =>
      JSON.stringify([raw, line, offset])
    const arrivals = Map.groupBy(fresh.arrivals, (each) => each.id)
    for (const [id, theirs] of arrivals) {
      if (given.has(id)) continue
      const ours = destination.records.get(id)
      if (!ours) expect.fail(`lost: ${JSON.stringify(theirs[0])}`)
      if (ours.stub || twice.has(ownNameOf({ scope: scopeOf(ours), raw: ours.raw }))) continue
      const all = theirs.map(positionOf)
      if (!all.includes(positionOf(ours))) expect(positionOf(ours)).toBe(all[0])
    }
  }

  return {
    change,
    pass,
    check,
    destination,
    end(): void {
      state.close()
    },
  }
}

/** The records that a new destination receives of the same files. */
async function freshly(environment: Environment, path: string): Promise<FaultyDestination> {
  const state = openDeliveryState(path)
  const fresh = createFaultyDestination()
  const { id } = state.addDestination('test:', 'all', null, 0)
  const report: DeliveryReport = await deliver(inventory(environment), {
    sink: fresh.sink,
    state,
    destination: id,
    settings: SETTINGS,
    concurrency: 1,
    nowMs: Date.now,
    prepare: async (task) => prepareSlice(task, String),
  })
  expect(report.faults).toEqual([])
  state.close()
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true })
  return fresh
}
