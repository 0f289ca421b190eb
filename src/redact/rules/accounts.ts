import {
  isAssignedPassword,
  isGivenPassword,
  isSpokenPassword,
  isUnlikeWords,
  isWholePlaceholder,
  looksRandom,
  uuid,
} from '../judge.ts'
import { combinations, givenRange, passwordRules, type Rule, type Trigger } from '../rule.ts'
import { afterSign, linePrefix, textBefore } from './pattern-parts.ts'
import type { Cell } from './table-lines.ts'

/** Passwords next to the account that they belong to. */

/** Ends of the addresses of mail accounts. */
const ends = (
  'com org net edu gov io dev ai app me co uk de at ch fr it es pt nl be se no dk fi pl cz ru ua tr jp cn kr in au br mx ca us eu info biz ' +
  'ie gr hu ro sk hr lv ee il ae za ar cl pe nz hk tw vn xyz online site store live tech cloud shop local internal lan corp test example'
).split(' ')
const signs = [':', '|', ';', '----', '\t', ' :', ' |']

/** Positions in a file or repository, port numbers, and ids have the same shape. */
const isNoPassword = (secret: string): boolean =>
  /^[~./]|\/|\.(?!\d{4}$)\w{1,4}$|^\d{4}-\d\d-\d\d/.test(secret) || uuid.test(secret)

