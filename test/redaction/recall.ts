import { createRandom } from '../random.ts'
import { invent } from './parts.ts'
import { passwordPlaces, peoplePasswords } from './people-passwords.ts'
import { keyBlocks, placedSecrets } from './secret-blocks.ts'
import { type Planted, survives } from './secret-set.ts'
import { secretClasses } from './secret-shapes.ts'
import { escapedSurroundings, namedSurroundings, plainSurroundings } from './surroundings.ts'

/** What a secret is, and where it stands. */
export interface Placed extends Planted {
  class: string
}

/** Every kind of secret in every surrounding, each with other letters: by class, and by surrounding. */
export function everySecretEverywhere(seed = 21): Placed[] {
  const random = createRandom(seed)
  const placed: Placed[] = []
  for (const [name, shapes] of Object.entries(secretClasses))
    for (const { kind, shape, name: variable, named } of shapes)
      for (const [where, surround] of Object.entries({
        ...namedSurroundings,
        ...escapedSurroundings,
        ...(named ? {} : plainSurroundings),
      })) {
        const secret = invent(random, shape)
        placed.push({ class: name, kind, where, secret, text: surround(secret, variable, random) })
      }
  for (const [where, line] of Object.entries(passwordPlaces))
    for (const shape of peoplePasswords) {
      const secret = invent(random, shape)
      placed.push({ class: 'passwords people make', kind: shape, where, secret, text: line(secret) })
    }
  for (const { kind, secret, text } of [...keyBlocks(random), ...placedSecrets(random)])
    placed.push({ class: 'blocks, addresses, commands', kind, where: 'their own places', secret, text })
  return placed
}

/** Of each group how many secrets there were and how many were left, the worst first. */
export function recallBy(
  group: 'class' | 'where',
  placed: readonly Placed[],
  found: (text: string) => string,
): { name: string; planted: number; left: Placed[]; percent: number }[] {
  const groups = Map.groupBy(placed, (each) => each[group])
  return [...groups]
    .map(([name, members]) => {
      const left = members.filter((each) => isLeft(each, found(each.text)))
      return { name, planted: members.length, left, percent: 100 - (left.length / members.length) * 100 }
    })
    .sort((one, other) => one.percent - other.percent)
}

/** Short passwords are left where a half of one is, as it is or as the place had to write it. */
function isLeft(each: Placed, redacted: string): boolean {
  if (each.class !== 'passwords people make') return survives(each, redacted)
  const { secret } = each
  const written = [
    ...[secret, secret.replace(/[<>&]/g, '-'), secret.replace(/,/g, '.'), secret.replace(/\|/g, '!')],
    JSON.stringify(secret).slice(1, -1),
  ]
  return written.some((form) => redacted.includes(form.slice(0, 6)) || redacted.includes(form.slice(-5)))
}
