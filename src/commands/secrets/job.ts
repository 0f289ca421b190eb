import { faultOf } from '../../context/read-files.ts'
import { readBlocks } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import { asObject } from '../../model/json.ts'
import { platformOf } from '../../platforms/index.ts'
import { mayHoldSecret } from '../../redact/byte-filter.ts'
import { createFingerprint, secretsInLine } from '../../redact/redactor.ts'
import { openArtifact } from '../../sync/read/read-session.ts'

export interface SecretSettings {
  /**
   * The key of the fingerprints, in base64. It is the same in every thread of a run, and differs between
   * runs.
   */
  key: string
  /** Only these kinds, or all if empty. */
  kinds: readonly string[]
}

/** A line that contains a secret, with the kind and the fingerprint of the secret. */
export interface LocatedSecret {
  kind: string
  id: string
  line: number
  /** The byte at which the line begins. */
  offset: number
  /** The time of the record, in ms. */
  at?: number
}

type SecretResult =
  | { path: string; secrets: LocatedSecret[]; lines: number; tooLong: number }
  | { path: string; fault: string }

/** Creates the search for secrets in the lines of one file or database session. */
export function createSecretSearch({ key, kinds }: SecretSettings): (artifact: Artifact) => SecretResult {
  const fingerprint = createFingerprint(Buffer.from(key, 'base64'))
  const isWanted = (kind: string): boolean => kinds.length === 0 || kinds.includes(kind)

  function inLine(
    bytes: Buffer,
    start: number,
    end: number,
    artifact: Artifact,
  ): Omit<LocatedSecret, 'line' | 'offset'>[] {
    // Most lines contain no secret and need not be decoded.
    if (!mayHoldSecret(bytes, start, end)) return []
    const secrets = secretsInLine(bytes.toString('utf8', start, end)).filter(({ kind }) => isWanted(kind))
    if (secrets.length === 0) return []
    const at = timeOf(bytes, start, end, artifact)
    const found = new Map(secrets.map(({ kind, value }) => [fingerprint(value), kind]))
    return [...found].map(([id, kind]) => ({ kind, id, ...(at === undefined ? {} : { at }) }))
  }

  return (artifact) => {
    const secrets: LocatedSecret[] = []
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
                secrets.push({ ...each, line, offset: offset + start })
            }
            start = last + 1
          }
        })
        return { path: artifact.path, secrets, lines, tooLong }
      } finally {
        source.close()
      }
    } catch (error) {
      return { path: artifact.path, fault: faultOf(error) }
    }
  }
}

const NEWLINE = 10

/** The recorded time, whatever the kind of record. */
function timeOf(bytes: Buffer, start: number, end: number, artifact: Artifact): number | undefined {
  if (artifact.kind === 'memory') return artifact.modifiedMs
  const { records, delivery } = platformOf(artifact.platform)
  for (const entry of parseLine(bytes, start, end).entries) {
    const drafted = artifact.kind === 'transcript' ? records.normalize(entry, artifact)[0]?.at : undefined
    const at = drafted ?? delivery.record(asObject(entry) ?? {}, artifact).at
    if (at !== undefined) return at
  }
  return undefined
}
