import * as z from 'zod/mini'
import type { Refreshed } from '../collect/refresh.ts'
import { ScrollbackError } from '../errors.ts'
import { watchFolders } from '../io/watch.ts'
import type { StoreStatistics } from '../store/store.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { type FreshStore, freshen, freshStore } from './fresh-store.ts'
import { noteUnreadable } from './load.ts'
import { noticeLines, noticesOf, noticesShape, scannedLines, scannedOf, scannedShape } from './scanned.ts'
import { counted, homely, readableBytes } from './table.ts'
import { unreadLine, unreadOf } from './unread.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    store: z.object({
      path: z.string(),
      bytes: z.number(),
      transcriptBytes: z.number(),
      sessions: z.number(),
      gone: z.number(),
      messages: z.number(),
      occurrences: z.number(),
    }),
    read: z.number(),
    readBytes: z.number(),
    unchanged: z.number(),
    moved: z.number(),
    gone: z.number(),
    faults: z.array(z.object({ path: z.string(), fault: z.string() })),
    unread: z.number(),
  })

type Indexed = z.output<ReturnType<typeof output>>

/** Somebody else's indexing is waited for: this command is asked for by name. */
const PATIENCE_MS = 3_600_000

export const indexStore = defineCommand({
  name: 'index',
  summary: 'bring the store up to date, read everything again, or keep it up to date',
  details:
    'Every command does this first by itself. Only what is new in a transcript is read; files are told apart by size, time and content.',
  examples: [
    { command: 'scrollback index', tells: 'read what is new and say how much it was' },
    { command: 'scrollback index --rebuild', tells: 'read every transcript again, from its first byte' },
    { command: 'scrollback index --watch', tells: 'stay, and read what is written as it is written' },
  ],
  input: z.object({
    rebuild: field.flag({ description: 'read everything again; what only the store still holds is kept' }),
    watch: field.flag({ description: 'stay and read on as transcripts grow; Ctrl-C ends it' }),
  }),
  output,
  async run(input, context): Promise<Indexed> {
    const fresh = freshStore(context, { rebuild: input.rebuild, patience: PATIENCE_MS })
    if (!fresh)
      throw new ScrollbackError(
        'bad-option',
        '--no-redact: the store holds no secrets',
        'Leave --no-redact away.',
      )
    if (fresh.store.readOnly)
      throw new ScrollbackError(
        'store-unreadable',
        `Nothing was indexed: the store at ${fresh.store.place} cannot be written.`,
        'Make room on its disk, or make it and its folder writable, or set SCROLLBACK_HOME to another folder.',
      )
    noteUnreadable(fresh.found, context)
    if (!input.watch) return answerOf(fresh, fresh.found)
    const total = { ...fresh.found }
    let last = fresh
    for await (const { store, found } of watched(fresh, context)) {
      for (const count of ['read', 'bytes', 'moved', 'gone'] as const) total[count] += found[count]
      total.faults = found.faults
      last = { store, found }
    }
    return answerOf(last, total)
  },
  *render(answer, screen) {
    const { store, read, readBytes, unchanged, moved, gone } = answer
    if (store.sessions === 0) {
      yield 'No transcripts found. Looked in:\n'
      const roots = answer.scanned.map(({ platform, root, found }) => ({
        ...{ platform: platform as 'openclaw', path: root, found, reason: platform },
      }))
      yield* scannedLines({ roots }, screen.home)
      yield* noticeLines(answer.notices, screen.home)
      return
    }
    const also = [
      moved > 0 ? `${counted(moved, 'file')} under a new name` : '',
      gone > 0 ? `${counted(gone, 'file')} gone since the last time (what was stored stays readable)` : '',
    ].filter((each) => each !== '')
    yield read === 0
      ? `Nothing new in ${counted(unchanged, 'file')}.\n`
      : `Read ${readableBytes(readBytes)} of ${counted(read, 'file')}; ${counted(unchanged, 'file')} unchanged.\n`
    for (const each of also) yield `${each}.\n`
    const part = store.transcriptBytes > 0 ? ((store.bytes / store.transcriptBytes) * 100).toFixed(1) : '-'
    yield `The store holds ${counted(store.messages, 'message')} of ${counted(store.sessions, 'transcript')} in ${readableBytes(store.bytes)}, ${part} % of the transcripts: ${homely(store.path, screen.home)}\n`
    yield* noticeLines(answer.notices, screen.home)
    yield* unreadLine(answer.unread, screen)
  },
})

function answerOf({ store }: FreshStore, found: Refreshed): Indexed {
  const { artifacts, gone, messages, occurrences, transcriptBytes, storeBytes }: StoreStatistics =
    store.statistics()
  return {
    version: 1,
    scanned: scannedOf(found),
    notices: noticesOf(found),
    store: {
      path: store.place,
      bytes: storeBytes,
      transcriptBytes,
      sessions: artifacts,
      gone,
      messages,
      occurrences,
    },
    read: found.read,
    readBytes: found.bytes,
    unchanged: found.unchanged,
    moved: found.moved,
    gone: found.gone,
    faults: found.faults,
    unread: unreadOf(found).length,
  }
}

/**
 * Refreshes the store whenever something changed below the roots, until it is stopped, and says what it read. A store that was deleted
 * meanwhile is made anew: what is written to a deleted file is lost.
 */
async function* watched(fresh: FreshStore, context: Context): AsyncGenerator<FreshStore> {
  let { store } = fresh
  const folders = fresh.found.roots.filter((root) => root.found).map((root) => root.path)
  context.note(`Watching ${folders.join(', ')}. Ctrl-C ends it.`)
  for await (const _ of watchFolders(folders, context.stop)) {
    const current: Context = { ...context, now: Date.now(), progress: undefined, fresh: undefined }
    let found: Refreshed | undefined
    if (store.isThere()) found = freshen(store, current, {})
    else {
      context.note(
        `${new Date().toISOString()} the store at ${store.place} was deleted or replaced: it is made anew`,
      )
      store.close()
      ;({ store, found } = freshStore(current, { patience: PATIENCE_MS })!)
    }
    if (!found || found.read + found.moved + found.gone === 0) continue
    context.note(
      `${new Date().toISOString()} read ${readableBytes(found.bytes)} of ${counted(found.read, 'file')}`,
    )
    yield { store, found }
  }
}
