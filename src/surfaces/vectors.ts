import type { Context, FreshStore } from '../context/context.ts'

/** After an encoder did not answer, it is left alone for so long, in ms. */
const AGAIN_MS = 60_000

interface BackgroundVectors {
  /** Goes on if there is something to do. Does nothing where search by meaning is off. */
  goOn(store: FreshStore['store']): void
  stop(): void
}

/** Gives messages vectors between the questions to a server, where search by meaning is on. */
export function createBackgroundVectors({ environment }: Pick<Context, 'environment'>): BackgroundVectors {
  let running: AbortController | undefined
  let notBefore = 0
  return {
    goOn(store) {
      if (running || store.readOnly || performance.now() < notBefore || !store.vectors?.set()) return
      running = new AbortController()
      void fill(store, running.signal).finally(() => {
        running = undefined
      })
    },
    stop() {
      running?.abort()
    },
  }

  async function fill(store: FreshStore['store'], stop: AbortSignal): Promise<void> {
    try {
      const { fillVectors } = await import('../meaning/fill.ts')
      const { ended } = await fillVectors(store, { variables: environment.variables, stop })
      if (ended === 'failed') notBefore = performance.now() + AGAIN_MS
    } catch {
      // The store was closed or is damaged. The next question says so.
      notBefore = performance.now() + AGAIN_MS
    }
  }
}
