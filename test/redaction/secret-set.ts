import { createRandom } from '../random.ts'
import { invent } from './parts.ts'
import { keyBlocks, placedSecrets } from './secret-blocks.ts'
import { secretShapes } from './secret-shapes.ts'
import { escapedSurroundings, namedSurroundings, plainSurroundings } from './surroundings.ts'

export interface Planted {
  kind: string
  /** What it stands in, in words. */
  where: string
  /** As it reads once every escape is undone. */
  secret: string
  text: string
}

const EACH = 8

/** Invented secrets of every kind in what usually stands around them: always the same ones for the same seed. */
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
  for (const { kind, secret, text } of [...keyBlocks(random), ...placedSecrets(random)])
    planted.push({ kind, where: 'its own place', secret, text })
  return planted
}

/** Undoes the escapes of JSON, at any depth, and so shows what is left of a secret in whatever spelling. */
const unescaped = (text: string): string =>
  text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+\//g, '/')

/** Longest piece that may stay: a prefix that names the maker, or what several secrets share. */
const PIECE = 12

/** Whether a piece of the secret still stands in a text: its end, its beginning but for a prefix, or its middle. */
export function survives({ secret }: Pick<Planted, 'secret'>, redacted: string): boolean {
  const text = unescaped(redacted)
  if (secret.length <= PIECE + 4) return text.includes(secret) || text.includes(secret.slice(-10))
  const middle = Math.floor(secret.length / 2)
  return text.includes(secret.slice(-PIECE)) || text.includes(secret.slice(middle, middle + PIECE))
}
