import { createRandom } from '../random.ts'
import { invent } from './parts.ts'
import { passwordContexts, peoplePasswords } from './people-passwords.ts'
import { keyBlocks, secretsInBlocks } from './secret-blocks.ts'
import { type Planted, survives } from './secret-set.ts'
import { secretClasses } from './secret-shapes.ts'
import { escapedSurroundings, namedSurroundings, plainSurroundings } from './surroundings.ts'

/** A kind of secret, and its context. */
export interface SecretInContext extends Planted {
  class: string
}

/** Every kind of secret in every context, each with other characters: by class, and by context. */
export function everySecretEverywhere(seed = 21): SecretInContext[] {
  const random = createRandom(seed)
  const secretsInContext: SecretInContext[] = []
  for (const [name, shapes] of Object.entries(secretClasses))
    for (const { kind, shape, name: variable, named } of shapes)
      for (const [where, surround] of Object.entries({
        ...namedSurroundings,
        ...escapedSurroundings,
        ...(named ? {} : plainSurroundings),
      })) {
        const secret = invent(random, shape)
        secretsInContext.push({ class: name, kind, where, secret, text: surround(secret, variable, random) })
      }
  for (const [where, line] of Object.entries(passwordContexts))
    for (const shape of peoplePasswords) {
      const secret = invent(random, shape)
      secretsInContext.push({
        class: 'passwords people make',
        kind: shape,
        where,
        secret,
        text: line(secret),
      })
    }
  for (const { kind, secret, text } of [...keyBlocks(random), ...secretsInBlocks(random)])
    secretsInContext.push({
      class: 'blocks, addresses, commands',
      kind,
      where: 'their own contexts',
      secret,
      text,
    })
  return secretsInContext
}

/** For each group how many secrets there were and how many were missed, the worst first. */
export function recallBy(
  group: 'class' | 'where',
  secretsInContext: readonly SecretInContext[],
  found: (text: string) => string,
): { name: string; planted: number; left: SecretInContext[]; percent: number }[] {
  const groups = Map.groupBy(secretsInContext, (each) => each[group])
  return [...groups]
    .map(([name, members]) => {
      const left = members.filter((each) => isLeft(each, found(each.text)))
      return { name, planted: members.length, left, percent: 100 - (left.length / members.length) * 100 }
    })
    .sort((one, other) => one.percent - other.percent)
}

/** Short passwords count as missed if half of one remains, as it is or with escapes. */
function isLeft(each: SecretInContext, redacted: string): boolean {
  if (each.class !== 'passwords people make') return survives(each, redacted)
  const { secret } = each
  const written = [
    secret,
    secret.replace(/[<>&]/g, '-'),
    secret.replace(/,/g, '.'),
    secret.replace(/\|/g, '!'),
    JSON.stringify(secret).slice(1, -1),
  ]
  return written.some((form) => redacted.includes(form.slice(0, 6)) || redacted.includes(form.slice(-5)))
}
