import {
  characterClass,
  codeVocabulary,
  dottedName,
  entropy,
  identifier,
  isList,
  looksRandom,
} from './judge.ts'
import { isWholePlaceholder } from './placeholders.ts'

/**
 * What the place says of a value: that it is a literal, because it stands in quotes or is the rest of a line that begins with the name; or
 * that it may also be code.
 */
export type Form = 'quoted' | 'line' | 'code'

const LEAST = 6
const LEAST_WORD = 8

/** Further fields of a form or of a connection string. */
const moreFields = /[&;]\w[\w .-]*=/
/** What stands on a line before a name that is assigned to: nothing, a mark of a list or a diff, or a word of a shell. */
const lineStart =
  /(?:^|[\n\r"'`]|\\[nr]|→|\d[:-])[ \t]*(?:(?:export|set|env|local|readonly|declare|[-+*$]|\$env:)[ \t]*){0,3}[\w.]*$/i
const LINE_START = 80

export function formOf(match: RegExpExecArray): Form {
  if (match.groups?.quote !== undefined || match[0].includes('</key>')) return 'quoted'
  if (match.groups?.stop === undefined || !/^(?:[\r\n"\\]|$)/.test(match.groups.stop)) return 'code'
  if (moreFields.test(match.groups.rest ?? '')) return 'code'
  return lineStart.test(match.input.slice(Math.max(0, match.index - LINE_START), match.index))
    ? 'line'
    : 'code'
}

/** Calls, elements of markup, operators and arrows of code: no password as a whole. */
const expression =
  /^!?[\w$.?]+(?:\(.*\)|\[.*\])[;,)}\]]*$|^[\w$.]+\([^)]*$|^<\/?[A-Za-z][\w.-]*\/?>|^<\/|^\{[\w.$]+\}[/>;,)]*$|&&|\|\||=>|[=!]==?|\?\.|[({[]$|^[A-Z]\w*<.*>[;,]?$|^\$\w+->|^0x[0-9a-fA-F]+[;,]?$|^[\w$.]+[;,]$|^[A-Z][A-Z0-9_]*$/

/** For a value assigned to a name such as `password`: people's passwords are short and half made of words. */
export function isAssignedPassword(value: string, form: Form, shouted = false): boolean {
  const bare = form === 'line' ? value.replace(/[;,]$/, '') : value
  if (bare.length < LEAST || isList(bare) || isWholePlaceholder(bare)) return false
  if (entropy(bare) < 2 || dottedName.test(bare) || (form !== 'quoted' && expression.test(value)))
    return false
  // Without a letter it is a count, a date or a ratio, unless somebody put a plain number in quotes.
  // An unquoted number may be a JSON value besides, and replacing that would break the line.
  if (!/[^\x00-\x40]/.test(bare)) return form === 'quoted' && /^\d+$/.test(bare)
  const classes = new Set(Array.from(bare, characterClass))
  if (!classes.has('digit'))
    return isPhrase(bare, classes, form) || (shouted && form === 'line' && isWord(bare))
  return classes.size > 1 && !isName(bare, form)
}

/** Letters and a sign that neither names nor paths have. */
const isPhrase = (value: string, classes: ReadonlySet<string>, form: Form): boolean =>
  classes.has('other') &&
  classes.size > 1 &&
  !(form === 'code' ? /^[\w$.?:/-]+$/ : /^[\w.?:/-]+$|^[$!]\w+$|^\w+[!?:*]$/).test(value)

/** Letters alone are a password only where nothing but one can stand: behind a name of an environment. */
const isWord = (value: string): boolean =>
  value.length >= LEAST_WORD && /^[A-Za-z][A-Za-z-]+$/.test(value) && /[a-z]/.test(value)

/** A name of a program's own, such as `hashedPassword2`. A literal is one only where a single digit counts it. */
const isName = (value: string, form: Form): boolean =>
  identifier.test(value) &&
  codeVocabulary.test(value) &&
  (form === 'code' ? !looksRandom(value) : /^[a-z_$][A-Za-z_$]*\d?$/.test(value))

/** For `the password is …`: what stands after a name in a sentence is a word as a rule. */
export const isStatedPassword = (value: string, form: Form): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  isAssignedPassword(value, form === 'quoted' ? form : 'code') &&
  !(form === 'quoted' ? /[:/]/ : /^[a-z]+\d+$|[:/]/i).test(value)

/** For what stands where only a password can, as after `sshpass -p`: whatever is no placeholder. */
export const isGivenPassword = (value: string): boolean =>
  value.length >= 4 && !/^[{[(%]|<\//.test(value) && !isWholePlaceholder(value)
