import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { claude, putClaude, temporaryHome, uuid } from '../../test/records.ts'
import { finish } from '../model/iteration.ts'
import { withLock } from '../store/sqlite/files.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { type SyncOptions, sync } from './sync.ts'

const WAITING =
  'Another process is indexing. Waiting until it has finished; Ctrl-C shows what is stored by then.'

/** Steps of bringing a store up to date while another process writes, on a clock that only the test moves. */
function blocked(options: SyncOptions) {
  const home = temporaryHome()
  putClaude(home, uuid(1), [claude.user(1, 'water the fern')])
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  onTestFinished(() => store.close())
  const notes: string[] = []
  const environment = { home, variables: {} }
  const host = { environment, now: 0, threads: () => 1, faultOf: String }
  const steps = sync(store, { ...host, note: (text) => void notes.push(text) }, options)
  const during = (...pauses: number[]) =>
    withLock(`${store.path}.lock`, () =>
      pauses.map((ms) => {
        vi.advanceTimersByTime(ms)
        return steps.next()
      }),
    )!.result
  return { notes, steps, during }
}

describe('while another process writes', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
  })

  it('a person is told, and the store is up to date when the other one has finished', () => {
    const { notes, steps, during } = blocked({})
    during(0, 1000)
    expect(notes).toEqual([])
    during(1000)
    expect(notes).toEqual([WAITING])
    expect(finish(steps)).toMatchObject({ upToDate: true, read: 1 })
  })

  it('nobody waits for one that writes nothing, as if it was stopped', () => {
    const { during } = blocked({})
    const [, last] = during(0, 6000)
    expect(last).toMatchObject({
      done: true,
      value: { upToDate: false, obstacle: 'busy', missing: { files: 1 } },
    })
  })

  it('a server waits as long as it may, and is not told of Ctrl-C', () => {
    const { notes, during } = blocked({ patience: 3000 })
    const steps = during(0, 2500, 1000)
    expect(steps.map(({ done }) => done)).toEqual([false, false, true])
    expect(notes).toEqual([])
  })
})
