import { createRandom } from '../../random.ts'
import type { Context } from './contexts.ts'
import { heldOutContexts } from './held-out-contexts.ts'
import { type FreshKind, freshKinds } from './kinds.ts'
import { knownContexts } from './known-contexts.ts'

export interface Fresh {
  kind: string
  where: string
  secret: string
  text: string
}

/** A cookie has names of its own, in contexts of its own. */
const isNatural = ({ noun }: FreshKind, { nouns }: Context): boolean => nouns.includes(noun)

/** Every kind in every natural context, `each` times: with the words of a set, and values from a seed. */
export function freshSet(set: 'known' | 'held out', seed: number, each = 1): Fresh[] {
  const random = createRandom(seed)
  const contexts = set === 'known' ? knownContexts : heldOutContexts
  return freshKinds.flatMap((kind) =>
    contexts
      .filter((context) => isNatural(kind, context))
      .flatMap(({ where, write }) =>
        Array.from({ length: each }, () => {
          const names = kind.names[set === 'known' ? 0 : 1]
          const secret = kind.make(random)
          const name = names[random(names.length)]!
          return {
            kind: kind.kind,
            where,
            secret,
            text: write({ value: secret, name, noun: kind.noun, random }),
          }
        }),
      ),
  )
}

/** The longest part that may remain of a long secret, such as a prefix that names its maker. */
const PIECE = 12

/** Whether a part of the secret that says something is still in a text, in any of its spellings. */
export function isLeft(secret: string, redacted: string): boolean {
  const spellings = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  if (/^[a-z]+(?: [a-z]+){11}/.test(secret)) {
    const words = secret.split(' ')
    const left = words.filter((word) => new RegExp(`\\b${word}\\b`).test(redacted))
    return left.length > words.length / 3
  }
  return spellings.some((form) =>
    form.length <= PIECE + 4
      ? redacted.includes(form.slice(0, 5)) || redacted.includes(form.slice(-5))
      : redacted.includes(form.slice(-PIECE)) ||
        redacted.includes(form.slice(form.length >> 1, (form.length >> 1) + PIECE)),
  )
}
