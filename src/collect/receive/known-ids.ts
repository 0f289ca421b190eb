import { framesOf, segmentsIn } from '../../io/segments.ts'
import { type IdHash, IdMap } from '../../model/id-set.ts'

/** Beyond so many, new ones are kept no more: what comes twice then stands in the directory twice, under one id. */
const MOST = 16 * 1024 * 1024

/** Ids of 32 hex digits, each in 16 bytes. */
export class KnownIds {
  readonly #ids: IdMap
  readonly #most: number

  constructor(most = MOST) {
    this.#ids = new IdMap()
    this.#most = most
  }

  get size(): number {
    return this.#ids.size
  }

  get full(): boolean {
    return this.#ids.size >= this.#most
  }

  has(id: string): boolean {
    const [key, rest] = partsOf(id)
    const found: IdHash = { high: 0, low: 0 }
    this.#ids.get(key, found)
    return found.high === rest.high && found.low === rest.low
  }

  add(id: string): void {
    if (!this.full) this.#ids.set(...partsOf(id))
  }
}

/** All of an id but one bit: the map wants its keys' low halves to be other than zero. */
const partsOf = (id: string): [IdHash, IdHash] => [
  { high: word(id, 0), low: word(id, 8) | 1 },
  { high: word(id, 16), low: word(id, 24) },
]

const word = (id: string, at: number): number => Number.parseInt(id.slice(at, at + 8), 16) | 0

/** How our own collector begins a record. */
const BEGINNING = /^\{"v":1,"id":"([0-9a-f]{32})"/
const STUB = Buffer.from('"stub":{"bytes":')

/** The ids of all whole records in a directory of segments. Throws the system's error. */
export function readKnownIds(folder: string, into: KnownIds, progress?: (bytes: number) => void): void {
  for (const path of segmentsIn(folder))
    for (const { lines, bytes } of framesOf(path)) {
      for (let start = 0; lines && start < lines.length; ) {
        const end = lines.indexOf(0x0a, start) + 1 || lines.length + 1
        const id = idOf(lines.subarray(start, end - 1))
        if (id !== undefined) into.add(id)
        start = end
      }
      progress?.(bytes)
    }
}

/** Undefined for a stub: the whole record may still come. */
function idOf(line: Buffer): string | undefined {
  const found = BEGINNING.exec(line.toString('latin1', 0, 64))
  if (found && !line.includes(STUB)) return found[1]
  try {
    const { id, stub } = JSON.parse(line.toString('utf8')) as { id?: unknown; stub?: unknown }
    return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) && !stub ? id : undefined
  } catch {
    return undefined
  }
}
