import { stripVTControlCharacters } from 'node:util'
import { widthOf } from '../../../render/terminal.ts'

/**
 * Signs whose width depends on the terminal: spacing vowels, tones of skin, what joins or selects pictures,
 * and the letters of flags.
 */
const UNCERTAIN = /\p{Mc}|\p{Emoji_Modifier}|\p{RI}|\u200d|\ufe0f/u
const SPACING = /^(?:\p{Mc}|\ufe0f)$/u

/**
 * A line that no terminal gives a second row, however wide it draws such signs: what may not fit is cut. A
 * row too many would move everything above it out of the screen.
 */
export function inOneRow(line: string, columns: number): string {
  if (!UNCERTAIN.test(line)) return line
  const plain = stripVTControlCharacters(line).trimEnd()
  let [width, end] = [0, 0]
  for (const sign of plain) {
    width += SPACING.test(sign) ? 1 : Math.max(widthOf(sign), /\p{RI}/u.test(sign) ? 2 : 0)
    if (width > columns) return plain.slice(0, end)
    end += sign.length
  }
  return line.trimEnd()
}
