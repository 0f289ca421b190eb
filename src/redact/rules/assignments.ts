import { isAmazonSecret, isAssignedKey, isStatedKey } from '../judge.ts'
import { formOf, isAssignedPassword } from '../password-judge.ts'
import type { Rule } from '../rule.ts'
import type { Trigger } from '../trigger.ts'
import { assignmentRules, type Judge } from './assigned-values.ts'
import { namesDocument } from './document-tokens.ts'
import { passwords } from './passwords.ts'

const isQuoted = ({ groups }: RegExpExecArray): boolean => groups?.quote !== undefined
const key: Judge = (value, match) => isAssignedKey(value, isQuoted(match))
const statedKey: Judge = (value, match) => isStatedKey(value, isQuoted(match))
const keys = { judge: key, closer: statedKey }

/** A made-up value can also be a secret if its name is in capitals. */
const madeUp: Judge = (value, match) =>
  match[0].startsWith('SECRET') &&
  value.length >= 8 &&
  /\d/.test(value) &&
  formOf(match) !== 'code' &&
  isAssignedPassword(value, formOf(match))

const secret: Judge = (value, match) => key(value, match) || madeUp(value, match)

/** In environments, `_PAT` is a personal access token. In code it is a pattern. */
const isToken: Judge = (value, match) => !/^_(?!PAT)/.test(match[0]) && !namesDocument(value, match)
const token: Judge = (value, match) => isToken(value, match) && key(value, match)
const statedToken: Judge = (value, match) => isToken(value, match) && statedKey(value, match)

const keyOwners =
  '(?:access|secret|private|auth|encryption|signing|master|account|service|service[._-]role|app|license|admin|deploy|registry)'
/** The owner of the key precedes it. */
const ownedKey: Trigger = { literal: 'key', before: /[a-z._-]/i }

/** Values assigned to a name that announces a secret. Only the value is redacted. */
export const assignments: readonly Rule[] = [
  ...passwords,
  ...assignmentRules({
    kind: 'aws-secret-key',
    names: [ownedKey],
    name: '(?<=secret[._-]?access[._-]?)key',
    judge: (value, match) => isAmazonSecret(value, isQuoted(match)),
    closer: statedKey,
  }),
  ...assignmentRules({ kind: 'api-key', names: [ownedKey], name: '(?<=api[._-]?)key', ...keys }),
  ...assignmentRules({
    kind: 'key',
    names: [ownedKey],
    name: `(?<=${keyOwners}[._-]?)key|(?<=client-)key-data`,
    ...keys,
  }),
  ...assignmentRules({
    kind: 'secret',
    names: ['secret'],
    name: 'secret',
    ...keys,
    judge: secret,
    line: madeUp,
  }),
  ...assignmentRules({
    kind: 'token',
    names: ['token', '_pat'],
    name: 'token|(?<=[A-Za-z])_pat',
    judge: token,
    closer: statedToken,
  }),
  ...assignmentRules({
    kind: 'credential',
    names: ['credential', 'credentials'],
    name: 'credentials?',
    ...keys,
  }),
  ...assignmentRules({
    kind: 'credential',
    names: ['_auth', '"auth'],
    name: '_auth|"auth(?=\\\\{0,16}")',
    ...keys,
  }),
]
