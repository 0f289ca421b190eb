import { replaceHidden, shownText } from '../model/hidden.ts'

/** Text that cannot move the cursor, change colours or titles, or hide what it says, on any terminal. */
export const printable = (text: string): string => shownText(text).toWellFormed()

/** JSON that says the same, with everything escaped that a terminal obeys or that hides. */
export const printableJson = (json: string): string =>
  replaceHidden(json, (piece) => piece.replace(UNSEEN, escaped))

/** Line ends between the values of JSON stay. */
const UNSEEN = /[^\t\n\r\x20-\x7e]/g
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
