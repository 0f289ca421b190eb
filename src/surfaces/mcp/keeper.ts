import type { Context } from '../../commands/command.ts'
import { type FreshStore, freshen, freshStore } from '../../commands/fresh-store.ts'
import { withRowsKept } from './kept-rows.ts'

/** The store between calls: open, and brought up to date at most once in so many ms. */
const REFRESH_MS = 1000

export interface Keeper {
  /** A context to answer one call with; what is to be said besides is gathered in `notes`. */
  context(notes: string[]): Context & { fresh: FreshStore }
  /** Closes the store, so that the next call opens it anew. */
  close(): void
}

export function createKeeper(base: Context): Keeper {
  let fresh: FreshStore | undefined
  /** The same with its rows, for as long as it holds what it held and the disk looks as it did. */
  let kept: { fresh: FreshStore; others: number } | undefined
  let freshAt = 0
  let endings: (() => void)[] = []
  return { context, close }

  function context(notes: string[]): Context & { fresh: FreshStore } {
    const context: Context = {
      ...base,
      ...{ now: Date.now(), redact: true, fresh, columns: undefined, color: false },
      ...{ progress: undefined, choose: undefined, partly: undefined, offerTools: undefined },
      atEnd: (done) => void endings.push(done),
      note: (message) => {
        if (!notes.includes(message)) notes.push(message)
      },
    }
    // Somebody deleted the store: what is asked of a deleted file is answered with what it held.
    if (fresh && !fresh.store.isThere()) close()
    context.fresh = fresh
    if (!fresh) {
      fresh = freshStore(context)!
      freshAt = performance.now()
    } else if (performance.now() - freshAt >= REFRESH_MS && !fresh.store.readOnly) {
      // Undefined while another process is at it: what is stored has to do.
      const found = freshen(fresh.store, context, {})
      if (found?.inventory !== fresh.found.inventory || found.read > 0) kept = undefined
      if (found) fresh = { ...fresh, found }
      freshAt = performance.now()
    }
    const { store, found } = fresh
    const others = store.othersWrote()
    if (kept?.others !== others) kept = { fresh: { found, store: withRowsKept(store) }, others }
    return { ...context, fresh: kept.fresh }
  }

  function close(): void {
    const closing = endings
    endings = []
    fresh = undefined
    kept = undefined
    for (const end of closing) end()
  }
}
