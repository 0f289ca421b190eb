import { hash } from 'node:crypto'
import json5 from 'json5'
import { readSmall } from '../../io/source.ts'
import type { TableEntry } from '../../model/delivery.ts'
import { asArray, asObject, asText, asTime } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { BEGINNING, type Checkpoint } from './checkpoint.ts'
import { createEnvelopes } from './envelope-line.ts'
import { idOf, scopeOf } from './record-id.ts'
import { redactorOptions } from './redactor-options.ts'
import { createChunks, type Slice, type SliceTask, TOO_LARGE } from './slice.ts'
import { type Source, sessionOf } from './source.ts'

/** Skill snapshots make an index a megabyte and more; nothing that is collected whole is longer than this. */
const LIMIT = 256 * 1024 * 1024

/**
 * Reads a source that is delivered whole: what of it is new since the checkpoint. An index, jobs and runs are one record an entry, so that
 * one that changed does not send all again. Throws the system's error, or the engine's.
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
    ...{ passedOver: 0, skipped: {}, malformed: 0, stubs: 0 },
    redactions: {} as Record<string, number>,
  }
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
    const redacted = redactor.redactJsonLine(text)
    for (const [kind, count] of Object.entries(redacted.kinds))
      counts.redactions[kind] = (counts.redactions[kind] ?? 0) + count
    const facts = {
      ...{ id, atMs, generation, session: source.session ?? sessionIn(raw, source), line: 1, offset: 0 },
      project: null,
      redactions: redacted.count,
    }
    const [head, tail] = write(facts)
    if (chunks.write(head, redacted.text, tail) > (settings.recordLimit ?? Number.POSITIVE_INFINITY)) {
      counts.stubs++
      const stub = { bytes: Buffer.byteLength(text), sha256: digest, reason: TOO_LARGE }
      const [before, behind] = write({ ...facts, stub })
      chunks.write(before, 'null', behind)
    }
    chunks.keep(id)
  }
  const next: Checkpoint = {
    ...{ generation, offset: 0, line: 1, headLength: 0, head: '', tail: '', anchor: BEGINNING, ids },
    ...{ size: source.bytes, modifiedMs: source.modifiedMs, identity: source.identity },
  }
  // Until the last of its chunks is delivered, what was known before is what is known.
  const before = (last: boolean): Checkpoint =>
    last ? next : { ...next, size: -1, ids: checkpoint?.ids ?? [] }
  return { chunks: chunks.chunks((_, last) => before(last)), next, more: false, read, ...counts }
}

function contentOf(source: Source): { entries: TableEntry[]; read: number } {
  const { row, platform, root, path } = source
  if (row.content === 'rows') {
    const entries = platformOf(platform).tableRows?.(root, row.kind, path) ?? []
    return { entries, read: source.bytes }
  }
  const content = readSmall(path, LIMIT)
  if (!content) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  const value = row.content === 'json' ? parsed(text) : undefined
  const entries = value === undefined ? [{ key: '', raw: { content: text } }] : entriesOf(source, value)
  return { entries, read: content.length }
}

/** An index by its sessions, jobs one by one, runs one by one; anything else is one entry. */
function entriesOf({ row, platform }: Source, value: unknown): TableEntry[] {
  const root = asObject(value)
  if (platform === 'openclaw') {
    const inner = asObject(root?.agents) ?? asObject(root?.jobs) ?? asObject(root?.runs)
    const list = asArray(value) ?? asArray(root?.jobs) ?? asArray(root?.runs)
    const pairs = list?.map((each, index) => [keyIn(each) ?? String(index), each] as const)
    const named =
      row.kind === 'session-index' ? Object.entries(inner ?? root ?? {}) : Object.entries(inner ?? {})
    const found = pairs ?? named
    if (found.length > 0)
      return found.map(([key, raw]) => ({ key, at: timeIn(raw), raw: pairs ? raw : { [key]: raw } }))
  }
  return [{ key: '', raw: value }]
}

const keyIn = (value: unknown): string | undefined => {
  const fields = asObject(value)
  return asText(fields?.key) ?? asText(fields?.id) ?? asText(fields?.jobId) ?? asText(fields?.runId)
}

const timeIn = (value: unknown): number | undefined => {
  const fields = asObject(value)
  return asTime(fields?.updatedAt) ?? asTime(fields?.updatedAtMs) ?? asTime(fields?.createdAt)
}

/** The session that an entry of an index tells of. */
function sessionIn(raw: unknown, source: Source): string | null {
  const fields = asObject(raw)
  const [only] = Object.values(fields ?? {})
  return sessionOf(fields, source) ?? sessionOf(asObject(only), source) ?? null
}

/** OpenClaw reads its files as JSON5. Undefined for what is neither. */
function parsed(text: string): unknown {
  for (const parse of [JSON.parse, json5.parse])
    try {
      return parse(text) ?? undefined
    } catch {
      // The other one may know it.
    }
  return undefined
}
