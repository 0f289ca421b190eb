import { collectGarbage, heapUsed } from '../../../io/process.ts'

/** After this much new memory, garbage is collected in the next pause. In bytes. */
const GROWN = 4 * 1024 * 1024
/** How long nothing is asked for in a pause, in ms. */
const PAUSE_MS = 150
/** Without pauses, garbage is collected so often, in ms. */
const BUSY_MS = 3000
/** After so long without a question, memory is returned to the system, in ms. */
const QUIET_MS = 3000
/** Without such a time, memory is returned so often, which takes a fiftieth of the time. In ms. */
const RETURN_MS = 5000

/** The heap of a thread. */
export interface Heap {
  /** In bytes. */
  used(): number
  collect(options: { all: boolean }): void
}

export interface Tidier {
  /** Call this after an answer, and after whatever else leaves garbage. */
  worked(): void
  stop(): void
}

const OWN: Heap = { used: heapUsed, collect: collectGarbage }

/**
 * Keeps the memory of a thread small that works all day in short bursts: V8 would let garbage grow to twice
 * what is in use. Collecting it would delay an answer, so it waits for a pause. `rest` is called when nothing
 * has happened for a while, to free what is only cached.
 */
export function createTidier(rest: () => void = () => {}, heap: Heap = OWN): Tidier {
  let used = heap.used()
  let collectedAt = performance.now()
  let returnedAt = collectedAt
  let pause: NodeJS.Timeout | undefined
  let quiet: NodeJS.Timeout | undefined
  return {
    worked() {
      quiet ??= setTimeout(restAll, QUIET_MS).unref()
      quiet.refresh()
      if (heap.used() - used < GROWN) return
      pause ??= setTimeout(collectSome, PAUSE_MS).unref()
      if (performance.now() - collectedAt < BUSY_MS) pause.refresh()
    },
    stop() {
      clearTimeout(pause)
      clearTimeout(quiet)
    },
  }

  function collectSome(): void {
    collect(performance.now() - returnedAt >= RETURN_MS)
  }

  function collect(all: boolean): void {
    clearTimeout(pause)
    pause = undefined
    heap.collect({ all })
    used = heap.used()
    collectedAt = performance.now()
    if (all) returnedAt = collectedAt
  }

  function restAll(): void {
    quiet = undefined
    rest()
    collect(true)
  }
}
