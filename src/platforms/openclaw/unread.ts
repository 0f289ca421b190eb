import type { Dirent } from 'node:fs'
import type { Unread } from '../../model/artifact.ts'
import { backupName, isImportedIndex } from './file-names.ts'

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
