import { isOneLine } from './hidden.ts'

/** Words that no shell changes. On Windows, that is PowerShell, which takes a backslash as it is. */
const PLAIN = { posix: /^[\w@%+=:,./-]+$/, windows: /^[\w+=:./\\-]+$/ }

/**
 * Quotes a word for a shell, in one line: PowerShell on Windows, a POSIX shell elsewhere. There, a word with
 * line breaks or hidden characters is written as `$'…'`, which bash, zsh and POSIX of 2024 read.
 */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32'
  if ((isWindows ? PLAIN.windows : PLAIN.posix).test(word)) return word
  if (!isWindows && (word.includes('\t') || !isOneLine(word))) return `$'${bytesEscaped(word)}'`
  return `'${word.replaceAll("'", isWindows ? "''" : "'\\''")}'`
}

/** Everything but visible ASCII as octal bytes, which do not depend on the locale of the shell. */
const bytesEscaped = (word: string): string =>
  Buffer.from(word).reduce(
    (text, byte) =>
      text +
      (byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte)),
    '',
  )
