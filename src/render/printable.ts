import { replaceHidden, shownText } from '../model/hidden.ts'

/** Removes what could move the cursor, change colors or titles, or hide text on a terminal. */
export const printable = (text: string): string => shownText(text).toWellFormed()

/** Escapes everything in JSON that a terminal executes or hides. The value stays the same. */
export const printableJson = (json: string): string =>
  replaceHidden(json, (piece) => piece.replace(UNSEEN, escaped))

/** Line ends between JSON values are kept. */
const UNSEEN = /[^\t\n\r\x20-\x7e]/g
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
