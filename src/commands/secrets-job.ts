import { openArtifact } from '../collect/open-artifact.ts'
import { readBlocks } from '../io/blocks.ts'
import { parseLine } from '../io/parse-line.ts'
import { openSource } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import { asObject } from '../model/json.ts'
import { platformOf } from '../platforms/index.ts'
import { createFingerprint } from '../redact/fingerprint.ts'
import { findSecrets } from '../redact/redact.ts'
import { faultOf } from './index-job.ts'

export interface SecretSettings {
  /** Of the fingerprints, in base64: the same in every thread of a run, and in no other run. */
  key: string
  /** Only these kinds; all of them when empty. */
  kinds: readonly string[]
}

/** A line that holds a secret; of the secret its kind and its fingerprint. */
export interface SecretPlace {
  kind: string
  id: string
  line: number
  /** Byte at which the line begins. */
  offset: number
  /** When the record says it was made, in ms. */
  at?: number
}

export type SecretResult =
  | { path: string; places: SecretPlace[]; lines: number; tooLong: number }
  | { path: string; fault: string }

/** Makes the search for secrets in the lines of one file or of one session of a database. */
export function createSecretSearch({ key, kinds }: SecretSettings): (artifact: Artifact) => SecretResult {
  const fingerprint = createFingerprint(Buffer.from(key, 'base64'))
  const isWanted = (kind: string): boolean => kinds.length === 0 || kinds.includes(kind)

  function inLine(
    bytes: Buffer,
    start: number,
    end: number,
    artifact: Artifact,
  ): Omit<SecretPlace, 'line' | 'offset'>[] {
    const text = bytes.toString('utf8', start, end)
    const findings = findSecrets(text).filter(({ kind }) => isWanted(kind))
    if (findings.length === 0) return []
    const at = timeOf(bytes, start, end, artifact)
    const found = new Map(
      findings.map(({ kind, start: from, end: to }) => [fingerprint(text.slice(from, to)), kind]),
    )
    return [...found].map(([id, kind]) => ({ kind, id, ...(at === undefined ? {} : { at }) }))
  }

  return (artifact) => {
    const places: SecretPlace[] = []
    let lines = 0
    try {
      const source = artifact.kind === 'transcript' ? openArtifact(artifact) : openSource(artifact.path)
      try {
        const tooLong = readBlocks(source, ({ bytes, end, offset, number }) => {
          let line = number
          for (let start = 0; start < end; line++) {
            const newline = bytes.indexOf(NEWLINE, start)
            const last = newline < 0 || newline > end ? end : newline
            if (last > start) {
              lines++
              for (const each of inLine(bytes, start, last, artifact))
                places.push({ ...each, line, offset: offset + start })
            }
            start = last + 1
          }
        })
        return { path: artifact.path, places, lines, tooLong }
      } finally {
        source.close()
      }
    } catch (error) {
      return { path: artifact.path, fault: faultOf(error) }
    }
  }
}

const NEWLINE = 10

/** As the record says it, whatever kind of record it is. */
function timeOf(bytes: Buffer, start: number, end: number, artifact: Artifact): number | undefined {
  if (artifact.kind === 'memory') return artifact.modifiedMs
  const { normalize } = platformOf(artifact.platform)
  for (const entry of parseLine(bytes, start, end).entries) {
    const drafted = artifact.kind === 'transcript' ? normalize(entry, artifact)[0]?.at : undefined
    if (drafted !== undefined) return drafted
    const stated = asObject(entry)?.timestamp
    const at =
      typeof stated === 'number' ? stated : typeof stated === 'string' ? Date.parse(stated) : Number.NaN
    if (!Number.isNaN(at)) return at
  }
  return undefined
}
