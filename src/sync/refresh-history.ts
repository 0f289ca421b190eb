import { hash } from 'node:crypto'
import { readLines } from '../io/lines.ts'
import { parseLine } from '../io/parse-line.ts'
import { openSource } from '../io/source.ts'
import type { Artifact, Environment, HistoryFile } from '../model/artifact.ts'
import type { SessionEvent } from '../model/event.ts'
import { createFold } from '../model/fold/fold.ts'
import { identityOf, traitsOf } from '../platforms/identities.ts'
import { platformOf } from '../platforms/index.ts'
import type { Checkpoint, Increment, Known } from '../store/increment.ts'
import type { Sessions, Writer } from '../store/store.ts'
import type { Discovery } from './discover.ts'
import { forgottenTest } from './forgotten.ts'
import { cleanerOf } from './read/read-session.ts'
import { seal, withoutSecrets } from './read/seal.ts'
import { messageRow, PARSER_VERSION } from './read-increment.ts'
import type { RefreshedDocuments } from './refresh-documents.ts'

/** Prompts of old client versions contain no session id. After this pause a new session is assumed. */
const PAUSE_MS = 6 * 3_600_000
/** A session younger than this may not have a transcript yet. */
const YOUNG_MS = 3_600_000
/** The times of a prompt in the history and in the transcript may differ by this much. */
const SLACK_MS = 60_000

/**
 * Recovers the prompts of deleted transcripts from the prompt history. The history is read whole when it has
 * changed. Sessions with a known transcript are left out. A history that cannot be read is a fault.
 */
export function refreshHistories(
  store: Writer & Sessions,
  found: Discovery,
  {
    now,
    environment,
    faultOf,
  }: { now: number; environment: Pick<Environment, 'forgotten'>; faultOf(error: unknown): string },
): Pick<RefreshedDocuments, 'bytes' | 'faults'> {
  const isForgotten = forgottenTest(environment)
  let bytes = 0
  const faults: RefreshedDocuments['faults'] = []
  const files = found.roots.flatMap((root) =>
    root.found ? (platformOf(root.platform).history?.files(root) ?? []) : [],
  )
  for (const file of files) {
    const known = store.known()
    const own = known.get(file.path)
    const purged = [...known.values()].filter(
      ({ artifact }) => artifact.kind === 'prompt-history' && artifact.path.startsWith(`${file.path}#`),
    )
    const transcripts = new Set<string>()
    for (const { artifact } of known.values())
      if (artifact.kind === 'transcript') transcripts.add(artifact.sessionId)
    const returned = purged.filter(({ artifact }) => transcripts.has(artifact.sessionId))
    if (returned.length > 0) store.forget(returned.map(({ id }) => id))
    if (own && isSame(own.checkpoint, file)) continue
    let events: SessionEvent[]
    try {
      events = readPrompts(file)
    } catch (error) {
      faults.push({ path: file.path, fault: faultOf(error) })
      continue
    }
    bytes += file.bytes
    const sessions = groupPrompts(events, store, transcripts, now)
    for (const id of sessions.keys()) if (isForgotten?.(file.platform, id)) sessions.delete(id)
    const before = new Map(purged.map((each) => [each.artifact.path, each]))
    const written = [...sessions].flatMap(
      ([id, events]) => purgedSession(file, id, events, before.get(`${file.path}#${id}`)) ?? [],
    )
    store.write([...written, historyItself(file, own)])
  }
  return { bytes, faults }
}

const isSame = (checkpoint: Checkpoint, { bytes, modifiedMs, identity }: HistoryFile): boolean =>
  checkpoint.size === bytes &&
  checkpoint.modifiedMs === modifiedMs &&
  checkpoint.identity === identity &&
  checkpoint.parser === PARSER_VERSION

/** All prompts of the file in order, redacted. */
function readPrompts(file: HistoryFile): SessionEvent[] {
  const platform = platformOf(file.platform)
  const events: SessionEvent[] = []
  const source = platform.history?.open?.(file) ?? openSource(file.path)
  try {
    readLines(source, (line) => {
      if (!line.terminated || line.length > LONGEST) return
      const origin = { line: line.number, offset: line.offset, length: line.length }
      for (const [order, entry] of parseLine(line.bytes, line.start, line.end).entries.entries()) {
        const draft = withoutSecrets(platform.history?.normalize(entry))
        if (draft) events.push({ ...draft, origin, index: 0, order })
      }
    })
  } finally {
    source.close()
  }
  return events
}

