import { parseText } from './io/parse-line.ts'
import { type LineSource, textLines } from './io/text-lines.ts'
import type { Artifact } from './model/artifact.ts'
import type { Draft } from './model/event.ts'
import { createFold } from './model/fold/fold.ts'
import { foldEntries } from './model/fold/fold-entries.ts'
import { mapStrings } from './model/map-strings.ts'
import type { PlatformId } from './model/platform-id.ts'
import type { Item, Session } from './model/session.ts'
import { identityOf, traitsOf } from './platforms/identities.ts'
import { normalizers } from './platforms/normalizers.ts'
import { redact } from './redact/redact.ts'

export type { LineSource } from './io/text-lines.ts'
export type { SessionKind, Usage } from './model/event.ts'
export type { PlatformId } from './model/platform-id.ts'
export type { Accounting, Item, Session, Who } from './model/session.ts'

/**
 * How a transcript is parsed.
 *
 * @example
 * import { type ParseOptions, parseTranscript } from 'agent-scrollback/parse'
 *
 * const options: ParseOptions = { platform: 'openclaw', session: 'fern', agent: 'ops' }
 * const { id, agent } = await parseTranscript('', options).session()
 * const named = [id, agent]
 * named // => ['fern', 'ops']
 */
export interface ParseOptions {
  /** The platform that wrote the transcript. */
  platform: PlatformId
  /** The session id, if the records do not contain it. */
  session?: string
  /** OpenClaw's agent id. Default: `main`. */
  agent?: string
  /** False keeps secrets in the texts. Default: true. */
  redact?: boolean
}

/**
 * The items of a transcript, in order. The source is read when the first item or the session is requested.
 *
 * @example
 * import { parseTranscript } from 'agent-scrollback/parse'
 *
 * const transcript = parseTranscript('no JSON', { platform: 'claude-code' })
 * const malformed = (await transcript.session()).accounting.malformed
 * malformed // => 1
 */
export interface Transcript extends AsyncIterable<Item> {
  /**
   * The session: title, message counts, usage and the accounting of its lines. Resolves after all of the
   * source is read.
   */
  session(): Promise<Session>
}

/**
 * Condenses a transcript from its text, its lines or a stream of its bytes. Needs no file system, so it also
 * runs in browsers. All of the source is read before the first item is yielded, because the last message may
 * decide the speaker of the first. Problems with the data are counted in the session's `accounting`. Errors
 * of the source are passed on; an unknown platform throws a TypeError.
 *
 * @example
 * import { parseTranscript } from 'agent-scrollback/parse'
 *
 * const message = { content: 'Which soil?' }
 * const record = { type: 'user', uuid: '1', sessionId: 's', timestamp: '2026-11-01T10:00:00Z', message }
 * const lines = [JSON.stringify(record)]
 * const items = await Array.fromAsync(parseTranscript(lines, { platform: 'claude-code' }))
 * items.map(({ text, line }) => [text, line]) // => [['Which soil?', 1]]
 */
export function parseTranscript(source: LineSource, options: ParseOptions): Transcript {
  if (!normalizers.has(options.platform))
    throw new TypeError(`platform: ${options.platform} is none of ${[...normalizers.keys()].join(', ')}`)
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
  const identity = identityOf(platform)
  const normalize = normalizers.get(platform)!
  const artifact: Artifact = {
    ...{ platform, root: '', path: '', kind: 'transcript', state: 'live' },
    ...{ sessionId: session, agent: agent ?? identity.defaultAgent, bytes: 0, modifiedMs: 0 },
  }
  const normalizeOwn = (entry: unknown): Draft[] => normalize(entry, artifact)
  const clean = (text: string): string => (options.redact === false ? text : redact(text)).toWellFormed()
  const fold = createFold(artifact, { keep: 'condensed', traits: traitsOf(platform), clean })
  let bytes = 0
  for await (const { text, ...origin } of textLines(source)) {
    fold.line(origin)
    const parsed = parseText(text)
    artifact.sessionId ||= sessionIn(normalizeOwn(parsed.entries[0])) ?? ''
    foldEntries(parsed, origin, { normalize: normalizeOwn, record: identity.record }, fold)
    bytes = origin.offset + origin.length
  }
  const { session: row, items } = fold.finish()
  return mapStrings({ session: { ...row, bytes }, items }, clean)
}

/** The session id in a record: of each record, or of the header. */
function sessionIn(drafts: readonly Draft[]): string | undefined {
  for (const { payload, sessionId } of drafts) {
    const id = (payload.type === 'session' ? payload.sessionId : undefined) ?? sessionId
    if (id !== undefined) return id
  }
  return undefined
}
