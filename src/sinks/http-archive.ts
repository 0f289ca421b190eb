import type { RecordsAnswer } from './http-records.ts'
import { type KnownSink, type SinkArchive, SinkError } from './sink.ts'

/**
 * Remembers the archive that a receiver writes to and how many records it contains, if its responses say so
 * (our receiver does). A different archive, or one with fewer records, is not the one of earlier deliveries.
 */
export function createArchiveWatch(name: string, known: KnownSink | undefined) {
  let seen: (SinkArchive & { holds: number }) | undefined
  const stop = (what: string): SinkError => new SinkError('stop', `${name} ${what}`, { wayOut: WAY_OUT })
  return {
    archive: (): SinkArchive | undefined => seen && { id: seen.id, position: String(seen.holds) },
    /** Whether a response can be compared with a known archive. */
    expects: () => known?.id !== undefined,
    /** Throws a `SinkError` if a response comes from another archive. */
    see({ archive: id = '', holds = 0 }: RecordsAnswer): void {
      if (id === '') return
      if (id !== (seen?.id ?? known?.id ?? id)) throw stop('writes to a different archive than before.')
      // Later responses may arrive out of order.
      if (!seen && holds < Number(known?.position ?? 0))
        throw stop('lacks records that were delivered before.')
      seen = { id, holds: Math.max(holds, seen?.holds ?? 0) }
    },
  }
}

const WAY_OUT =
  'Restore the right archive. To continue with this one, use --redeliver: it delivers everything that is still on this machine again.'
