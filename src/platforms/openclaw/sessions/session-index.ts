import json5 from 'json5'
import { readSmall } from '../../../io/source.ts'
import type { Artifact, SessionEntry } from '../../../model/artifact.ts'
import type { SessionKind } from '../../../model/event.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { entryOf, factsOf } from './session-entry.ts'
import { kindOfKey } from './session-kind.ts'

/** Skill snapshots make a session index a megabyte or more. */
const LIMIT = 64 * 1024 * 1024

/** Facts that a session index adds to an artifact. */
export type SessionHint = Pick<
  Artifact,
  'kindHint' | 'sessionKey' | 'titleHint' | 'titleHintByHand' | 'entry' | 'updatedMs' | 'parentSessionId'
>

/** Hints by file name without `.jsonl`. `file`: the file of the session, if it has another name. */
export type SessionIndex = ReadonlyMap<string, SessionHint & { file?: string }>

interface Entry {
  key: string
  sessionId: string
  fields: JsonObject
}

/**
 * Reads a `sessions.json`. It is only a hint: entries whose file is gone are ignored, and most files of a
 * long history have no entry. Throws file system errors, or a SyntaxError if it is neither JSON nor JSON5.
 */
export function readSessionIndex(path: string): SessionIndex {
  const content = readSmall(path, LIMIT)
  if (!content) throw new Error(`larger than ${LIMIT} bytes`)
  return indexOf(parse(content.toString('utf8')))
}

/** Accepts both forms: a map from key to entry, and that map wrapped in `{version, agents}`. */
export function indexOf(value: unknown): SessionIndex {
  const entries = entriesOf(value)
  const idByKey = new Map(entries.map(({ key, sessionId }) => [key, sessionId]))
  const index = new Map<string, SessionHint>()
  for (const { key, sessionId, fields } of entries) {
    const hint = hintOf(key, fields, idByKey)
    const file = stemOf(asText(fields.sessionFile))
    for (const stem of new Set([file ?? sessionId, sessionId]))
      add(index, stem, stem === file || file === undefined ? hint : { ...hint, file })
    for (const earlier of asArray(fields.usageFamilySessionIds) ?? [])
      if (typeof earlier === 'string' && earlier !== sessionId)
        add(index, earlier, {
          kindHint: hint.kindHint,
          sessionKey: key,
          entry: entryOf(key),
          parentSessionId: hint.parentSessionId,
        })
  }
  return index
}

/**
 * Several keys may lead to one session, such as those of a cron job and its run. Their facts are merged;
 * `human` takes precedence.
 */
function add(
  index: Map<string, SessionHint & { file?: string }>,
  stem: string,
  hint: SessionHint & { file?: string },
): void {
  const known = index.get(stem)
  if (!known) {
    index.set(stem, hint)
    return
  }
  index.set(stem, {
    kindHint:
      known.kindHint === 'human' || hint.kindHint === 'human' ? 'human' : (known.kindHint ?? hint.kindHint),
    sessionKey: known.sessionKey,
    ...(known.titleHint !== undefined ? titleFacts(known) : titleFacts(hint)),
    entry: known.entry && hint.entry ? bothOf(known.entry, hint.entry) : (known.entry ?? hint.entry),
    updatedMs: Math.max(known.updatedMs ?? 0, hint.updatedMs ?? 0) || undefined,
    parentSessionId: known.parentSessionId ?? hint.parentSessionId,
  })
}

/** A job's own key leads to its last run. That the session is a run remains true when another run follows. */
const bothOf = (known: SessionEntry, other: SessionEntry): SessionEntry => ({
  ...other,
  ...known,
  ...(other.surface === 'cron-run' && { surface: 'cron-run' }),
})

function hintOf(key: string, fields: JsonObject, idByKey: ReadonlyMap<string, string>): SessionHint {
  const parentKey = asText(fields.spawnedBy) ?? asText(fields.parentSessionKey)
  return {
    kindHint: kindOfKey(key) as SessionKind | undefined,
    sessionKey: key,
    titleHint: titleOf(fields),
    // A person gave the label. The rest are names that the client or a channel has for it.
    ...(trimmed(fields.label) !== undefined && { titleHintByHand: true }),
    entry: entryOf(key, factsOf(fields)),
    updatedMs: asTime(fields.updatedAt),
    parentSessionId: parentKey ? idByKey.get(parentKey) : undefined,
  }
}

const titleFacts = ({ titleHint, titleHintByHand }: SessionHint): SessionHint => ({
  titleHint,
  ...(titleHintByHand && { titleHintByHand }),
})

const titleOf = (fields: JsonObject): string | undefined =>
  trimmed(fields.label) ??
  trimmed(fields.autoLabel) ??
  trimmed(fields.displayName) ??
  trimmed(fields.subject) ??
  trimmed(asObject(fields.origin)?.label)

const trimmed = (value: unknown): string | undefined => asText(asText(value)?.trim())

function entriesOf(value: unknown): Entry[] {
  const root = asObject(value)
  const wrapped = asObject(root?.agents)
  const map = wrapped && !('sessionId' in wrapped) ? wrapped : root
  const pairs: [key: string, fields: JsonObject][] = []
  for (const item of asArray(value) ?? []) {
    const fields = asObject(item)
    if (fields) pairs.push([asText(fields.key) ?? asText(fields.sessionKey) ?? '', fields])
  }
  for (const [key, item] of Object.entries(map ?? {})) {
    const fields = asObject(item)
    if (fields) pairs.push([key, fields])
  }
  return pairs.flatMap(([key, fields]) => {
    const sessionId = asText(fields.sessionId) ?? asText(fields.activeSessionId)
    return sessionId ? [{ key, sessionId, fields }] : []
  })
}

/** The path may be from another machine, so only the file name counts, after either separator. */
function stemOf(file: string | undefined): string | undefined {
  const name = file?.split(/[\\/]/).at(-1)
  const end = name?.indexOf('.jsonl') ?? -1
  return name && end > 0 ? name.slice(0, end) : undefined
}

/** The client reads its index as JSON5, so comments and trailing commas are valid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return json5.parse(text)
  }
}
