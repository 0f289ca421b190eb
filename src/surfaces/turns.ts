import { setImmediate as others } from 'node:timers/promises'
import type { Steps } from '../model/steps.ts'

/** After this much work in ms, new messages are handled, such as the cancellation of this call. */
const TURN_MS = 5

/**
 * Returns a function that yields to other work now and then. Rejects with the reason of `stop` if that
 * aborts.
 */
export function createTurns(stop?: AbortSignal): () => Promise<void> | undefined {
  let turn = performance.now()
  const wait = async (): Promise<void> => {
    await others()
    stop?.throwIfAborted()
    turn = performance.now()
  }
  return () => (performance.now() - turn > TURN_MS ? wait() : undefined)
}

/** Runs work in steps, and stops when it is canceled. */
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
