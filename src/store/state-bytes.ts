/**
 * The state from which reading a file continues, as bytes: a head, which every write replaces, and parts by
 * name, of which a write contains those that have changed.
 */
export interface StateBytes {
  head: Uint8Array
  parts: ReadonlyMap<string, Uint8Array>
  /** Stored parts that are not in `parts` are not part of the state any more. */
  whole: boolean
}

/** A stored state whose parts are read when they are needed. */
export interface StoredState {
  head: Uint8Array
  /** Undefined if there is no part with this name. */
  part(name: string): Uint8Array | undefined
}

/** The first bytes of a state with parts. No head begins like this. */
const MAGIC = 0xffffff01
const NUMBER = 4

/** A state as one list of bytes. A whole state without parts is its head. */
export function joinState({ head, parts, whole }: StateBytes): Uint8Array<ArrayBuffer> {
  if (whole && parts.size === 0) return new Uint8Array(head)
  const texts = [...parts].map(([name, bytes]) => ({ name: Buffer.from(name), bytes }))
  const length = texts.reduce(
    (sum, { name, bytes }) => sum + 2 * NUMBER + name.length + bytes.length,
    3 * NUMBER + head.length,
  )
  const joined = new Uint8Array(length)
  const view = new DataView(joined.buffer)
  let at = 0
  const number = (value: number): void => {
    view.setUint32(at, value, true)
    at += NUMBER
  }
  const add = (bytes: Uint8Array): void => {
    number(bytes.length)
    joined.set(bytes, at)
    at += bytes.length
  }
  number(MAGIC)
  number(whole ? 1 : 0)
  add(head)
  for (const { name, bytes } of texts) {
    add(name)
    add(bytes)
  }
  return joined
}

/**
 * What `joinState` has joined. The lists share the memory of `bytes`. Throws a `RangeError` if it is damaged.
 */
export function splitState(bytes: Uint8Array): StateBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < NUMBER || view.getUint32(0, true) !== MAGIC)
    return { head: bytes, parts: new Map(), whole: true }
  let at = 2 * NUMBER
  const next = (): Uint8Array => {
    const from = at + NUMBER
    at = from + view.getUint32(at, true)
    if (at > bytes.length) throw new RangeError('A state ends too early.')
    return bytes.subarray(from, at)
  }
  const head = next()
  const parts = new Map<string, Uint8Array>()
  while (at < bytes.length) {
    const name = Buffer.from(next()).toString()
    parts.set(name, next())
  }
  return { head, parts, whole: view.getUint32(NUMBER, true) === 1 }
}

/** The state after a write. */
export function mergeState(before: StateBytes, write: StateBytes): StateBytes {
  if (write.whole) return write
  return { head: write.head, parts: new Map([...before.parts, ...write.parts]), whole: true }
}
