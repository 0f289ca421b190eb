import { isAssignedKey, isAssignedPassword } from '../judge.ts'
import type { Rule } from '../rule.ts'

/** `TOKEN_2`, `SECRET_KEY_BASE`, `PASSWORD_PROD` name the same thing; `token_count` and `password_hash` do not. */
const suffix = String.raw`(?:[_-]?(?:key|base|value|prod|production|staging|dev|live|old|new|v?\d{1,2})){0,2}`
/** A quote, at any depth of JSON inside JSON. */
const quote = String.raw`\\{0,16}["'\x60]`
const separator = String.raw`(?:${quote})?\*{0,2}[ \t]{0,8}(?::[ \t]?string[ \t]{0,2}(?==))?(?:={1,3}>?|:=|:)\*{0,2}[ \t]{0,8}`
/** In a command, a flag and its value are parted by a space. */
const flag = String.raw`(?<=--[A-Za-z-]{0,40})[ \t]{1,4}`
/** Ends at its own quote, or, where a limit has cut the text off, at the quote of what is around it. */
const quotedValue = String.raw`(${quote})((?:(?!\1)[^\s\\]|\\u[0-9a-fA-F]{4}|\\\/){6,512})(?=${quote}|$|…|\.\.\.)`
const bareEnd = String.raw`\s"'\x60,;&|<>()\[\]{}\\`
/** What goes on with a bracket is a call or an index, that is, code. */
const bareValue = String.raw`((?!--)[^${bareEnd}]{6,512})(?=$|[\s"'\x60,;&|<>)\]}\\])`

type Judge = (value: string, quoted: boolean) => boolean

/** A rule for `name = value` in its many spellings: environment, JSON, YAML, source code, query, command line flag. */
function assignmentRule(kind: string, triggers: string[], name: string, judge: Judge): Rule {
  const named = `(?:${name})${suffix}(?:${separator}|${flag})`
  return {
    kind,
    triggers,
    anyCase: true,
    pattern: new RegExp(`${named}(?:${quotedValue}|${bareValue})`, 'iy'),
    judge: (secret, match) => judge(secret, match[1] !== undefined),
  }
}

/** A marker of a page or of the next batch is called a token, and opens nothing. */
const notPaging = '(?<!(?:page|next|continuation|stop|sync)[_-]?)'
const keyOwners =
  '(?:access|secret|private|auth|encryption|signing|master|account|service|service[_-]role|app|license|admin)'

/** Values assigned to a name that announces a secret. Only the value goes, the name stays. */
export const assignments: readonly Rule[] = [
  assignmentRule(
    'password',
    ['pass', 'pwd'],
    'pass(?:word|wd|phrase)|pwd|(?<![A-Za-z])pass',
    isAssignedPassword,
  ),
  assignmentRule('aws-secret-key', ['key'], '(?<=secret[_-]?access[_-]?)key', isAssignedKey),
  assignmentRule('api-key', ['key'], '(?<=api[_-]?)key', isAssignedKey),
  assignmentRule('key', ['key'], `(?<=${keyOwners}[_-]?)key`, isAssignedKey),
  assignmentRule('secret', ['secret'], 'secret', isAssignedKey),
  assignmentRule('token', ['token'], `${notPaging}token`, isAssignedKey),
  assignmentRule('credential', ['credential'], 'credentials?', isAssignedKey),
  assignmentRule('credential', ['_auth', '"auth'], '_auth|"auth(?=\\\\{0,16}")', isAssignedKey),
]
