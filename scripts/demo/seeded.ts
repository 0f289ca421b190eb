/** Identifiers that look arbitrary and come out the same on every run. */
export interface Seeded {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** `length` small hexadecimal digits. */
  hex(length: number): string
  /** A version 4 UUID. */
  uuid(): string
  /** A name such as `msg_01…`, with 22 letters and digits after the prefix. */
  named(prefix: string): string
}

const letters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Each session has a seed of its own, so that editing one leaves the others as they are. */
export function createSeeded(seed: string): Seeded {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16777619)
  const between = (least: number, most: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1))
  }
  const pick = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[between(0, alphabet.length - 1)]).join('')
  const hex = (length: number): string => pick(length, '0123456789abcdef')
  return {
    between,
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(1, '89ab')}${hex(3)}-${hex(12)}`,
    named: (prefix) => `${prefix}_01${pick(22, letters)}`,
  }
}
