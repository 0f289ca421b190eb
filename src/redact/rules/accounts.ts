import { isAssignedPassword, isSpokenPassword, isWholePlaceholder, looksRandom } from '../judge.ts'
import type { Rule } from '../rule.ts'
import { linePrefix } from './pattern-parts.ts'

/** Passwords next to the account that they belong to. */

/** Ends of the addresses of mail accounts. */
const ends = (
  'com org net edu gov io dev ai app me co uk de at ch fr it es pt nl be se no dk fi pl cz ru ua tr jp cn kr in au br mx ca us eu info biz ' +
  'ie gr hu ro sk hr lv ee il ae za ar cl pe nz hk tw vn xyz online site store live tech cloud shop local internal lan corp test example'
).split(' ')
const signs = [':', '|', ';', '----']

/** Positions in a file or repository, and port numbers, have the same shape. */
const isNoPassword = (secret: string): boolean => /^[~./]|\/|\.\w{1,4}$|^\d{4}-\d\d-\d\d/.test(secret)

function isPairedPassword(secret: string): boolean {
  return (
    !isNoPassword(secret) &&
    (/[A-Z]|[^\w]/.test(secret) || /^[a-z]+\d{4,}|\d[a-z]+\d/.test(secret)) &&
    /\d/.test(secret) &&
    isAssignedPassword(secret, 'code')
  )
}

/** In a list with several fields: digits alone as the only other field, or right behind the account. */
const isField = (field: string, next: boolean): boolean =>
  isPairedPassword(field) ||
  (next && /^\d{6,12}$/.test(field) && isSpokenPassword(field)) ||
  (field.length >= 20 && looksRandom(field))

const LONGEST = 600
const fieldEnd = /[\s"'`\\<>,]/
const lineBegins = new RegExp(`(?:^|[\\n\\r"]|\\\\[nr])${linePrefix}$`)
const lineEnds = /^[ \t]{0,8}(?:$|["\r\n]|\\+["nr])/
const LONGEST_PREFIX = 80

/** Whether the entry is a line of its own. */
const isLine = (input: string, start: number, end: number): boolean =>
  lineEnds.test(input.slice(end, end + 32)) &&
  lineBegins.test(input.slice(Math.max(0, start - LONGEST_PREFIX), start))

const nextEntry = new RegExp(
  String.raw`^[ \t]{0,8}(?:\r?\n|(?:\\{1,16}r)?\\{1,16}n)${linePrefix}[\w.+-]{1,64}@[\w.-]{1,190}(?::|\||;|----)[^\s"'\x60\\<>,]{4}`,
)
const previousEntry = new RegExp(
  String.raw`@[\w.-]{1,190}(?::|\||;|----)[^\s"'\x60\\<>,@]{4,100}(?:\r?\n|(?:\\{1,16}r)?\\{1,16}n)${linePrefix}$`,
)
const ENTRY = 400

/** Whether the line before or after the entry is another one. */
const isListed = (input: string, start: number, end: number): boolean =>
  isLine(input, start, end) &&
  (nextEntry.test(input.slice(end, end + ENTRY)) ||
    previousEntry.test(input.slice(Math.max(0, start - ENTRY), start)))

/** In a list of accounts, a password may be weak. */
const isListedPassword = (field: string): boolean =>
  field.length >= 6 && !isNoPassword(field) && /\d/.test(field) && isAssignedPassword(field, 'quoted')

/** The fields of the entry that contains the account, except for those that say whom it belongs to. */
function fieldsOf({ groups, input, index, 0: match }: RegExpExecArray): { start: number; end: number }[] {
  const sign = groups!.sign!
  const fields: { start: number; end: number }[] = []
  const behind = index + match.length
  let end = behind
  while (end < input.length && end < behind + LONGEST && !fieldEnd.test(input[end]!)) end++
  const entry = index - groups!.name!.length
  if (sign === ': ')
    return isPairedPassword(input.slice(behind, end)) && isLine(input, entry, end)
      ? [{ start: behind, end }]
      : []
  for (let start = behind; start <= end; ) {
    const next = input.indexOf(sign, start)
    const stop = next < 0 || next > end ? end : next
    const field = input.slice(start, stop)
    if (
      isField(field, start === behind) ||
      (start === behind && isListedPassword(field) && isListed(input, entry, end))
    )
      fields.push({ start, end: stop })
    start = stop + sign.length
  }
  // Before the account there may be an id with another password.
  const before = /(?:^|[\s"'`\\<>,])([^\s"'`\\<>,@]{1,200})$/.exec(
    input.slice(Math.max(0, index - 264), entry),
  )?.[1]
  if (before?.includes(sign)) {
    let start = entry - before.length
    for (const field of before.split(sign)) {
      if (isField(field, false)) fields.push({ start, end: start + field.length })
      start += field.length + sign.length
    }
  }
  return fields
}

const quoted = (name: string): string => String.raw`\\{0,16}(?<${name}>["'\x60])`

export const logins: readonly Rule[] = [
  {
    kind: 'password',
    triggers: ends.flatMap((each) => signs.map((sign) => `.${each}${sign}`)),
    anyCase: true,
    pattern:
      /(?<=(?<name>(?<!:\/\/[^\s]{0,80})[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}))\.[a-z]{2,8}(?<sign>: ?|\||;|----)(?=[^\s"'`\\<>,]{4,})/iy,
    judge: () => true,
    ranges: fieldsOf,
  },
  {
    kind: 'password',
    // `auth=('bob', '…')`, `smtp.login("a@b", "…")`
    triggers: [
      'auth(',
      'auth =',
      'auth=',
      'login(',
      'log_in(',
      'signin(',
      'sign_in(',
      'authenticate(',
      'credentials(',
      'credential(',
      'authentication(',
      'authenticationtoken(',
    ],
    anyCase: true,
    pattern: new RegExp(
      String.raw`(?:auth|login|log_in|signin|sign_in|authenticate|credentials?|authentication(?:token)?)(?: ?= ?)?\([ ]{0,2}(?:[\w.]{1,20}[ ]?[=:][ ]?)?${quoted('one')}(?<user>[^"'\x60\r\n\\]{1,128})\\{0,16}\k<one>[ ]?,[ ]{0,2}(?:[\w.]{1,20}[ ]?[=:][ ]?|Some\()?${quoted('two')}([^"'\x60\s\\]{5,128})(?=\\{0,16}\k<two>)`,
      'iy',
    ),
    judge: (secret, { groups }) =>
      secret !== groups!.user && !isWholePlaceholder(secret) && isAssignedPassword(secret, 'quoted'),
  },
]
