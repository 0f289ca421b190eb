import json5 from 'json5'
import { readSmall } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { SessionKind } from '../../model/event.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { SessionEntry } from '../../model/session-entry.ts'
import { entryOf, factsOf } from './session-entry.ts'
import { kindOfKey } from './session-kind.ts'

/** Skill snapshots make a real index a megabyte or more. */
const LIMIT = 64 * 1024 * 1024

/** What an index adds to a file it names. */
export type SessionHint = Pick<
  Artifact,
  'kindHint' | 'sessionKey' | 'titleHint' | 'entry' | 'updatedMs' | 'parentSessionId'
>

/** Hints by the stem of a transcript's name. */
export type SessionIndex = ReadonlyMap<string, SessionHint>

interface Entry {
  key: string
  sessionId: string
  fields: JsonObject
}

/**
 * Reads a `sessions.json`. It is a hint, never the truth: entries whose file is gone mean nothing, and most files of
 * a long history stand in no entry. Throws the system's error, or a SyntaxError for what is neither JSON nor JSON5.
 */
export function readSessionIndex(path: string): SessionIndex {
  const content = readSmall(path, LIMIT)
  if (!content) throw new Error(`larger than ${LIMIT} bytes`)
  return indexOf(parse(content.toString('utf8')))
}

/** Both shapes: a flat map from key to entry, and the same map wrapped in `{version, agents}`. */
export function indexOf(value: unknown): SessionIndex {
  const entries = entriesOf(value)
  const idByKey = new Map(entries.map(({ key, sessionId }) => [key, sessionId]))
  const index = new Map<string, SessionHint>()
  for (const { key, sessionId, fields } of entries) {
    const hint = hintOf(key, fields, idByKey)
    const file = stemOf(asText(fields.sessionFile))
    for (const stem of new Set([file ?? sessionId, sessionId])) add(index, stem, hint)
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

/** One session may stand under several keys: a cron job's own key and that of its run. Facts add up; human wins. */
function add(index: Map<string, SessionHint>, stem: string, hint: SessionHint): void {
  const known = index.get(stem)
  if (!known) {
    index.set(stem, hint)
    return
  }
  index.set(stem, {
    kindHint:
      known.kindHint === 'human' || hint.kindHint === 'human' ? 'human' : (known.kindHint ?? hint.kindHint),
    sessionKey: known.sessionKey,
    titleHint: known.titleHint ?? hint.titleHint,
    entry: known.entry && hint.entry ? bothOf(known.entry, hint.entry) : (known.entry ?? hint.entry),
    updatedMs: Math.max(known.updatedMs ?? 0, hint.updatedMs ?? 0) || undefined,
    parentSessionId: known.parentSessionId ?? hint.parentSessionId,
  })
}

/** A job's own key always leads to its last run: that it is a run stays true when it no more is the last. */
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
    entry: entryOf(key, factsOf(fields)),
    updatedMs: asTime(fields.updatedAt),
    parentSessionId: parentKey ? idByKey.get(parentKey) : undefined,
  }
}

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

/** The file may have been written on another machine: only its name counts, whatever the separator. */
function stemOf(file: string | undefined): string | undefined {
  const name = file?.split(/[\\/]/).at(-1)
  const end = name?.indexOf('.jsonl') ?? -1
  return name && end > 0 ? name.slice(0, end) : undefined
}

/** The client reads its index as JSON5, so comments and trailing commas of a hand-edited one are no fault. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return json5.parse(text)
  }
}
