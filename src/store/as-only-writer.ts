import { finish } from '../model/iteration.ts'
import type { Store } from './store.ts'

/** What one piece of work as the only writer of a store returns. Undefined if another process is writing. */
export const asOnlyWriter = <Result>(store: Store, work: () => Result): Result | undefined =>
  finish(
    // biome-ignore lint/correctness/useYield: The writer runs steps, and this is one.
    store.asWriter(function* () {
      return work()
    }),
  )
