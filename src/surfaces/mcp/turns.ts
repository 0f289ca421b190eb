import { setImmediate as others } from 'node:timers/promises'
import type { Steps } from '../../model/steps.ts'

/** After so many ms of work calls that came meanwhile are looked at: one may be that this one is not wanted any more. */
const TURN_MS = 5

/** Lets others have their turn now and then. Rejects with the reason of `stop` when that is aborted. */
export function createTurns(stop?: AbortSignal): () => Promise<void> | undefined {
  let turn = performance.now()
  const wait = async (): Promise<void> => {
    await others()
    stop?.throwIfAborted()
    turn = performance.now()
  }
  return () => (performance.now() - turn > TURN_MS ? wait() : undefined)
}

/** Does work that nobody may want any more before it is done; then what is left of it is not begun. */
export async function inTurns<Result>(steps: Steps<Result>, stop?: AbortSignal): Promise<Result> {
  const turns = createTurns(stop)
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      const turn = turns()
      if (turn) await turn
    }
  } catch (error) {
    steps.return(undefined as Result)
    throw error
  }
}
