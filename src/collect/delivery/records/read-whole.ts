import { hash } from 'node:crypto'
import json5 from 'json5'
import { readSmall } from '../../../io/source.ts'
import { forgottenKey } from '../../../model/artifact.ts'
import type { TableEntry } from '../../../model/delivery.ts'
import { asObject, type JsonObject } from '../../../model/json.ts'
import { platformOf } from '../../../platforms/index.ts'
import { createRedactor } from '../../../redact/redactor.ts'
import { createChunks, type Slice, type SliceTask, TOO_LARGE } from '../slice.ts'
import type { Source } from '../source.ts'
import { BEGINNING, type Checkpoint } from '../state/checkpoint.ts'
import { createEnvelopes } from './envelope-line.ts'
import { idOf, scopeOf } from './record-id.ts'
import { redactorOptions } from './redactor-options.ts'

/**
 * Skill snapshots make a session index a megabyte or more. No source that is delivered whole is larger than
 * this.
 */
const LIMIT = 256 * 1024 * 1024

/**
 * Reads a source that is delivered whole and returns what is new since the checkpoint. The entries of a
 * session index, and jobs and runs, are separate records, so that one change does not send everything again.
 * Throws file system errors, or those of the database engine.
 */
export function readWhole({ source, checkpoint, settings }: SliceTask): Slice {
  const { entries, read } = contentOf(source)
  const scope = scopeOf(source)
  const known = new Set(checkpoint?.gone ? [] : checkpoint?.ids)
  const generation = (checkpoint?.generation ?? 0) + 1
  const redactor = createRedactor(redactorOptions(settings))
  const write = createEnvelopes(source, settings, redactor)
  const chunks = createChunks(settings)
  const counts = {
    ...{ passedOver: 0, forgotten: 0, skipped: {}, malformed: 0, stubs: 0 },
    redactions: {} as Record<string, number>,
  }
  const forgotten = new Set(settings.forgotten)
  const ids: string[] = []
  for (const { key, at, raw } of entries) {
    const text = JSON.stringify(raw) ?? 'null'
    const digest = hash('sha256', text, 'hex')
    const id = idOf(scope, key, digest)
    ids.push(id)
    if (known.has(id)) continue
    known.add(id)
    const atMs = at ?? source.modifiedMs
    if (settings.historyFromMs !== null && atMs < settings.historyFromMs) {
      counts.passedOver++
      continue
    }
    const session = source.session ?? sessionIn(raw, source)
    if (session !== null && forgotten.has(forgottenKey(source.platform, session))) {
      counts.forgotten++
      continue
    }
    const redacted = redactor.redactJsonLine(text)
    for (const [kind, count] of Object.entries(redacted.kinds))
      counts.redactions[kind] = (counts.redactions[kind] ?? 0) + count
    const facts = {
      ...{ id, atMs, generation, session, line: 1, offset: 0 },
      project: null,
      redactions: redacted.count,
    }
    const [head, tail] = write(facts)
    if (chunks.write(head, redacted.text, tail) > (settings.recordLimit ?? Number.POSITIVE_INFINITY)) {
      counts.stubs++
      const stub = { bytes: Buffer.byteLength(text), sha256: digest, reason: TOO_LARGE }
      const [before, after] = write({ ...facts, stub })
      chunks.write(before, 'null', after)
    }
    chunks.keep(id)
  }
  const next: Checkpoint = {
    ...{ generation, offset: 0, line: 1, headLength: 0, head: '', tail: '', anchor: BEGINNING, ids },
    ...{ size: source.bytes, modifiedMs: source.modifiedMs, identity: source.identity },
  }
  // Until the last chunk is delivered, the checkpoint keeps the old ids.
  const before = (last: boolean): Checkpoint =>
    last ? next : { ...next, size: -1, ids: checkpoint?.ids ?? [] }
  return { chunks: chunks.chunks((_, last) => before(last)), next, more: false, read, ...counts }
}

function contentOf(source: Source): { entries: TableEntry[]; read: number } {
  const { row, platform, root, path } = source
  const { delivery } = platformOf(platform)
  if (row.content === 'rows') {
    const entries = delivery.rows?.(root, row.kind, path) ?? []
    return { entries, read: source.bytes }
  }
  const content = readSmall(path, LIMIT)
  if (!content) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  const value = row.content === 'json' ? parsed(text) : undefined
  const entries =
    value === undefined
      ? [{ key: '', raw: { content: text } }]
      : (delivery.entries?.(value, row.kind) ?? [{ key: '', raw: value }])
  return { entries, read: content.length }
}

/** The session that an entry of a session index describes. */
function sessionIn(raw: unknown, source: Source): string | null {
  const fields = asObject(raw) ?? {}
  const { delivery } = platformOf(source.platform)
  const sessionOf = (entry: JsonObject) =>
    delivery.record(entry, { kind: source.row.kind, sessions: source.sessions }).session
  const [only] = Object.values(fields)
  return sessionOf(fields) ?? sessionOf(asObject(only) ?? {}) ?? null
}

/** Parses JSON, or JSON5, which some clients accept. Undefined if neither parses. */
function parsed(text: string): unknown {
  for (const parse of [JSON.parse, json5.parse])
    try {
      return parse(text) ?? undefined
    } catch {
      // Try the other parser.
    }
  return undefined
}
