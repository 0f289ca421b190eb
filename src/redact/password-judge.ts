import {
  characterClass,
  codeVocabulary,
  dottedName,
  entropy,
  identifier,
  isList,
  looksRandom,
} from './judge.ts'
import { isCounted, isWholePlaceholder } from './placeholders.ts'
import { lineBegins, linePrefix } from './rules/line-prefix.ts'

/**
 * Where the value was found: in quotes, or as the rest of a line that begins with the name (both are
 * literals), or elsewhere, where it may be code.
 */
export type Form = 'quoted' | 'line' | 'code'

const LEAST = 6
const LEAST_WORD = 8

/** Further fields of a form or a connection string. */
const moreFields = /[&;]\w[\w .-]*=/
/** What may precede an assigned name on its line: what tools write there, or a keyword of a shell. */
const lineStart = new RegExp(
  `(?:${lineBegins}${linePrefix}|→|\\d[:-])[ \\t]*(?:(?:export|set|env|local|readonly|declare|\\$env:)[ \\t]*){0,3}[\\w.]*$`,
  'i',
)
const LINE_START = 160

export function formOf(match: RegExpExecArray): Form {
  if (match.groups?.quote !== undefined || match[0].includes('</key>')) return 'quoted'
  if (match.groups?.stop === undefined || !/^(?:[\r\n"\\]|$)/.test(match.groups.stop)) return 'code'
  if (moreFields.test(match.groups.rest ?? '')) return 'code'
  return lineStart.test(match.input.slice(Math.max(0, match.index - LINE_START), match.index))
    ? 'line'
    : 'code'
}

/** Calls, markup, operators and arrows of code. A value that consists of one of these is not a password. */
const expression =
  /^!?[\w$.?]+(?:\(.*\)|\[.*\])[;,)}\]]*$|^[\w$.]+\([^)]*$|^<\/?[A-Za-z][\w.-]*\/?>|^<\/|^\{[\w.$]+\}[/>;,)]*$|&&|\|\||=>|[=!]==?|\?\.|[({[]$|^[A-Z]\w*<.*>[;,]?$|^\$\w+->|^0x[0-9a-fA-F]+[;,]?$|^[\w$.]+[;,]$|^[A-Z][A-Z0-9_]*$/

/** For a value assigned to a name such as `password`. Passwords of people are short and contain words. */
export function isAssignedPassword(value: string, form: Form, shouted = false): boolean {
  const bare = form === 'line' ? value.replace(/[;,]$/, '') : value
  if (bare.length < LEAST || isList(bare) || isWholePlaceholder(bare)) return false
  if (/^\d+$/.test(bare)) return entropy(bare) >= 1.5 && !isCounted(bare)
  if (entropy(bare) < 2 || dottedName.test(bare) || (form !== 'quoted' && expression.test(value)))
    return false
  // Without letters, a value with other signs is a date, a version or a ratio.
  if (!/[^\x00-\x40]/.test(bare)) return false
  const classes = new Set(Array.from(bare, characterClass))
  if (!classes.has('digit'))
    return isPhrase(bare, classes, form) || (shouted && form === 'line' && isWord(bare))
  return classes.size > 1 && !isName(bare, form)
}

/** Letters and a character that occurs neither in names nor in paths. */
const isPhrase = (value: string, classes: ReadonlySet<string>, form: Form): boolean =>
  classes.has('other') &&
  classes.size > 1 &&
  !(form === 'code' ? /^[\w$.?:/-]+$/ : /^[\w.?:/-]+$|^[$!]\w+$|^\w+[!?:*]$/).test(value)

/** Letters alone only count after the name of an environment variable. */
const isWord = (value: string): boolean =>
  value.length >= LEAST_WORD && /^[A-Za-z][A-Za-z-]+$/.test(value) && /[a-z]/.test(value)

/**
 * An identifier of a program, such as `hashedPassword2`. A literal only counts as one if it ends in a single
 * digit.
 */
const isName = (value: string, form: Form): boolean =>
  identifier.test(value) &&
  codeVocabulary.test(value) &&
  (form === 'code' ? !looksRandom(value) : /^[a-z_$][A-Za-z_$]*\d?$/.test(value))

/** For `the password is …`. What follows a name in a sentence is usually a word. */
export const isStatedPassword = (value: string, form: Form): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  isAssignedPassword(value, form === 'quoted' ? form : 'code') &&
  !(form === 'quoted' ? /[:/]/ : /^[a-z]+\d+$|[:/]/i).test(value)

/** Algorithms, versions, lengths and products, which sentences about passwords name. */
const namedThing =
  /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)\d{1,3}$|^v?\d+(?:\.\d+)+|^\d+-?[a-z]+$|^1[Pp]assword|^https?:|^[~./]|[/:].*[/:]/

/** For `the password is …` in any language. What follows a verb there is usually a word. */
export function isSpokenPassword(value: string): boolean {
  if (/^\d+$/.test(value)) return isAssignedPassword(value, 'quoted')
  if (!/\d/.test(value) || namedThing.test(value)) return false
  if (/^[a-z\d]+(?:[-_][a-z\d]+)+$/.test(value) && codeVocabulary.test(value)) return false
  return isAssignedPassword(value, 'code')
}

/** For positions where only a password is possible, as after `sshpass -p`: anything but a placeholder. */
export const isGivenPassword = (value: string): boolean =>
  value.length >= 4 && !/^[{[(%]|<\//.test(value) && !isWholePlaceholder(value)