function isPairedPassword(secret: string): boolean {
  if (isNoPassword(secret)) return false
  // Two words and a sign: `turtleGato!`.
  if (!isUnlikeWords(secret)) return /^[A-Za-z]?[a-z]+[A-Z][a-z]+[!?#*$%&]{1,3}$/.test(secret)
  return (
    (/[A-Z]|[^\w]/.test(secret) || /^[a-z]+\d{4,}|\d[a-z]+\d/.test(secret)) &&
    isAssignedPassword(secret, 'code')
  )
}

/** The name of a group or a version: `team-7`. */
const isNumbered = (field: string): boolean =>
  /^(?:[A-Za-z]+[-_ .]|(?:pr|mr|issue|bug|ticket|build|run|job|case|task|order|team)#)\d{1,4}(?:[-_.]\d{1,4})*$/i.test(
    field,
  )

/** In a list with several fields: digits alone as the only other field, or right behind the account. */
const isField = (field: string, next: boolean): boolean =>
  isPairedPassword(field) ||
  (next && /^\d{6,12}$/.test(field) && isSpokenPassword(field)) ||
  (field.length >= 16 && looksRandom(field) && !uuid.test(field) && !field.includes('://'))

const LONGEST = 600
const fieldEnd = /[\s"'`\\<>,]/
const lineBegins = new RegExp(`(?:^|[\\n\\r"'\`]|\\\\[nr])${linePrefix}$`)
const lineEnds = /^[ \t]{0,8}(?:$|["'`\r\n]|\\+["'nr])/
const LONGEST_PREFIX = 120

/** Whether the entry is a line of its own. */
const isLine = (input: string, start: number, end: number): boolean =>
  lineEnds.test(input.slice(end, end + 32)) && lineBegins.test(textBefore(input, start, LONGEST_PREFIX))

const lineBreak = /^[ \t]{0,8}["'`]?[,;]?\r?(?:\n|(?:\\{1,16}r)?\\{1,16}n)/
const entryOfLine = new RegExp(
  String.raw`^(?:[^\r\n]{0,60}["'\x60])?${linePrefix}(?:https?:\/\/[^\s:@]{1,120}[:|])?[\w.+-]{1,64}@[\w.-]{1,190}(?:-{4}| ?[:|;] ?|\t)([^\s"'\x60\\<>,|;]{4,100})`,
)
const ENTRY = 400
const FEW_ENTRIES = 3

/** The position of the last line break before another position, as it is or escaped. */
const lineBreakBefore = (input: string, position: number): number => {
  const from = Math.max(0, position - ENTRY)
  const near = input.slice(from, position)
  return from + Math.max(near.lastIndexOf('\n'), near.lastIndexOf('\\n'))
}

/** The values of neighboring entries. */
function neighborsOf(input: string, start: number, end: number): string[] {
  const found: string[] = []
  for (let at = end; found.length < FEW_ENTRIES; ) {
    const lineEnd = lineBreak.exec(input.slice(at, at + LONGEST_PREFIX))
    const begin = at + (lineEnd?.[0].length ?? 0)
    const entry = lineEnd && entryOfLine.exec(input.slice(begin, begin + ENTRY))
    if (!entry) break
    found.push(entry[1]!)
    at = begin + entry[0].length
    while (at < input.length && !fieldEnd.test(input[at]!)) at++
  }
  let at = lineBreakBefore(input, start)
  for (let left = FEW_ENTRIES; left > 0 && at > 0; left--) {
    const before = lineBreakBefore(input, at)
    const begin = Math.max(0, before + (input[before] === '\\' ? 2 : input[before] === '\n' ? 1 : 0))
    const entry = entryOfLine.exec(input.slice(begin, at))
    if (!entry) break
    found.push(entry[1]!)
    at = before
  }
  return found
}

/** In a list of accounts, a password may be weak, */
const isListedPassword = (field: string): boolean =>
  field.length >= 6 &&
  !isNoPassword(field) &&
  (isUnlikeWords(field) ? isAssignedPassword(field, 'quoted') : isPairedPassword(field))

/** and a word, if every third entry beside it has a password. */
function isListed(field: string, neighbors: readonly string[]): boolean {
  if (neighbors.length === 0) return false
  if (isListedPassword(field)) return true
  const sure = neighbors.filter((each) => isListedPassword(each) && !isNumbered(each))
  return (
    sure.length * 3 >= neighbors.length &&
    /^[A-Za-z\d]{4,}[!?#*]{0,3}$|^\d{6,}$/.test(field) &&
    isGivenPassword(field)
  )
}

/** Before the account, an address of a site may be. Any other is that of a server with an account. */
const ofSite =
  /(?:https?|android):\/\/[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::\d{1,5})?(?:\/[^\s:@]{0,120})?[:|;]$/

/** The account is a cell of a table with bars on both sides. */
const isCell = /(?:^|[\n\r"]|\\n)[ \t>+-]{0,8}[|│][ \t]{0,20}$/

/** The fields of the entry that contains the account, except for those that say whom it belongs to. */
function fieldsOf({ groups, input, index, 0: match }: RegExpExecArray): Cell[] {
  const given = groups!.sign!
  const sign = given.trim() || given
  const behind = index + match.length
  const entry = index - groups!.name!.length
  const near = textBefore(input, entry, 240)
  const word = near.split(/\s/).at(-1)!
  const isAddress = word.includes('://')
  if (isAddress && !ofSite.test(word)) return []
  const begins = isAddress ? entry - word.length : entry
  const isSpaced = given !== sign || sign === '\t'
  const fields: Cell[] = []
  let end = behind
  for (let start = behind; start < behind + LONGEST; ) {
    let stop = start
    while (
      stop < input.length &&
      stop < start + LONGEST &&
      !fieldEnd.test(input[stop]!) &&
      !input.startsWith(sign, stop)
    )
      stop++
    fields.push({ start, end: stop })
    end = stop
    const next = isSpaced && sign !== '\t' && input[stop] === ' ' ? stop + 1 : stop
    if (!input.startsWith(sign, next)) break
    start = next + sign.length
    if (isSpaced && input[start] === ' ') start++
  }
  const isAlone = isLine(input, begins, end)
  let known: string[] | undefined
  const neighbors = (): string[] => (known ??= isAlone ? neighborsOf(input, begins, end) : [])
  if (isSpaced) {
    const values = fields.map(({ start, end }) => input.slice(start, end))
    const holdsKey = values.some((each) => each.length >= 20 && looksRandom(each))
    if (!isAlone || isCell.test(near)) return []
    if (sign !== ':' && !holdsKey && neighbors().length === 0) return []
    if (sign !== '|' && fields.length > 1) return []
  }
  const found = fields.filter(({ start, end }) => {
    const field = input.slice(start, end)
    if (sign === ':' ? /^[a-z]/.test(field) && isNumbered(field) : isNumbered(field)) return false
    if (isSpaced && sign === ':') return isPairedPassword(field)
    return isField(field, start === behind && !isSpaced) || (start === behind && isListed(field, neighbors()))
  })
  return [...found, ...fieldsBefore(input, entry, sign)]
}

/** Before the account there may be an id with another password. */
function fieldsBefore(input: string, entry: number, sign: string): Cell[] {
  const before = /(?:^|[\s"'`\\<>,])([^\s"'`\\<>,@]{1,200})$/.exec(textBefore(input, entry, 200))?.[1]
  if (!before?.includes(sign) || before.includes('://')) return []
  const found: Cell[] = []
  let start = entry - before.length
  for (const field of before.split(sign)) {
    if (isField(field, false)) found.push({ start, end: start + field.length })
    start += field.length + sign.length
  }
  return found
}

const quoted = (name: string): string => String.raw`\\{0,16}(?<${name}>["'\x60])`

/** Arguments may be on lines of their own. */
const space = String.raw`(?:[ ]{0,2}|[ ]{0,2}(?:\r?\n|(?:\\{1,16}r)?\\{1,16}n)${linePrefix})`
const parameter = String.raw`(?:[\w.]{1,20}[ ]?[=:][ ]?)?`
const sent = [
  'auth',
  ...['login', 'signin', 'log_in', 'sign_in', 'loginas', 'loginwith', 'log_in_as', 'signinas', 'sign_in_as'],
  ...['authenticate', 'ilandpassword', 'createuser', 'create_user'],
  ...['credentials', 'credential', 'authentication', 'authenticationtoken'],
]
/** The mail address of the account, which some calls take before its password. */
const address = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,8}$/
/** A program and its version. */
const ofProgram = /^[\w.-]+\/v?\d[\d.]*$/
/** The first argument of these is a server. */
const connected = ['mysqli', 'mysqli_connect', 'mysql_connect']

export const logins: readonly Rule[] = passwordRules([
  {
    triggers: ends.flatMap((each) => signs.map((sign) => `.${each}${sign}`)),
    anyCase: true,
    pattern: new RegExp(
      String.raw`(?<=(?<name>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}))\.(?:${ends.join('|')})(?<sign>: ?| : | ?\| ?|;|----|\t)(?=[^\s"'\x60\\<>,]{4,})`,
      'iy',
    ),
    judge: () => true,
    ranges: fieldsOf,
  },
  {
    // What clients of mail, files and chats send: `USER bob`, `PASS …`.
    triggers: ['PASS '],
    pattern:
      /PASS (?<=(?:^|[\n\r]|\\n|[^\w\n\r-] ?|\d-|quote )PASS )(?:(?<=quote PASS |(?<![\w-](?<!\d-))USER \S{1,64}\s{1,9}(?:\S[^\r\n]{0,120}\s{1,2}){0,1}(?:\d-|\S(?:[^\r\n]{0,80}(?:[^\w\r\n-]|\d-))?)? ?PASS )|(?=\S{1,128}\s{1,3}(?:NICK|USER) ))([^\s"'\\]{4,128})/y,
    judge: isPairedPassword,
  },
  {
    // `root:…@10.0.0.1`
    triggers: [
      ...combinations(['@'], ['10.', '127.', '172.', '192.']).map(
        (literal): Trigger => ({ literal, ahead: { kind: /[!-~]/, count: 8, within: 0 } }),
      ),
    ],
    pattern: new RegExp(
      String.raw`(?<=(?:(?<![\w.@/:-])|${afterSign})[a-z][\w.-]{0,31}:(?<given>[^\s"'\x60\\<>/:]{6,64}))@\d{1,3}(?:\.\d{1,3}){3}(?![\d.])`,
      'iy',
    ),
    judge: (_, { groups }) => isPairedPassword(groups!.given!),
    ranges: givenRange,
  },
  {
    // `auth=('bob', '…')`, `smtp.login("a@b", "…")`
    triggers: ['auth =', 'auth=', ...[...sent, ...connected].map((each) => `${each}(`)],
    anyCase: true,
    pattern: new RegExp(
      String.raw`(?:(?:${sent.join('|')})(?: ?= ?)?\(|(?:${connected.join('|')})\([^"'\r\n,]{0,60}["']?[^"'\r\n,]{0,120}["']?,)${space}(?:[$\w.]{1,40},[ ])?${parameter}${quoted('one')}(?<user>[^"'\x60\r\n\\]{1,128})\\{0,16}\k<one>[ ]?,${space}(?:${parameter}|Some\()${quoted('two')}([^"'\x60\s\\]{5,128})(?=\\{0,16}\k<two>)`,
      'iy',
    ),
    judge: (secret, { groups }) =>
      secret !== groups!.user &&
      !/^pass|^<|\s/i.test(groups!.user!) &&
      !address.test(secret) &&
      !isWholePlaceholder(secret) &&
      !ofProgram.test(secret) &&
      isAssignedPassword(secret, 'quoted'),
  },
])
