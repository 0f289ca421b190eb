import { hash } from 'node:crypto'
import { checkSegment } from '../../io/archive/check-segment.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { unpackFrame } from '../../io/frames.ts'
import type { IdHash } from '../../model/hash.ts'
import { IdMap } from '../../model/id-set.ts'

/** Limit of remembered records. Beyond it, a repeated record is stored again under the same id. */
const MOST = 16 * 1024 * 1024

/**
 * How a record compares to the stored ones. `changed`: stored in another form, from another generation or
 * machine.
 */
export type RecordStatus = 'new' | 'same' | 'changed'

/** The known records by id, with the form of the latest: 16 bytes each. */
export class KnownRecords {
  readonly #forms: IdMap
  readonly #most: number

  constructor(most = MOST) {
    this.#forms = new IdMap()
    this.#most = most
  }

  get size(): number {
    return this.#forms.size
  }

  get full(): boolean {
    return this.#forms.size >= this.#most
  }

  /** `form`: from `formOf`. */
  statusOf(id: string, form: string): RecordStatus {
    const key = halves(id)
    const found: IdHash = { high: 0, low: 0 }
    this.#forms.get(key, found)
    if (found.low === 0) return 'new'
    const { high, low } = halves(form)
    return found.high === high && found.low === low ? 'same' : 'changed'
  }

  add(id: string, form: string): void {
    if (!this.full || this.statusOf(id, form) === 'changed') this.#forms.set(halves(id), halves(form))
  }
}

/** Identifies the form of a record by its line. */
export const formOf = (line: Uint8Array): string => hash('sha256', line, 'hex').slice(0, 16)

/** 63 of the first 64 bits, because the low half must not be zero. */
const halves = (digits: string): IdHash => ({
  high: Number.parseInt(digits.slice(0, 8), 16) | 0,
  low: Number.parseInt(digits.slice(8, 16), 16) | 1,
})

/** The beginning of a record from our own collector. */
const BEGINNING = /^\{"v":1,"id":"([0-9a-f]{32})"/

/** Adds all readable records of an archive. Throws file system errors. */
export function readKnownRecords(folder: string, into: KnownRecords): void {
  for (const segment of contentsOf(folder).segments)
    for (const piece of checkSegment(segment)) {
      const lines = piece.type === 'frame' ? unpackFrame(piece.packed) : undefined
      for (let start = 0; lines && start < lines.length; ) {
        const end = lines.indexOf(0x0a, start)
        const line = lines.subarray(start, end < 0 ? lines.length : end)
        const id = idOf(line)
        if (id !== undefined) into.add(id, formOf(line))
        start += line.length + 1
      }
    }
}

function idOf(line: Buffer): string | undefined {
  const found = BEGINNING.exec(line.toString('latin1', 0, 64))
  if (found) return found[1]
  try {
    const { id } = JSON.parse(line.toString('utf8')) as { id?: unknown }
    return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? id : undefined
  } catch {
    return undefined
  }
}
