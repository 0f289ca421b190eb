import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import type { Context, FreshStore } from '../context/context.ts'
import { field } from '../context/flags.ts'
import { freshStore, synced, wholeStore } from '../context/fresh-store.ts'
import {
  noticesOf,
  noticesShape,
  scannedLines,
  scannedOf,
  scannedShape,
  unreadLine,
  unreadOf,
} from '../context/scanned.ts'
import { createLiveInventory } from '../deliver/live-inventory.ts'
import { ScrollbackError } from '../errors.ts'
import { finish } from '../model/iteration.ts'
import { platformOf } from '../platforms/index.ts'
import { counted, homely, readableBytes } from '../render/table.ts'
import { noteUnreadable } from '../selection/load-sessions.ts'
import type { Store } from '../store/store.ts'
import type { StoreStatistics } from '../store/stored.ts'
import { areRemembered, rememberRepositories } from '../sync/read/moved-folders.ts'
import { createFoldedFiles } from '../sync/read-increment.ts'
import type { Refreshed } from '../sync/refresh.ts'
import type { Synced } from '../sync/sync.ts'

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
    /** Where search by meaning is on: messages that got a vector, and what the encoder counted. */
    meaning: z.optional(z.object({ messages: z.number(), tokens: z.number() })),
  })

type Indexed = z.output<ReturnType<typeof output>>

/** The user asked for this, however long another process takes. */
const FOREVER = Number.POSITIVE_INFINITY

export const indexStore = defineCommand({
  name: 'index',
  summary: 'bring the store up to date, rebuild it, or keep it up to date',
  details:
    'Every command does this first. Only the new part of a transcript is read; a changed file is recognized by size, time and content.',
  examples: [
    { command: 'scrollback index', description: 'read what is new, and print how much that was' },
    { command: 'scrollback index --rebuild', description: 'read every transcript again from its first byte' },
    {
      command: 'scrollback index --watch',
      description: 'keep running, and index records as they are written',
    },
  ],
  input: z.object({
    rebuild: field.flag({ description: 'read everything again; keeps sessions whose files are gone' }),
    watch: field.flag({ description: 'keep running until Ctrl-C, and index transcripts as they grow' }),
  }),
  output,
  onlyRedacted: { because: 'the store contains no secrets' },
  async run(input, context): Promise<Indexed> {
    const fresh = await wholeStore(context, {
      words: true,
      rebuild: input.rebuild,
      patience: FOREVER,
      onDisk: true,
    })
    if (fresh.found.fault) throw fresh.found.fault
    if (fresh.store.readOnly)
      throw new ScrollbackError(
        'store-unreadable',
        `Nothing was indexed: the store at ${fresh.store.path} cannot be written.`,
        'Make room on its disk, or make it and its folder writable, or set SCROLLBACK_HOME to another folder.',
      )
    noteUnreadable(fresh.found, context)
    rememberFolders(fresh, context)
    const meaning = await addMeaning(fresh.store, context)
    if (!input.watch) return { ...answerOf(fresh, fresh.found), ...meaning }
    const total = { ...fresh.found }
    let last = fresh
    for await (const { store, found } of watched(fresh, context)) {
      for (const count of ['read', 'bytes', 'moved', 'gone'] as const) total[count] += found[count]
      total.faults = found.faults
      last = { store, found }
      await addMeaning(store, context)
    }
    return answerOf(last, total)
  },
  *render(answer, screen) {
    const { store, read, readBytes, unchanged, moved, gone } = answer
    if (store.sessions === 0) {
      yield 'No transcripts found. Searched:\n'
      yield* scannedLines(answer.scanned, screen.home)
      return
    }
    const also = [
      moved > 0 ? `${counted(moved, 'file')} under a new name` : '',
      gone > 0
        ? `${counted(gone, 'file')} deleted since the last run (their stored messages remain readable)`
        : '',
    ].filter((each) => each !== '')
    yield read === 0
      ? `Nothing new in ${counted(unchanged, 'file')}.\n`
      : `Read ${readableBytes(readBytes)} of ${counted(read, 'file')}; ${counted(unchanged, 'file')} unchanged.\n`
    for (const each of also) yield `${each}.\n`
    // The index of a small store is larger than what is in it, which says nothing.
    const share = store.transcriptBytes > 0 ? store.bytes / store.transcriptBytes : 1
    const part = share < 1 ? `, ${(share * 100).toFixed(1)} % of the transcripts` : ''
    yield `The store contains ${counted(store.messages, 'message')} of ${counted(store.sessions, 'transcript')} in ${readableBytes(store.bytes)}${part}: ${homely(store.path, screen.home)}\n`
    if (answer.meaning && answer.meaning.messages > 0)
      yield `${counted(answer.meaning.messages, 'message')} can be found by meaning now, for ${counted(answer.meaning.tokens, 'token')}.\n`
    yield* unreadLine(answer.unread, screen)
  },
})

