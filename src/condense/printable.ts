import { stripVTControlCharacters } from 'node:util'

/** Control characters but tab and newline, and the marks that turn the direction of writing around. */
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const EVERY_UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text that cannot move the cursor, change colours or titles, or hide what it says, on any terminal. */
export function printable(text: string): string {
  if (!UNPRINTABLE.test(text) && text.isWellFormed()) return text
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n')).replace(EVERY_UNPRINTABLE, '').toWellFormed()
}

/** What JSON leaves as it is in a string. */
const RAW_IN_JSON = /[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const EVERY_RAW_IN_JSON = /[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** JSON that says the same and holds nothing a terminal obeys: control characters of the second set are escaped too. */
export function printableJson(json: string): string {
  if (!RAW_IN_JSON.test(json)) return json
  return json.replace(EVERY_RAW_IN_JSON, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
