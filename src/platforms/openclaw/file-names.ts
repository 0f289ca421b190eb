import type { Dirent } from 'node:fs'
import { type ArtifactState, copiedName, type Unread } from '../../model/artifact.ts'

/** What the file name of a transcript says. */
export interface TranscriptName {
  /** The name before `.jsonl`: the session id, often with a topic or a time. */
  stem: string
  state: ArtifactState
  /** Import archives contain the session key, with `_` for every character outside of `A-Za-z0-9_.-`. */
  keySlug?: string
}

/**
 * The ISO time is written with `-` instead of `:`, except on some systems. Later versions add 32 hex digits
 * and may compress the file.
 */
const ARCHIVE =
  /^(.+)\.jsonl\.(reset|deleted)\.\d{4}-\d{2}-\d{2}T[\d:-]+(?:\.\d+)?Z?(?:\.[0-9a-f]{32})?(?:\.zst)?$/i
const IMPORTED = /^(.+)\.imported-\d+(?:\.\d+)?$/
/** Copies and by-products next to a transcript, under its name. */
const SIDECAR = /\.(?:checkpoint\.[0-9a-f-]{36}|trajectory|acp-stream)$/i
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const SLUGGED = new RegExp(`^(.*?)\\.((?:\\d{4}-\\d{2}-\\d{2}T[0-9-]+Z?_)?${UUID}.*)$`, 'i')

/**
 * Parses the name of a transcript in a `sessions` folder. Undefined for any other file: locks, indexes,
 * backups, by-products.
 */
export function transcriptName(name: string): TranscriptName | undefined {
  if (name.startsWith('.')) return undefined
  if (name.endsWith('.jsonl'))
    return copiedName(name) === undefined
      ? checked({ stem: name.slice(0, -'.jsonl'.length), state: 'live' })
      : undefined
  const [, stem, reason] = ARCHIVE.exec(name) ?? []
  return stem
    ? checked({ stem, state: reason?.toLowerCase() === 'deleted' ? 'deleted' : 'reset' })
    : undefined
}

/** Parses the name of a copy of a transcript, made by a human or by the client before a repair. */
export function backupName(name: string): TranscriptName | undefined {
  const stem = transcriptName(name) || importedName(name) ? undefined : copiedName(name)
  return stem === undefined ? undefined : checked({ stem, state: 'backup' })
}

/** Parses the name of a transcript in an import archive: `<key slug>.<original name>.imported-<ms>[.n]`. */
export function importedName(name: string): TranscriptName | undefined {
  const original = IMPORTED.exec(name)?.[1]
  const found = original ? transcriptName(original) : undefined
  if (!found) return undefined
  const state = found.state === 'deleted' ? 'deleted' : 'archived'
  const [, keySlug, stem] = SLUGGED.exec(found.stem) ?? split(found.stem)
  return keySlug && stem ? checked({ stem, state, keySlug }) : { ...found, state }
}

/** Whether a file is the archived `sessions.json` of a migrated agent. */
export const isImportedIndex = (name: string): boolean =>
  /(?:^|\.)sessions\.json\.imported-\d+(?:\.\d+)?$/.test(name)

function split(stem: string): [string, string, string] | [] {
  const dot = stem.indexOf('.')
  return dot > 0 ? [stem, stem.slice(0, dot), stem.slice(dot + 1)] : []
}

const checked = (name: TranscriptName): TranscriptName | undefined =>
  name.stem !== '' && !SIDECAR.test(name.stem) ? name : undefined

/** Files that are not meant to be transcripts. */
const KNOWN: readonly [name: RegExp, reason: string | undefined][] = [
  [/^sessions\.json(?:\.lock)?$/, undefined],
  [/^sessions\.json[._~-]/, 'a copy of the index'],
  [/^(?:_archived|cold)$/, undefined],
  [/\.lock$/, undefined],
  [/\.checkpoint\.[0-9a-f-]+\.jsonl$/, 'a copy made before a compaction: it repeats its session'],
  [/\.(?:trajectory|acp-stream)\b/, 'a trace of the program, not a transcript'],
  [/\.trajectory-path\.json$|\.codex-app-server\.json$/, 'bookkeeping of the program'],
  [/[._]tmp(?:\.|$)|\.part$/, 'an unfinished file'],
  [/\.(?:gz|bz2|xz|zip|tar|tgz)$/, 'compressed in a format that is not read'],
]

/** Why a file in a sessions folder is not read. Undefined for files that need no mention. */
export function reasonFor(entry: Dirent): Pick<Unread, 'reason' | 'copy'> | undefined {
  const { name } = entry
  if (isImportedIndex(name)) return undefined
  if (entry.isDirectory())
    return KNOWN.some(([known]) => known.test(name)) ? undefined : { reason: 'a folder that is not read' }
  if (backupName(name)) return { reason: 'a copy of a transcript', copy: true }
  const found = KNOWN.find(([known]) => known.test(name))
  if (found) return found[1] === undefined ? undefined : { reason: found[1] }
  return { reason: 'not a file that this version knows' }
}