/** Where search by meaning is on, gives messages vectors. An encoder that does not answer is only noted. */
async function addMeaning(store: Store, context: Context): Promise<Pick<Indexed, 'meaning'>> {
  if (!store.vectors?.set()) return {}
  const { fillVectors } = await import('../meaning/fill.ts')
  const { progress, stop, environment } = context
  progress?.start('Asking the encoder', store.vectors.counts().waiting, 'messages')
  const { messages, tokens, fault } = await fillVectors(store, {
    variables: environment.variables,
    stop,
    advanced: (count) => progress?.advance(count),
  })
  progress?.stop()
  if (fault)
    context.note(
      `Not everything can be found by meaning yet: ${fault.message} ${fault.wayOut ?? ''}`.trim(),
      'partly',
    )
  return { meaning: { messages, tokens } }
}

/** Where repositories are now, so that "doctor" finds them after a move. */
function rememberFolders({ store }: FreshStore, { dataFolder, globalFlags, remote, now }: Context): void {
  if (globalFlags?.demo || globalFlags?.from !== undefined || remote) return
  if (areRemembered(dataFolder, now)) return
  const own = store
    .sessions()
    .flatMap(({ session }) =>
      platformOf(session.platform).moving && session.cwds[0] ? [session.cwds[0][0]] : [],
    )
  rememberRepositories(new Set(own), dataFolder)
}

function answerOf({ store }: FreshStore, found: Refreshed): Indexed {
  const { artifacts, gone, messages, occurrences, transcriptBytes, storeBytes }: StoreStatistics =
    store.statistics()
  return {
    version: 1,
    scanned: scannedOf(found),
    notices: noticesOf(found),
    store: {
      path: store.path,
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
 * Refreshes the store whenever something below the roots changes, until it is stopped, and reports what it
 * read. If the store was deleted meanwhile, creates it again, because writes to a deleted file are lost.
 */
async function* watched(fresh: FreshStore, context: Context): AsyncGenerator<FreshStore> {
  let { store } = fresh
  const { environment, stop = new AbortController().signal } = context
  const lookout = createLiveInventory(environment, stop)
  const folded = createFoldedFiles()
  const folders = lookout.found().roots.filter((root) => root.found)
  context.note(
    `Watching ${folders.map(({ path }) => path).join(', ') || 'for the first transcript'}. Ctrl-C ends it.`,
  )
  try {
    for (let seen = await lookout.changed(0); !stop.aborted; seen = await lookout.changed(seen)) {
      const current: Context = { ...context, now: Date.now(), progress: undefined, fresh: undefined, folded }
      let found: Synced
      if (store.isThere()) found = finish(synced(store, current, { words: true, patience: 0 }))
      else {
        context.note(
          `${new Date().toISOString()} the store at ${store.path} was deleted or replaced: rebuilding it`,
        )
        store.close()
        ;({ store, found } = freshStore(current, { words: true }))
      }
      if (found.fault) throw found.fault
      if (found.read + found.moved + found.gone === 0) continue
      context.note(
        `${new Date().toISOString()} read ${readableBytes(found.bytes)} of ${counted(found.read, 'file')}`,
      )
      yield { store, found }
    }
  } finally {
    lookout.close()
  }
}
