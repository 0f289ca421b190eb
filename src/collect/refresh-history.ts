import { hash } from 'node:crypto'
import { readLines } from '../io/lines.ts'
import { parseLine } from '../io/parse-line.ts'
import { openSource } from '../io/source.ts'
import type { Artifact, HistoryFile } from '../model/artifact.ts'
import type { SessionEvent } from '../model/event.ts'
import { createFold } from '../model/fold.ts'
import { platformOf } from '../platforms/index.ts'
import type { Checkpoint, Increment, Known, Store, Written } from '../store/store.ts'
import type { Discovery } from './discover.ts'
import { packState } from './fold-state.ts'
import { messageRow, PARSER_VERSION } from './read-increment.ts'
import { cleanerOf, readerOf } from './read-session.ts'
import { seal, withoutSecrets } from './seal.ts'

/** Prompts of old versions name no session: after such a pause another one began. */
const PAUSE_MS = 6 * 3_600_000
/** A session that was just begun may not have its transcript yet. */
const YOUNG_MS = 3_600_000
/** A prompt stands in the history a moment before or after it stands in the transcript. */
const SLACK_MS = 60_000

/**
 * Recovers what was said in sessions whose transcripts the agent has deleted, from the file in which it keeps all prompts.
 * That file is read whole when it has changed; a session whose transcript is known is left to that.
 */
export function refreshHistories(store: Store, found: Discovery, now: number): number {
  let bytes = 0
  for (const root of found.roots) {
    const file = root.found ? platformOf(root.platform).history?.(root) : undefined
    if (!file) continue
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
    bytes += file.bytes
    const sessions = groupPrompts(readPrompts(file), store, transcripts, now)
    const before = new Map(purged.map((each) => [each.artifact.path, each]))
    const written = [...sessions].flatMap(
      ([id, events]) => purgedSession(file, id, events, before.get(`${file.path}#${id}`)) ?? [],
    )
    store.write([...written, historyItself(file, own)])
  }
  return bytes
}

const isSame = (checkpoint: Checkpoint, { bytes, modifiedMs, identity }: HistoryFile): boolean =>
  checkpoint.size === bytes &&
  checkpoint.modifiedMs === modifiedMs &&
  checkpoint.identity === identity &&
  checkpoint.parser === PARSER_VERSION

/** All prompts of the file, in its order, secrets taken out. */
function readPrompts(file: HistoryFile): SessionEvent[] {
  const platform = platformOf(file.platform)
  const events: SessionEvent[] = []
  const source = openSource(file.path)
  try {
    readLines(source, readerOf(platform).scanner, (line) => {
      if (!line.terminated || line.length > LONGEST) return
      const origin = { line: line.number, offset: line.offset, length: line.length }
      for (const [order, entry] of parseLine(line.bytes, line.start, line.end).entries.entries()) {
        const draft = withoutSecrets(platform.normalizeHistory?.(entry))
        if (draft) events.push({ ...draft, origin, index: 0, order })
      }
    })
  } finally {
    source.close()
  }
  return events
}

const LONGEST = 16 * 1024 * 1024

/** Prompts by session, without those whose transcript is known or may still come. */
function groupPrompts(
  events: readonly SessionEvent[],
  store: Store,
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

const spansOf = (store: Store): Span[] =>
  store.sessions().flatMap(({ session: { state, startedMs, lastActivityMs, cwds } }) =>
    state === 'purged' || startedMs === undefined
      ? []
      : {
          from: startedMs - SLACK_MS,
          to: (lastActivityMs ?? startedMs) + SLACK_MS,
          cwds: new Set(cwds.map(([path]) => path)),
        },
  )

/** A session made of its prompts alone; undefined when it is stored like that already. */
function purgedSession(
  file: HistoryFile,
  id: string,
  events: readonly SessionEvent[],
  known: Known | undefined,
): Written | undefined {
  const artifact: Artifact = {
    ...file,
    path: `${file.path}#${id}`,
    identity: undefined,
    kind: 'prompt-history',
    state: 'purged',
    sessionId: id,
    agent: 'claude',
    bytes: events.reduce((sum, event) => sum + event.origin.length + 1, 0),
  }
  const fold = createFold(artifact, { keep: 'condensed', clean: cleanerOf({}) })
  for (const event of events) {
    fold.line(event.origin)
    fold.accounting.add('event', '')
    fold.event({ ...event, id: undefined })
  }
  const { session, settlement } = fold.settle()
  const vocabulary: string[] = []
  const prompts = settlement.told().map((item) => messageRow(item, id, vocabulary))
  const content = hash('sha256', JSON.stringify(prompts), 'base64url').slice(0, 16)
  if (known?.checkpoint.tail === content) return undefined
  const checkpoint = { ...checkpointOf(file, known), identity: '', tail: content }
  const increment = seal({ ...incrementOf(artifact, known), prompts, session, checkpoint, vocabulary })
  return { increment, state: packState(fold.save()) }
}

/** The history as a file that was read: nothing is told of it but that. */
const historyItself = (file: HistoryFile, known: Known | undefined): Written => ({
  increment: seal({
    ...incrementOf({ ...file, kind: 'prompt-history', state: 'live', sessionId: '', agent: 'claude' }, known),
    checkpoint: checkpointOf(file, known),
  }),
  state: new Uint8Array(),
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
  allUsages: true,
  vocabulary: [],
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
  racy: false,
})
