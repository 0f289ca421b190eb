import { createRandom } from '../random.ts'
import { invent } from './parts.ts'
import { keyBlocks, secretsInBlocks } from './secret-blocks.ts'
import { secretShapes } from './secret-shapes.ts'
import { escapedSurroundings, namedSurroundings, plainSurroundings } from './surroundings.ts'

export interface Planted {
  kind: string
  /** Its context, in words. */
  where: string
  /** Its value once every escape is decoded. */
  secret: string
  text: string
}

const EACH = 8

/** Invented secrets of every kind in their usual contexts, always the same ones for the same seed. */
export function secretSet(seed = 1): Planted[] {
  const random = createRandom(seed)
  const named = Object.entries(namedSurroundings)
  const plain = Object.entries(plainSurroundings)
  const escaped = Object.entries(escapedSurroundings)
  const planted: Planted[] = []
  for (const [row, { kind, shape, name, named: onlyNamed }] of secretShapes.entries())
    for (let at = 0; at < EACH; at++) {
      const kinds = at % 8 === 7 ? escaped : !onlyNamed && at % 2 === 1 ? plain : named
      const [where, surround] = kinds[(row * 5 + at) % kinds.length]!
      const secret = invent(random, shape)
      planted.push({ kind, where, secret, text: surround(secret, name, random) })
    }
  for (const { kind, secret, text } of [...keyBlocks(random), ...secretsInBlocks(random)])
    planted.push({ kind, where: 'its own context', secret, text })
  return planted
}

/** Decodes the escapes of JSON, at any depth, to show what remains of a secret in any spelling. */
const unescaped = (text: string): string =>
  text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')

/** The longest part that may remain: a prefix that names the maker, or what several secrets share. */
const PIECE = 12

/**
 * Whether a part of the secret is still in a text: its end, its beginning except for a prefix, or its middle.
 */
export function survives({ secret }: Pick<Planted, 'secret'>, redacted: string): boolean {
  const text = unescaped(redacted)
  if (secret.length <= PIECE + 4) return text.includes(secret) || text.includes(secret.slice(-10))
  const middle = Math.floor(secret.length / 2)
  return text.includes(secret.slice(-PIECE)) || text.includes(secret.slice(middle, middle + PIECE))
}
