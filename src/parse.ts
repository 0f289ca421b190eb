import { parseText } from './io/parse-line.ts'
import { type LineSource, textLines } from './io/text-lines.ts'
import type { Artifact, PlatformId } from './model/artifact.ts'
import type { Draft } from './model/event.ts'
import { createFold, type Fold } from './model/fold.ts'
import { foldEntries } from './model/fold-entries.ts'
import { hashText } from './model/id-set.ts'
import { asObject, asText } from './model/json.ts'
import { mapStrings } from './model/map-strings.ts'
import type { Item, Session } from './model/session.ts'
import { normalize as claudeCode } from './platforms/claude-code/normalize.ts'
import { normalize as openclaw } from './platforms/openclaw/normalize.ts'
import { redact } from './redact/redact.ts'

export type { LineSource } from './io/text-lines.ts'
export type { PlatformId } from './model/artifact.ts'
export type { SessionKind, Usage } from './model/event.ts'
export type { Accounting, Item, Session, Who } from './model/session.ts'

export interface ParseOptions {
  /** Whose transcript it is. */
  platform: PlatformId
  /** The session's id, where the records do not tell it. */
  session?: string
  /** OpenClaw's agent id; `main` unless given. */
  agent?: string
  /** False leaves secrets in. */
  redact?: boolean
}

/** What a transcript tells, item by item; to be gone through once. */
export interface Transcript extends AsyncIterable<Item> {
  /** The figures of the session, known when all of it was read: who spoke how often, title, tokens, what became of each line. */
  session(): Promise<Session>
}

interface Dialect {
  normalize(entry: unknown, artifact: Artifact): Draft[]
  agent: string
  id: string
  parentId: string
}

const DIALECTS: Record<PlatformId, Dialect> = {
  'claude-code': { normalize: claudeCode, agent: 'claude', id: 'uuid', parentId: 'parentUuid' },
  openclaw: { normalize: openclaw, agent: 'main', id: 'id', parentId: 'parentId' },
}

/**
 * Condenses a transcript from its text, its lines or a stream of its bytes, without a file system: it runs in browsers. All of it
 * is read before the first item comes, because what was said last may decide who spoke first. Faults of the data are counted in the
 * session's `accounting`; only what the source throws is thrown, and an unknown platform is a TypeError.
 */
export function parseTranscript(source: LineSource, options: ParseOptions): Transcript {
  if (!Object.hasOwn(DIALECTS, options.platform))
    throw new TypeError(`platform: ${options.platform} is none of ${Object.keys(DIALECTS).join(', ')}`)
  let read: Promise<{ session: Session; items: Item[] }> | undefined
  const once = () => {
    read ??= readAll(source, options)
    return read
  }
  return {
    async session() {
      return (await once()).session
    },
    async *[Symbol.asyncIterator]() {
      yield* (await once()).items
    },
  }
}

async function readAll(
  source: LineSource,
  options: ParseOptions,
): Promise<{ session: Session; items: Item[] }> {
  const { platform, session = '', agent } = options
  const dialect = DIALECTS[platform]
  const artifact: Artifact = {
    ...{ platform, root: '', path: '', kind: 'transcript', state: 'live' },
    ...{ sessionId: session, agent: agent ?? dialect.agent, bytes: 0, modifiedMs: 0 },
  }
  const clean = (text: string): string => (options.redact === false ? text : redact(text)).toWellFormed()
  const fold = createFold(artifact, { keep: 'condensed', clean })
  let bytes = 0
  for await (const { text, ...origin } of textLines(source)) {
    fold.line(origin)
    const parsed = parseText(text)
    const [first] = parsed.entries
    artifact.sessionId ||= sessionIn(first) ?? ''
    if (parsed.entries.length === 1 && !parsed.damaged) link(first, dialect, fold)
    foldEntries(parsed, origin, (entry) => dialect.normalize(entry, artifact), fold)
    bytes = origin.offset + origin.length
  }
  const { session: row, items } = fold.finish()
  return mapStrings({ session: { ...row, bytes }, items }, clean)
}

/** The session a record names: Claude Code on every one, OpenClaw in the first. */
function sessionIn(entry: unknown): string | undefined {
  const record = asObject(entry)
  return asText(record?.sessionId) ?? (record?.type === 'session' ? asText(record.id) : undefined)
}

/** Which record follows which: what was said on branches that were left is told by that. */
function link(entry: unknown, { id, parentId }: Dialect, fold: Fold): void {
  const record = asObject(entry)
  const [own, parent] = [asText(record?.[id]), asText(record?.[parentId])]
  if (!own) return
  const hash = { high: 0, low: 0 }
  const parentHash = { high: 0, low: 0 }
  hashText(own, hash)
  if (parent) hashText(parent, parentHash)
  fold.link(hash, parentHash)
}
