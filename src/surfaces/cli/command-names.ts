import { alike } from '../../commands/alike.ts'
import { commands } from '../../commands/index.ts'
import { ScrollbackError } from '../../errors.ts'

/** What is neither a command nor a question about one. */
const OTHERS = ['completions', 'help', 'version']

/** The command that a word means: its name, in the singular or the plural. Undefined when there is none. */
export function commandNamed(word: string): string | undefined {
  const forms = [word, `${word}s`, word.replace(/s$/, '')]
  return forms.find((form) => Object.hasOwn(commands, form))
}

/** What to do about a word that is no command. */
export function unknownCommand(word: string): ScrollbackError {
  const names = [...Object.keys(commands).filter((name) => name !== 'overview'), ...OTHERS]
  const near = alike(word, names)
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  return new ScrollbackError(
    'bad-option',
    `There is no command "${word}".${meant}`,
    `Commands: ${names.join(', ')}.\nTo read a session or project: scrollback read ${word}`,
  )
}