const LONGEST = 16 * 1024 * 1024

/** Prompts by session, without sessions whose transcript is known or may still appear. */
function groupPrompts(
  events: readonly SessionEvent[],
  store: Writer & Sessions,
  transcripts: ReadonlySet<string>,
  now: number,
): Map<string, SessionEvent[]> {
  const sessions = new Map<string, SessionEvent[]>()
  const latest = new Map<string, { id: string; at: number }>()
  let spans: Span[] | undefined
  for (const event of events) {
    let id = event.sessionId
    if (id === undefined) {
      const at = event.at ?? 0
      spans ??= spansOf(store)
      if (spans.some((span) => span.cwds.has(event.cwd ?? '') && at >= span.from && at <= span.to)) continue
      const before = latest.get(event.cwd ?? '')
      id = before && at - before.at < PAUSE_MS ? before.id : `${at.toString(36)}-history`
      latest.set(event.cwd ?? '', { id, at })
    } else if (transcripts.has(id)) continue
    const same = sessions.get(id)
    if (same) same.push(event)
    else sessions.set(id, [event])
  }
  for (const [id, prompts] of sessions) if (now - (prompts.at(-1)!.at ?? 0) < YOUNG_MS) sessions.delete(id)
  return sessions
}

interface Span {
  from: number
  to: number
  cwds: Set<string>
}

const spansOf = (store: Writer & Sessions): Span[] =>
  store.sessions().flatMap(({ session: { state, startedMs, lastActivityMs, cwds } }) =>
    state === 'purged' || startedMs === undefined
      ? []
      : {
          from: startedMs - SLACK_MS,
          to: (lastActivityMs ?? startedMs) + SLACK_MS,
          cwds: new Set(cwds.map(([path]) => path)),
        },
  )

/** A session that consists of prompts only. Undefined if it is already stored like that. */
function purgedSession(
  file: HistoryFile,
  id: string,
  events: readonly SessionEvent[],
  known: Known | undefined,
): Increment | undefined {
  const artifact: Artifact = {
    ...file,
    path: `${file.path}#${id}`,
    identity: undefined,
    kind: 'prompt-history',
    state: 'purged',
    sessionId: id,
    agent: identityOf(file.platform).defaultAgent,
    bytes: events.reduce((sum, event) => sum + event.origin.length + 1, 0),
  }
  const fold = createFold(artifact, {
    keep: 'condensed',
    traits: traitsOf(artifact.platform),
    clean: cleanerOf({}),
  })
  for (const event of events) {
    fold.line(event.origin)
    fold.accounting.add('event', '')
    fold.event({ ...event, id: undefined })
  }
  const { session, settlement } = fold.settle()
  const prompts = settlement.promptItems().map((item) => messageRow(item, id))
  const content = hash('sha256', JSON.stringify(prompts), 'base64url').slice(0, 16)
  if (known?.checkpoint.tail === content) return undefined
  const checkpoint = { ...checkpointOf(file, known), identity: '', tail: content }
  return seal({ ...incrementOf(artifact, known), prompts, session, checkpoint })
}

/** The history as a file that was read, without items. */
const historyItself = (file: HistoryFile, known: Known | undefined): Increment =>
  seal({
    ...incrementOf(
      {
        ...file,
        kind: 'prompt-history',
        state: 'live',
        sessionId: '',
        agent: identityOf(file.platform).defaultAgent,
      },
      known,
    ),
    checkpoint: checkpointOf(file, known),
  })

const incrementOf = (artifact: Artifact, known: Known | undefined): Omit<Increment, 'checkpoint'> => ({
  artifact,
  base: known && { id: known.id, revision: known.revision },
  fresh: true,
  more: false,
  fromLine: 1,
  messages: [],
  left: [],
  sent: [],
  usages: [],
  statements: [],
  allUsages: true,
})

const checkpointOf = (
  { bytes, modifiedMs, identity = '' }: HistoryFile,
  known: Known | undefined,
): Checkpoint => ({
  generation: (known?.checkpoint.generation ?? 0) + 1,
  offset: bytes,
  line: 1,
  size: bytes,
  modifiedMs,
  identity,
  headLength: 0,
  head: '',
  tail: '',
  parser: PARSER_VERSION,
  recentlyModified: false,
})
