import { runInNewContext } from 'node:vm'
import { v8 } from './on-demand.ts'
import { isOwnProcess } from './own-process.ts'

/**
 * Keeps V8 from growing the heap by a hundred megabytes or more while transcripts larger than memory stream
 * through it. Almost nothing of that stays alive. The young generation keeps its current size, and the old
 * generation is collected when it has grown by a third, because much memory outside the heap depends on it.
 * Threads started later get a young generation of two megabytes; with one, most objects would be copied twice
 * before they die. Does nothing in a process that is not ours.
 */
export function keepHeapSmall(): void {
  if (!isOwnProcess()) return
  const { setFlagsFromString } = v8()
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--min-semi-space-size=2')
}

/**
 * For a process that stays: V8 compiles less, discards code that is not used, and optimizes code where it
 * runs instead of in four other threads, each of which would keep the memory that this once took. The young
 * generation does not grow. Saves a tenth of the memory. Applies to threads that start later. Does nothing in
 * a process that is not ours.
 */
export function preferSmallMemory(): void {
  if (!isOwnProcess()) return
  const { setFlagsFromString } = v8()
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--no-concurrent-recompilation')
}

/** See V8's extension that exposes its garbage collector. */
type Collect = (options?: { type: 'major'; flavor: 'regular' | 'last-resort' }) => void

let collect: Collect | undefined

/**
 * Collects garbage now. Call it after a very large record: V8 would wait for its heap to grow, but most of
 * the memory to free is outside the heap. With `all`, it takes several times as long, and returns free pages
 * to the system. Does nothing in a process that is not ours.
 */
export function collectGarbage({ all = false } = {}): void {
  if (!isOwnProcess()) return
  if (!collect) {
    const { setFlagsFromString } = v8()
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
    setFlagsFromString('--no-expose-gc')
  }
  // V8 holds the text that a regular expression matched last.
  ;/^/.test('')
  collect({ type: 'major', flavor: all ? 'last-resort' : 'regular' })
}

/** What the objects of this thread take, in bytes, in the heap and outside: in use, or not collected yet. */
export function heapUsed(): number {
  const { used_heap_size, external_memory } = v8().getHeapStatistics()
  return used_heap_size + external_memory
}
