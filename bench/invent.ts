/** A random number generator for [0, 1). The same seed gives the same tree. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const NAMES = [
  'stock',
  'cart',
  'order',
  'price',
  'tax',
  'session',
  'customer',
  'refund',
  'basket',
  'shelf',
  'invoice',
  'parcel',
]
const VERBS = ['load', 'save', 'check', 'merge', 'count', 'send', 'parse', 'reserve', 'cancel', 'print']
const WORDS =
  'the a cart order fails when stock runs out so we should check it before the payment and tell the customer why then write a test for the case that two of them buy the last teapot at once please keep the old behaviour for refunds'.split(
    ' ',
  )

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

/**
 * Numbered source lines as tools print them, with a realistic density of quotes, tabs, newlines and braces.
 */
export function inventCode(random: () => number, length: number): string {
  let text = ''
  for (let line = 1; text.length < length; line++) {
    const noun = pick(random, NAMES)
    const verb = pick(random, VERBS)
    const indent = '  '.repeat(1 + Math.floor(random() * 4))
    const bodies = [
      `${indent}const ${noun} = await ${verb}(${pick(random, NAMES)}Id, { limit: ${Math.floor(random() * 100)}, order: "asc" })`,
      `${indent}if (${noun}.length === 0) throw new Error("no ${noun} to ${verb}")`,
      `${indent}// ${verb} every ${noun} that is older than ${Math.floor(random() * 30)} days, whatever its state`,
      `${indent}return ${noun}.map((each) => ({ ...each, ${verb}ed: true, at: new Date().toISOString() }))`,
      `${indent}expect(${verb}(${noun})).toEqual({ status: 'ok', total: ${Math.floor(random() * 10_000)} })`,
      '}',
      '',
    ]
    text += `${String(line).padStart(6)}→${pick(random, bodies)}\n`
  }
  return text
}

export function inventProse(random: () => number, length: number): string {
  let text = ''
  while (text.length < length) {
    const words = 6 + Math.floor(random() * 18)
    let sentence = ''
    for (let word = 0; word < words; word++) sentence += `${word === 0 ? '' : ' '}${pick(random, WORDS)}`
    text += `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.${random() < 0.2 ? '\n\n' : ' '}`
  }
  return text
}
