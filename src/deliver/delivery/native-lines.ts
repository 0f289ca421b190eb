import { readLines } from '../../io/lines.ts'
import type { Artifact } from '../../model/artifact.ts'
import { createRedactor } from '../../redact/redactor.ts'
import { openArtifact } from '../../sync/read/read-session.ts'
import { contentOf } from './record-writer.ts'

/** Counted while the lines are read. */
export interface NativeCounts {
  lines: number
  redactions: number
  /** Lines that are no whole record, or longer than any. */
  left: number
}

/** Lines that are held in memory, in bytes. */
const AT_ONCE = 1024 * 1024

/**
 * The records of a transcript as its client wrote them, one a line, with secrets replaced. A record without
 * secrets has its original bytes. Throws the system's error, or that of the database engine.
 */
export function* nativeLines(
  artifact: Artifact,
  { redact }: { redact: boolean },
  counts: NativeCounts,
): Generator<Uint8Array> {
  const redactor = createRedactor({ level: redact ? 'standard' : 'off' })
  const source = openArtifact(artifact)
  try {
    for (let next = { offset: 0, number: 1, ended: false }; !next.ended; ) {
      const found: Buffer[] = []
      const { offset, number } = next
      source.lineBegins?.(offset, number)
      source.seek(offset)
      next = readLines(
        source,
        (line) => {
          const content = contentOf(line)
          // An incomplete last line has no records.
          if ('stub' in content || content.records.length === 0) {
            counts.left++
            return
          }
          for (const { bytes, raw, asRead, malformed } of content.records) {
            if (malformed) {
              counts.left++
              continue
            }
            counts.lines++
            const isClean = asRead && redactor.isClean(line.bytes, line.start, line.end)
            const redacted = isClean ? undefined : redactor.redactJsonLine(raw())
            counts.redactions += redacted?.count ?? 0
            const isAsRead = asRead && (redacted?.count ?? 0) === 0
            found.push(Buffer.concat([isAsRead ? bytes : Buffer.from(redacted?.text ?? raw()), NEWLINE]))
          }
        },
        { offset, number, enough: AT_ONCE },
      )
      yield* found
    }
  } finally {
    source.close()
  }
}

const NEWLINE = Buffer.from('\n')
