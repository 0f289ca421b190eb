import type { Suggest } from '../../render/screen.ts'

/** Words that no shell changes. On Windows, that is PowerShell, which takes a backslash as it is. */
const PLAIN = { posix: /^[\w@%+=:,./-]+$/, windows: /^[\w+=:./\\-]+$/ }

/** Quotes a word for a shell: PowerShell on Windows, a POSIX shell elsewhere. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32'
  if ((isWindows ? PLAIN.windows : PLAIN.posix).test(word)) return word
  return `'${word.replaceAll("'", isWindows ? "''" : "'\\''")}'`
}

/**
 * Formats a command line that can be pasted and reads the same folders: `suggest('read', id)`. Quotes words
 * where needed. With `--demo`, it reads the demo data instead.
 */
export const suggesting =
  (program: string, dirs: readonly string[]): Suggest =>
  (...words) =>
    [program, ...[...words, ...(words.includes('--demo') ? [] : dirs)].map((word) => shellWord(word))].join(
      ' ',
    )
