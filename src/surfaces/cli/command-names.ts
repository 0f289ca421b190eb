import { commands } from '../../commands/index.ts'
import { alike } from '../../commands/kit/flags.ts'
import { ScrollbackError } from '../../errors.ts'

/** The singular or plural of a command, unless another command has that name. */
export const aliasesOf = (name: string): string[] =>
  [name.replace(/s$/, ''), `${name}s`].filter(
    (form) => !Object.hasOwn(commands, form) && !(name.endsWith('s') && form.endsWith('ss')),
  )

/** The error for an unknown command. */
export function unknownCommand(word: string, names: readonly string[]): ScrollbackError {
  const near = alike(word, names)
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return new ScrollbackError(
    'bad-option',
    `unknown command "${word}".${meant}`,
    `Commands: ${names.join(', ')}.\nTo read a session or project: scrollback read ${word}`,
  )
}
