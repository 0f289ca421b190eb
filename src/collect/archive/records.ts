import { basename } from 'node:path'
import { framesOf, segmentsIn } from '../../io/segments.ts'
import type { Envelope } from '../../model/delivery.ts'
import { asObject, type JsonObject } from '../../model/json.ts'

/** Where in an archive reading may go on: behind so many bytes of a segment. */
export interface ArchivePlace {
  segment: string
  offset: number
}

export interface ArchiveFaults {
  /** Frames that are damaged in the midst of a segment. */
  damaged: { segment: string; offset: number; records: number }[]
  /** Bytes behind the last whole frame: a write that was never finished. */
  torn: { segment: string; bytes: number }[]
  /** Lines that are no envelope. */
  strange: number
}

export const noFaults = (): ArchiveFaults => ({ damaged: [], torn: [], strange: 0 })

/** The frames of an archive in the order in which they were written, each as its lines. */
export function* archiveFrames(
  folder: string,
  faults: ArchiveFaults,
  after?: ArchivePlace,
): Generator<{ lines: string[]; place: ArchivePlace; bytes: number }> {
  for (const path of segmentsIn(folder)) {
    const segment = basename(path)
    if (after && segment < after.segment) continue
    const frames = framesOf(path, segment === after?.segment ? after.offset : 0)
    for (;;) {
      const step = frames.next()
      if (step.done) {
        const { whole, size } = step.value
        if (whole < size) faults.torn.push({ segment, bytes: size - whole })
        break
      }
      const { offset, bytes, records, lines } = step.value
      if (!lines) {
        faults.damaged.push({ segment, offset, records })
        continue
      }
      const text = lines.toString('utf8').split('\n')
      text.pop()
      yield { lines: text, place: { segment, offset: offset + bytes }, bytes }
    }
  }
}

const TEXTS = ['id', 'kind', 'platform', 'device', 'path'] as const
const COUNTS = ['line', 'generation'] as const

const isEnvelope = (fields: JsonObject): boolean =>
  fields.v === 1 &&
  TEXTS.every((name) => typeof fields[name] === 'string') &&
  COUNTS.every((name) => Number.isSafeInteger(fields[name]) && Number(fields[name]) >= 1) &&
  (fields.session === null || typeof fields.session === 'string')

/** A line as an envelope; undefined for what is none. */
export function envelopeOf(line: string): Envelope | undefined {
  try {
    const fields = asObject(JSON.parse(line))
    return fields && isEnvelope(fields) ? (fields as unknown as Envelope) : undefined
  } catch {
    return undefined
  }
}
