import { isWholePlaceholder } from '../judge.ts'
import { combinations, type Rule } from '../rule.ts'
import { linePrefix } from './pattern-parts.ts'
import type { Cell } from './table-lines.ts'

/** The names of codes that replace a second factor, without the ends of their plurals, */
/** `scratch code` is found without its first letter, because many words begin like it. */
const recoveryNames = [
  ...combinations(['recovery', 'backup', 'cratch', 'emergency'], ['', ' ', '-', '_'], ['code']),
  ...combinations(['wiederherstellungs', 'notfall', 'ersatz'], ['code']),
  ...combinations(['code', 'codes'], [' de secours', ' de récupération']),
  ...combinations(['código', 'códigos'], [' de recupera', ' de respaldo', ' de backup', ' de segurança']),
  ...combinations(['codice', 'codici'], [' di recupero', ' di backup']),
  ...combinations(['kod', 'kody'], [' odzyskiwania', ' zapasow']),
  ...combinations(['恢复', '备用', '恢復', '備用', '备份', '備份'], ['码', '代码', '碼', '代碼']),
]
/** such a code, */
const recoveryCode =
  '(?:(?=[a-z-]{0,24}\\d)[a-z\\d]{4,8}(?:[ -][a-z\\d]{4,8}){1,5}|\\d{8,12}|(?=[a-z]{0,19}\\d)(?=\\d{0,19}[a-z])[a-z\\d]{8,20})(?![\\w[/-])'
/** The same in a list, where it may consist of letters. */
const atEnd = String.raw`(?=["'\x60*]{0,3}(?:[ \t]{0,8}(?:[,;\r\n]|$)|[ \t]{2,8}|\\|["']))`
const listedCode = `(?:${recoveryCode}|[a-z\\d]{4,8}(?:-[a-z\\d]{4,8}){1,3}${atEnd}|[a-z\\d]{16}${atEnd})`
/** behind its name, in the lines below it, and behind another one. */
const codeIs =
  '(?: (?:for|of|für|von|pour|de|del|do|para|per|di)(?: [^\\s,:;=]{1,24}){1,3}?)?(?: (?:is|are|ist|sind|lautet|lauten|est|sont|es|son|è|sono|é|são|to)|是)?[ \\t]{0,2}[:：=]?[ \\t]{0,2}'
const newLine = String.raw`(?:(?:\r?\n|(?:\\{1,16}r)?\\{1,16}n)${linePrefix}(?:\x60{3}(?=[\r\n\\]))?){1,3}`
const bullet = String.raw`(?:(?:\d{1,2}[.)]|\[[ x]?\]|[-*•])[ \t]{0,4}){0,2}`
const quotes = String.raw`(?:\\{0,16}["'\x60*]{1,3})?`
/** A list begins behind a colon, or below the heading, which may be underlined. */
const codesBelow = String.raw`[ \t]{0,2}(?![^\r\n]{0,40}\[REDACTED:)[^\r\n\d"'\x60\\]{0,40}(?:[:：=[][*_]{0,2}[ \t]{0,2}\[?(?:${newLine}|(?=${quotes}${recoveryCode}))|(?<![^\r\n]{100})[*_]{0,2}${newLine}(?:[=-]{3,80}${newLine})?(?=${bullet}${quotes}${listedCode}${atEnd}))${bullet}`
const nextCode = String.raw`${quotes}[ \t]{0,8}(?:(?:[,;|·•]|and|und|et|y|e|i)[ \t]{0,8})?(?:${newLine})?${bullet}${quotes}`
const recoveryCodes = new RegExp(`(?<!\\w|\\d\\+|:\\d\\d\\.)${listedCode}`, 'gi')

/** The codes of a list have one form. Words with a number behind it, as in the next message, have another. */
function recoveryRanges({ 0: match, index, 1: only, 2: first = only }: RegExpExecArray): Cell[] {
  const from = match.indexOf(first!)
  const form = formOf(first!)
  return Array.from(match.slice(from).matchAll(recoveryCodes)).flatMap(({ 0: code, index: at }) => {
    const start = index + from + at
    return formOf(code) === form ? [{ start, end: start + code.length }] : []
  })
}

/** The parts of a code, of any length. Several with spaces between have the form of one. */
function formOf(code: string): string {
  const form = code.replace(/[a-z\d]+/gi, 'x')
  const [first, ...rest] = form.split(' ')
  return rest.every((each) => each === first) ? first! : form
}

export const recoveryCodeRules: readonly Rule[] = [
  {
    // Codes that replace a second factor.
    kind: 'recovery-code',
    triggers: recoveryNames,
    anyCase: true,
    pattern: new RegExp(
      // The label of a redacted code announces none.
      `(?<!\\[REDACTED:)(?:${recoveryNames.join('|')})[a-zçãó]{0,4}(?:\\\\{0,16}["'\x60])?(?:${codeIs}${quotes}(${recoveryCode})|${codesBelow}${quotes}(${listedCode}))(?:${nextCode}${listedCode}){0,400}`,
      'iy',
    ),
    // Words with a hyphen between have no digits.
    judge: (secret, { 0: match }) =>
      !isWholePlaceholder(secret) && !!match.match(recoveryCodes)?.some((code) => /\d/.test(code)),
    ranges: recoveryRanges,
  },
]
