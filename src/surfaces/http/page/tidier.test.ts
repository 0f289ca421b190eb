import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTidier } from './tidier.ts'

const MEGABYTE = 1024 * 1024

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createHeap() {
  const done: string[] = []
  let used = 20 * MEGABYTE
  return {
    done,
    grow: (megabytes: number) => {
      used += megabytes * MEGABYTE
    },
    heap: {
      used: () => used,
      collect({ all }: { all: boolean }) {
        used = 20 * MEGABYTE
        done.push(all ? 'all' : 'some')
      },
    },
    rest: () => void done.push('rest'),
  }
}

describe('garbage of a server', () => {
  it('is collected in the first pause after it has grown, and not while questions follow each other', () => {
    const { done, grow, heap, rest } = createHeap()
    const tidier = createTidier(rest, heap)
    grow(3)
    tidier.worked()
    vi.advanceTimersByTime(1000)
    expect(done).toEqual([])
    grow(6)
    for (let question = 0; question < 5; question++) {
      tidier.worked()
      vi.advanceTimersByTime(100)
    }
    expect(done).toEqual([])
    vi.advanceTimersByTime(100)
    expect(done).toEqual(['some'])
  })

  it('is also collected if there is no pause for seconds', () => {
    const { done, grow, heap, rest } = createHeap()
    const tidier = createTidier(rest, heap)
    for (let question = 0; question < 40; question++) {
      grow(1)
      tidier.worked()
      vi.advanceTimersByTime(100)
    }
    expect(done).toEqual(['some'])
  })

  it('is returned to the system now and then, however busy the server is', () => {
    const { done, grow, heap, rest } = createHeap()
    const tidier = createTidier(rest, heap)
    for (let question = 0; question < 150; question++) {
      grow(1)
      tidier.worked()
      vi.advanceTimersByTime(100)
    }
    expect(done).toEqual(['some', 'all', 'some', 'all'])
  })

  it('is collected with everything that is cached when nothing happens, once', () => {
    const { done, heap, rest } = createHeap()
    const tidier = createTidier(rest, heap)
    tidier.worked()
    vi.advanceTimersByTime(2000)
    tidier.worked()
    vi.advanceTimersByTime(2000)
    expect(done).toEqual([])
    vi.advanceTimersByTime(60_000)
    expect(done).toEqual(['rest', 'all'])
  })

  it('is left to V8 once the server is stopped', () => {
    const { done, grow, heap, rest } = createHeap()
    const tidier = createTidier(rest, heap)
    grow(10)
    tidier.worked()
    tidier.stop()
    vi.advanceTimersByTime(60_000)
    expect(done).toEqual([])
  })
})
