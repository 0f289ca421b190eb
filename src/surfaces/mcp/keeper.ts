import type { Context } from '../../commands/kit/command.ts'
import type { FreshStore } from '../../commands/kit/fresh.ts'
import { freshen, freshStore } from '../../commands/kit/fresh-store.ts'
import { withCachedRows } from './cached-rows.ts'

/** The least interval between updates of the open store. */
const REFRESH_MS = 1000

export interface Keeper {
  /** A context for one call. `notes` collects the notes. */
  context(notes: string[]): Context & { fresh: FreshStore }
  /** Closes the store. The next call opens it again. */
  close(): void
}

export function createKeeper(base: Context): Keeper {
  let fresh: FreshStore | undefined
  /** The same with cached rows, valid until the store or the disk changes. */
  let cached: { fresh: FreshStore; others: number } | undefined
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
    // The store was deleted. Queries of the deleted file would return outdated rows.
    if (fresh && !fresh.store.isThere()) close()
    context.fresh = fresh
    if (!fresh) {
      fresh = freshStore(context)!
      freshAt = performance.now()
    } else if (performance.now() - freshAt >= REFRESH_MS && !fresh.store.readOnly) {
      // Undefined while another process updates the store. Then the stored state is used.
      const found = freshen(fresh.store, context, {})
      if (found?.inventory !== fresh.found.inventory || found.read > 0) cached = undefined
      if (found) fresh = { ...fresh, found }
      freshAt = performance.now()
    }
    const { store, found } = fresh
    const others = store.othersWrote()
    if (cached?.others !== others) cached = { fresh: { found, store: withCachedRows(store) }, others }
    return { ...context, fresh: cached.fresh }
  }

  function close(): void {
    const closing = endings
    endings = []
    fresh = undefined
    cached = undefined
    for (const end of closing) end()
  }
}
