import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProgress, createProgressLine } from './context.ts'

const MB = 1_000_000

describe('the progress of long work', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  function drawn(columns = 100) {
    const lines: string[] = []
    const draw = (text: string): void => void lines.push(text)
    const nothing = (): void => {}
    const output = { print: nothing, printPieces: nothing, say: nothing, draw, clear: nothing }
    return { lines, progress: createProgress(columns, output) }
  }

  it('is not shown for short work, and then shows part, rate and remaining time', () => {
    const { lines, progress } = drawn()
    progress.start('Indexing', 10 * MB)
    vi.advanceTimersByTime(300)
    progress.advance(MB)
    expect(lines).toEqual([])
    vi.advanceTimersByTime(700)
    progress.advance(1.5 * MB)
    expect(lines).toEqual([`Indexing ${'█'.repeat(6)}${'░'.repeat(18)} 25%  2.5 MB/s  3 s left`])
    progress.stop()
  })

  it('stays between two phases, and is shown for work of unknown length', () => {
    const { lines, progress } = drawn()
    progress.start('Indexing', 10 * MB)
    vi.advanceTimersByTime(1000)
    progress.advance(5 * MB)
    vi.advanceTimersByTime(10)
    progress.advance(5 * MB)
    progress.stop()
    progress.start('Indexing words', 100, 'messages')
    progress.stop()
    progress.start('Verifying', 0)
    vi.advanceTimersByTime(1000)
    progress.advance(3 * MB)
    expect(lines).toEqual([
      `Indexing ${'█'.repeat(12)}${'░'.repeat(12)} 50%  5.0 MB/s  1 s left`,
      `Indexing ${'█'.repeat(24)} 100%`,
      `Indexing words ${'░'.repeat(24)} 0%`,
      `Indexing words ${'█'.repeat(24)} 100%`,
      'Verifying …',
      'Verifying … 3.0 MB',
    ])
  })

  it('states no time left before something is done', () => {
    const { lines, progress } = drawn()
    progress.start('Waiting', 10 * MB)
    vi.advanceTimersByTime(1000)
    progress.advance(0)
    expect(lines).toEqual([`Waiting ${'░'.repeat(24)} 0%`])
  })

  it('is redrawn at most ten times a second, and never exceeds the total', () => {
    const { lines, progress } = drawn()
    progress.start('Indexing', 10 * MB)
    vi.advanceTimersByTime(1000)
    for (let count = 0; count < 5; count++) progress.advance(MB)
    expect(lines).toHaveLength(1)
    vi.advanceTimersByTime(150)
    progress.advance(20 * MB)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`${'█'.repeat(24)} 100%`)
  })

  it('fits the terminal, and is not shown at the end of short work', () => {
    const { lines, progress } = drawn(30)
    progress.start('Indexing', MB)
    progress.stop()
    expect(lines).toEqual([])
    progress.start('Indexing', MB)
    vi.advanceTimersByTime(1000)
    progress.advance(MB / 2)
    expect(lines[0]).toHaveLength(29)
  })
})

describe('the progress of long work in a pipe', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  function written() {
    const lines: string[] = []
    return { lines, progress: createProgressLine({ say: (text) => void lines.push(text) }) }
  }

  it('is one line after a second and a half', () => {
    const { lines, progress } = written()
    progress.start('Indexing', 100 * MB)
    vi.advanceTimersByTime(1000)
    progress.advance(10 * MB)
    expect(lines).toEqual([])
    vi.advanceTimersByTime(1000)
    progress.advance(10 * MB)
    vi.advanceTimersByTime(1000)
    progress.advance(10 * MB)
    expect(lines).toEqual(['Indexing 100 MB: 20 %, about 8 s left.\n'])
  })

  it('waits until something is done, so that it can say how long the rest takes', () => {
    const { lines, progress } = written()
    progress.start('Waiting', 100 * MB)
    vi.advanceTimersByTime(2000)
    progress.advance(0)
    expect(lines).toEqual([])
    progress.advance(50 * MB)
    expect(lines).toEqual(['Waiting 100 MB: 50 %, about 2 s left.\n'])
  })

  it('is not said of work that is nearly done, however slow the machine is', () => {
    const { lines, progress } = written()
    progress.start('Indexing', 9 * MB)
    vi.advanceTimersByTime(5000)
    progress.advance(MB)
    progress.start('Indexing words', 60_000, 'messages')
    progress.advance(20_000)
    progress.stop()
    expect(lines).toEqual([])
  })
})
