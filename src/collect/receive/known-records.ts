import { hash } from 'node:crypto'
import { checkSegment } from '../../io/archive/check-segment.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { unpackFrame } from '../../io/frames.ts'
import { type IdHash, IdMap } from '../../model/id-set.ts'

/** Beyond so many, new ones are kept no more: what comes twice then stands in the directory twice, under one id. */
const MOST = 16 * 1024 * 1024

/** How a record stands to those that are kept: of `changed` ones another form is, from another generation or machine. */
export type Standing = 'new' | 'same' | 'changed'

/** Records by id, and in which form they came last: 16 bytes each. */
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

  /** `form`: of its bytes, by `formOf`. */
  standing(id: string, form: string): Standing {
    const key = halves(id)
    const found: IdHash = { high: 0, low: 0 }
    this.#forms.get(key, found)
    if (found.low === 0) return 'new'
    const { high, low } = halves(form)
    return found.high === high && found.low === low ? 'same' : 'changed'
  }

  add(id: string, form: string): void {
    if (!this.full || this.standing(id, form) === 'changed') this.#forms.set(halves(id), halves(form))
  }
}

/** Of a record's line: what it is told from its other forms by. */
export const formOf = (line: Uint8Array): string => hash('sha256', line, 'hex').slice(0, 16)

/** Of the first 64 bits all but one: the map wants low halves to be other than zero. */
const halves = (digits: string): IdHash => ({
  high: Number.parseInt(digits.slice(0, 8), 16) | 0,
  low: Number.parseInt(digits.slice(8, 16), 16) | 1,
})

/** How our own collector begins a record. */
const BEGINNING = /^\{"v":1,"id":"([0-9a-f]{32})"/

/** All records in an archive that can be read. Throws the system's error. */
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
