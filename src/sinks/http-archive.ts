import { asNumber, asText, type JsonObject } from '../model/json.ts'
import { type KnownSink, type SinkArchive, SinkError } from './sink.ts'

/**
 * Remembers which archive a receiver writes to, and how many records it holds, where its answers say so: a receiver of ours does. Another
 * archive, or one that holds fewer, is not the one that was delivered to.
 */
export function createArchiveWatch(place: string, known: KnownSink | undefined) {
  let seen: (SinkArchive & { holds: number }) | undefined
  const stop = (what: string): SinkError => new SinkError('stop', `${place} ${what}`, { wayOut: WAY_OUT })
  return {
    archive: (): SinkArchive | undefined => seen && { id: seen.id, position: String(seen.holds) },
    /** Whether there is anything that an answer could be held against. */
    expects: () => known?.id !== undefined,
    /** Throws a `SinkError` where an answer comes from another one. */
    see(said: JsonObject | undefined): void {
      const id = asText(said?.archive)
      if (id === undefined) return
      const holds = asNumber(said?.holds) ?? 0
      if (id !== (seen?.id ?? known?.id ?? id))
        throw stop('writes to another archive than the one that was delivered to.')
      // Later answers may overtake each other.
      if (!seen && holds < Number(known?.position ?? 0))
        throw stop('lacks records that were delivered to it.')
      seen = { id, holds: Math.max(holds, seen?.holds ?? 0) }
    },
  }
}

const WAY_OUT =
  'Put the right archive back. If this is the one to go on with, --redeliver delivers everything again that is still on this machine.'
