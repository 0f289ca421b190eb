import { append, type Steps } from '../model/iteration.ts'
import type { ChangedFile, Changes, FileHeader } from '../store/changes.ts'
import type { Known } from '../store/increment.ts'
import type { Store } from '../store/store.ts'
import type { Inbox, SentFile, SentPart } from '../store/team.ts'
import { endsOf } from './ended-sessions.ts'

/** Limits of one batch: the characters of its texts, and its rows. */
const BATCH = { characters: 8 * 1024 * 1024, rows: 20_000 }
/** Files that are announced together. */
const FILES = 500

/** A store that notes what changes, as those of a machine do. */
export type NotingStore = Store & { changes: Changes }

export const notesChanges = (store: Store): store is NotingStore => store.changes !== undefined

/** What is sent, and where to. */
export interface PushOptions {
  /** The address of the space, which the store knows it by. */
  address: string
  /** The files that belong there, by id. */
  wanted: ReadonlySet<number>
  /** Whose files these are, unless they say it. */
  person: string
  /** A file as its own machine has it, if that is another one. */
  atOrigin?(header: FileHeader): FileHeader
  /** The version of this program. */
  program: string
  now: number
  /** The space also gets a note if nothing is new. By default it does. */
  notes?: boolean
  advance?(messages: number): void
}

export interface PushReport {
  /** Files that were sent, messages that they did not have before, and files that were removed. */
  files: number
  messages: number
  removed: number
  /** Files that the space refuses. */
  refused: number
  /** Bytes that were sent. */
  bytes: number
  /** The space got a note that nothing is missing. */
  noted: boolean
}

const NO_PROJECT = { name: undefined, folder: undefined }

interface NamedProject {
  name: string | undefined
  folder: string | undefined
}

/** Which projects belong to a space. */
export interface ProjectChoice {
  isWanted(project: NamedProject): boolean
  /** The project of a memory document. */
  ownerOf?(known: Known): NamedProject | undefined
}

/** The files of a store that belong to a space, by id. */
export function wantedFiles(store: Store, { isWanted, ownerOf }: ProjectChoice): Set<number> {
  const projects = new Map(
    store.sessions().map(({ session: { path }, project, folder }) => [path, { name: project, folder }]),
  )
  const wanted = new Set<number>()
  for (const known of store.known().values()) {
    const { path, kind, device } = known.artifact
    // A copy of what another machine has is sent by that machine.
    if (device !== undefined) continue
    const project = kind === 'memory' ? (ownerOf?.(known) ?? NO_PROJECT) : projects.get(path)
    // Other files have no session, such as the prompt history of a client.
    if (project && isWanted(project)) wanted.add(known.id)
  }
  return wanted
}

/**
 * Sends what has changed in a store since the last delivery to a space, in batches. What was not acknowledged
 * is sent again by the next delivery, and rows that arrive twice or late change nothing, because each has the
 * number of its change. Nothing is read from the space.
 */
export function* pushChanges(store: NotingStore, inbox: Inbox, options: PushOptions): Steps<PushReport> {
  const { changes } = store
  const target = changes.target(options.address)
  const version = changes.begin(options.now)
  const due = changes.due(target, options.wanted)
  const report: PushReport = { files: 0, messages: 0, removed: 0, refused: 0, bytes: 0, noted: false }
  const ends = endsOf(store)
  const finish = (files: readonly SentFile[]): void => {
    const refused = new Set(inbox.finish(files, version))
    changes.refused(target, [...refused], version)
    const taken = files.filter((file) => !refused.has(file))
    changes.acknowledge(target, taken, version)
    report.files += taken.filter(({ header }) => header).length
    report.removed += taken.filter(({ header }) => !header).length
  }
  for (let from = 0; from < due.length; from += FILES) {
    const files = due.slice(from, from + FILES).map((file): SentFile => {
      const { header, ...read } = changes.withHeader(file)
      const sent = header && (options.atOrigin?.(header) ?? header)
      return {
        ...read,
        ...(sent && { header: sent }),
        person: header?.person || options.person,
        endedMs: ends.get(file.id) ?? 0,
      }
    })
    const refused = new Set(inbox.announce(files.filter(({ since, header }) => since === 0 && header)))
    changes.refused(target, [...refused], version)
    const taken = files.filter((file) => !refused.has(file))
    changes.began(target, taken)
    yield* sendRows(taken, { changes, inbox, target, version, report, finish, advance: options.advance })
  }
  const { files, refused } = changes.state(target)
  report.refused = refused
  report.bytes = inbox.bytes()
  changes.complete(target, version)
  let newestMs = 0
  for (const endedMs of ends.values()) newestMs = Math.max(newestMs, Math.trunc(endedMs))
  report.noted = report.files + report.removed > 0 || options.notes !== false
  if (report.noted)
    inbox.delivered({
      person: options.person,
      program: options.program,
      files,
      messages: report.messages,
      refused,
      newestMs,
    })
  return report
}

interface Sending {
  changes: Changes
  inbox: Inbox
  target: number
  version: number
  report: PushReport
  finish(files: readonly SentFile[]): void
  advance: PushOptions['advance']
}

/** Sends the rows of files, as many at once as fit into a batch, and then what makes them visible. */
function* sendRows(
  files: readonly SentFile[],
  { changes, inbox, target, version, report, finish, advance }: Sending,
): Steps<void> {
  let parts: SentPart[] = []
  let ended: SentFile[] = []
  let characters = 0
  let rows = 0
  const refused = new Set<ChangedFile>()
  /** A file that is read again from its first byte has its messages at other positions. */
  const added = new Map<ChangedFile, number>()
  const flush = (): void => {
    const some = inbox.send(
      parts.filter(({ file }) => !refused.has(file)),
      version,
    )
    for (const file of some) refused.add(file)
    changes.refused(target, some, version)
    for (const { file, items } of parts)
      for (const { item } of items) added.set(file, (added.get(file) ?? 0) + (item ? 1 : -1))
    advance?.(rows)
    const complete = ended.filter((file) => !refused.has(file))
    finish(complete)
    for (const file of complete) report.messages += Math.max(0, added.get(file) ?? 0)
    parts = []
    ended = []
    characters = 0
    rows = 0
  }
  for (const file of files) {
    const part = {
      file,
      items: [] as SentPart['items'][number][],
      usages: [] as SentPart['usages'][number][],
    }
    let current = part
    parts.push(current)
    for (const item of changes.items(file)) {
      current.items.push(item)
      rows++
      characters += (item.item?.text?.length ?? 0) + (item.item?.target?.length ?? 0)
      if (characters < BATCH.characters && rows < BATCH.rows) continue
      flush()
      yield
      current = { file, items: [], usages: [] }
      parts.push(current)
    }
    append(current.usages, [...changes.usages(file)])
    rows += current.usages.length
    ended.push(file)
  }
  if (ended.length > 0) flush()
  yield
}
