import type { Dirent } from 'node:fs'
import type { Unread } from '../../model/artifact.ts'
import { backupName, isImportedIndex } from './file-names.ts'

/** What is no transcript by intention. */
const KNOWN: readonly [name: RegExp, reason: string | undefined][] = [
  [/^sessions\.json(?:\.lock)?$/, undefined],
  [/^sessions\.json[._~-]/, 'a copy of the index'],
  [/^(?:_archived|cold)$/, undefined],
  [/\.lock$/, undefined],
  [/\.checkpoint\.[0-9a-f-]+\.jsonl$/, 'a copy made before a compaction: it repeats its session'],
  [/\.(?:trajectory|acp-stream)\b/, 'a trace of the program, no transcript'],
  [/\.trajectory-path\.json$|\.codex-app-server\.json$/, 'bookkeeping of the program'],
  [/[._]tmp(?:\.|$)|\.part$/, 'a file in the making'],
  [/\.(?:gz|bz2|xz|zip|tar|tgz)$/, 'packed in a way that is not read'],
]

/** Why a file in a folder of sessions is not read; undefined for what nobody asks about. */
export function reasonFor(entry: Dirent): Pick<Unread, 'reason' | 'copy'> | undefined {
  const { name } = entry
  if (isImportedIndex(name)) return undefined
  if (entry.isDirectory())
    return KNOWN.some(([known]) => known.test(name))
      ? undefined
      : { reason: 'a folder that is not looked into' }
  if (backupName(name)) return { reason: 'a copy of a transcript', copy: true }
  const found = KNOWN.find(([known]) => known.test(name))
  if (found) return found[1] === undefined ? undefined : { reason: found[1] }
  return { reason: 'no file that this version knows' }
}
