import type * as z from 'zod/mini'
import { withinOneSlip } from '../../project/words.ts'
import type { Suggest } from '../../render/screen.ts'
import { flagsOf, wordsOf } from './flags.ts'

/** Words that no shell changes. On Windows, that is PowerShell, which takes a backslash as it is. */
const PLAIN = { posix: /^[\w@%+=:,./-]+$/, windows: /^[\w+=:./\\-]+$/ }

/** Quotes a word for a shell: PowerShell on Windows, a POSIX shell elsewhere. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32'
  if ((isWindows ? PLAIN.windows : PLAIN.posix).test(word)) return word
  return `'${word.replaceAll("'", isWindows ? "''" : "'\\''")}'`
}

/** The command line that was given, by fields. */
interface Given {
  command: { name: string; input: z.ZodMiniObject }
  given: Readonly<Record<string, unknown>>
}

/**
 * Formats command lines that can be pasted and read the same folders: `suggest('read', id)`. Quotes words
 * where needed. With `--demo`, they read the demo data instead.
 */
export function suggesting(program: string, dirs: readonly string[], asked?: Given): Suggest {
  const line = (words: readonly string[]): string =>
    [program, ...[...words, ...(words.includes('--demo') ? [] : dirs)].map((word) => shellWord(word))].join(
      ' ',
    )
  const flags = asked ? flagsOf(asked.command.input) : []
  return Object.assign((...words: readonly string[]) => line(words), {
    takes: (field: string) => flags.some((flag) => flag.field === field),
    again({ flags: more = [], arguments: instead }: Parameters<Suggest['again']>[0]) {
      const repeated = flags.filter(
        ({ name, positional }) => !(instead && positional) && !more.includes(`--${name}`),
      )
      const words = [...(instead ?? []), ...wordsOf(repeated, asked?.given ?? {})]
      const name = asked ? [asked.command.name] : []
      return line([...name, ...words, ...more])
    },
  })
}

/** A shorter prefix fits too many words. */
const SHORTEST = 3

/** Suggests words that differ by one changed, missing or extra letter, and words with this prefix. */
export function alike(word: string, among: readonly string[]): string[] {
  const wanted = word.toLowerCase()
  return among.filter(
    (each) => withinOneSlip(wanted, each) || (wanted.length >= SHORTEST && each.startsWith(wanted)),
  )
}
