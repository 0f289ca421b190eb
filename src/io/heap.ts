import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Keeps the engine from taking a hundred megabytes and more while transcripts larger than memory stream through, of which hardly
 * anything stays alive. The space for new objects is not widened beyond what it has by now, and what has grown old is looked
 * through when there is a third more of it, for much memory outside of the heap hangs on it. Threads that are begun later have
 * two megabytes for new objects from the start: with one, most of what they make would be copied twice before it is given up.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--min-semi-space-size=2')
}

let collect: (() => void) | undefined

/**
 * Collects garbage now. After a record that is a large part of memory: the engine would wait until its heap has grown, and most of
 * what it could give back lies outside of that.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
