import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { deliver } from '../../src/deliver/delivery/deliver.ts'
import { inventory } from '../../src/deliver/delivery/inventory.ts'
import { prepareSlice } from '../../src/deliver/delivery/prepare.ts'
import {
  type DeliveryState,
  type DestinationRow,
  openDeliveryState,
} from '../../src/deliver/delivery/state.ts'
import type { Environment } from '../../src/model/artifact.ts'
import type { Envelope } from '../../src/model/delivery.ts'
import { createFileSink } from '../../src/sinks/file.ts'
import { holdLock } from '../../src/store/sqlite/files.ts'
import { deliveredTo } from '../deliveries.ts'
import { withFailingCall } from '../failing-calls.ts'
import { append, claude, openclaw, put, putClaude, putOpenclaw, uuid } from '../records.ts'
import { shareOf } from '../share.ts'
import { SETTINGS } from './delivered-life.ts'

const MEMORY = '/dev/shm'
const top = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'scrollback-kills-'))
afterAll(() => rmSync(top, { recursive: true }))

const ARCHIVES = ['one', 'two']
const home = join(top, 'home')
const environment: Environment = {
  home: '/nowhere',
  variables: {},
  deleted: true,
  dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
}
/** The files of a run, as they are on disk before each of its steps. */
interface Steps {
  folders: string[]
}

/** Delivers everything to two archives at once. With `steps`, keeps what a kill at each step would leave. */
async function collect(folder: string, steps?: Steps): Promise<void> {
  const work = async (): Promise<void> => {
    const state = withSteps(openDeliveryState(join(folder, 'state.sqlite')), step)
    try {
      await Promise.all(ARCHIVES.map((name) => collectTo(join(folder, name), state)))
    } finally {
      state.close()
    }
  }
  if (!steps) return work()
  const { error } = await withFailingCall(undefined, work, step)
  if (error) throw error

  function step(): void {
    if (!steps) return
    const kept = `${folder}-${steps.folders.length}`
    // What is kept has no steps of its own.
    const all = steps
    steps = undefined
    cpSync(folder, kept, { recursive: true })
    steps = all
    all.folders.push(kept)
  }
}

async function collectTo(folder: string, state: DeliveryState): Promise<void> {
  const row = state.addDestination(basename(folder), 'all', null, 0)
  const { id } = row
  const options = { folder, segmentBytes: 900, nowMs: Date.now, lock: holdLock }
  const sink = await createFileSink({ ...options, known: knownOf(row) })
  try {
    state.know(id, sink.archive!()!)
    await deliver(inventory(environment), {
      ...{ sink, state, destination: id, settings: SETTINGS, concurrency: 2, nowMs: Date.now, tries: 1 },
      prepare: async (task) => prepareSlice(task, String),
    })
  } finally {
    await sink.close?.()
  }
}

const knownOf = ({ archive, position }: DestinationRow) =>
  archive === null ? undefined : { id: archive, position: position ?? undefined }

/** The state with a step before and after each call. */
function withSteps(state: DeliveryState, step: () => void): DeliveryState {
  const calls = Object.entries(state).map(([name, call]) => [
    name,
    typeof call !== 'function'
      ? call
      : (...given: unknown[]) => {
          step()
          const result = call(...given)
          if (name !== 'close') step()
          return result
        },
  ])
  return Object.fromEntries(calls) as DeliveryState
}

const transcript = (number: number): string =>
  join(home, `.claude/projects/-home-ann-garden/${uuid(number)}.jsonl`)
const INDEX = join(home, '.openclaw/agents/main/sessions/sessions.json')
const linesOf = (number: number, ...words: string[]) =>
  words.map((each, line) => claude.user(number * 10 + line, each))

function begin(): void {
  rmSync(top, { recursive: true, force: true })
  for (const number of [1, 2, 3, 4, 5])
    putClaude(home, uuid(number), linesOf(number, 'ash', 'birch', 'cedar', 'dogwood'))
  putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(1, 'Good morning')])
  put(INDEX, JSON.stringify({ 'agent:main:main': { sessionId: 'a' } }))
  mkdirSync(join(top, 'run'))
}

/** What agents do to files between two runs. */
function change(): void {
  append(transcript(1), claude.user(19, 'elm'))
  put(transcript(2), linesOf(2, 'ash', 'birch', 'fir', 'hazel'))
  renameSync(transcript(3), `${transcript(3)}.reset.2026-03-01T10-00-00.000Z`)
  truncateSync(transcript(4), 0)
  append(transcript(4), ...linesOf(4, 'ash', 'maple'))
  rmSync(transcript(5))
  put(INDEX, JSON.stringify({ 'agent:main:main': { sessionId: 'a', note: 'later' } }))
}

/** No archive has the same record twice. Its readers see the last form of each, as in `expected`. */
function expectOnce(folder: string, expected: ReadonlyMap<string, string>, what: string): void {
  for (const name of ARCHIVES) {
    const records = deliveredTo(join(folder, name))
    const written = records.map(({ at: _, ...each }) => JSON.stringify(each))
    expect(written, what).toEqual([...new Set(written)])
    const forms = formsOf(records)
    for (const [id, form] of expected) expect(forms.get(id), what).toBe(form)
  }
}

const formsOf = (records: readonly Envelope[]): Map<string, string> =>
  new Map(records.filter(({ kind }) => kind !== 'artifact').map(({ id, raw }) => [id, JSON.stringify(raw)]))

/** What a single delivery of the files as they are now yields. */
async function formsNow(): Promise<Map<string, string>> {
  const fresh = join(top, 'fresh')
  mkdirSync(fresh)
  await collect(fresh)
  return formsOf(deliveredTo(join(fresh, 'one')))
}

/** Every so manieth of them, so that about as many remain. */
const some = <Each>(all: readonly Each[], count: number): Each[] =>
  all.filter((_, index) => index % Math.max(1, Math.floor(all.length / count)) === 0)

describe('a kill at any step of a delivery to two archives', () => {
  beforeEach(begin)

  it('leaves each archive with every record once after the next run', async () => {
    const steps: Steps = { folders: [] }
    await collect(join(top, 'run'), steps)
    const expected = await formsNow()
    expect(expected.size).toBeGreaterThan(20)
    expect(steps.folders.length).toBeGreaterThan(200)
    for (const folder of steps.folders) {
      await collect(folder)
      expectOnce(folder, expected, `killed at ${basename(folder)}`)
    }
  })

  it('does so although files were changed before the next run', async () => {
    const steps: Steps = { folders: [] }
    await collect(join(top, 'run'), steps)
    change()
    const expected = await formsNow()
    for (const folder of steps.folders) {
      await collect(folder)
      expectOnce(folder, expected, `killed at ${basename(folder)}`)
    }
  })

  it('does so when the next run is killed, too', async () => {
    const first: Steps = { folders: [] }
    await collect(join(top, 'run'), first)
    const expected = await formsNow()
    for (const folder of some(first.folders, shareOf(60))) {
      const second: Steps = { folders: [] }
      await collect(folder, second)
      for (const each of some(second.folders, 40)) {
        await collect(each)
        expectOnce(each, expected, `killed at ${basename(each)}`)
      }
      for (const each of second.folders) rmSync(each, { recursive: true })
    }
  })
})
