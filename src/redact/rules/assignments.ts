import {
  isAmazonSecret,
  isAssignedKey,
  isNumericKey,
  isStatedKey,
  looksLikeKey,
  looksRandom,
} from '../judge.ts'
import { formOf, isAssignedPassword } from '../password-judge.ts'
import type { Rule } from '../rule.ts'
import type { Trigger } from '../trigger.ts'
import { assignmentRules, type Judge } from './assigned-values.ts'
import { namesDocument } from './document-tokens.ts'
import { passwords } from './passwords.ts'

const isQuoted = ({ groups }: RegExpExecArray): boolean => groups?.quote !== undefined
const key: Judge = (value, match) => isAssignedKey(value, isQuoted(match)) || isNumericKey(value)
const statedKey: Judge = (value, match) => isStatedKey(value, isQuoted(match)) || isNumericKey(value)
const keys = { judge: key, closer: statedKey }

/** Names that end in `key` and mean no secret: positions in data, and what is meant to be published. */
const ofData =
  /(?:public|pub|publishable|site|anon|primary|foreign|unique|candidate|surrogate|composite|partition|sort|range|hash|group|order|cache|storage|store|idempotency|dedupe?|deduplication|lookup|row|column|object|query|item|record|entity|document|dict|session|message|event|request|response|trace|correlation|tracking|index|context|parent|child|node|prop|property|field|state|lock|queue|topic|routing|rate|limit|feature|flag|config|setting|job|task|run|project|resource|translation|locale|i18n|text|label|file|path|image|asset|bucket|s3|object|blob|redis|host|known|fingerprint|signature|version|react|list|tab|menu|component|hot|short|arrow|any|enter|escape|return|shift|registry|prompt|thread|conversation|user|issue|jira|ticket|cell|sheet|data|test|sync|issuer|tree|pixel|widget|tag|license_type)s?[._-]?$/i

const BEFORE = 32

/** Whether the name before `key` says that its value is no secret. */
const namesData = ({ input, index }: RegExpExecArray): boolean =>
  ofData.test(input.slice(Math.max(0, index - BEFORE), index))

/** What is assigned to the key of some vendor or service (`MAPS_KEY`), which can be any name. */
const anyKey: Judge = (value, match) =>
  !namesData(match) &&
  value.length >= LEAST_KEY &&
  !/[?(){}]|^\w+(?:\.\w+)+$/.test(value) &&
  !/[/\\]|\.\w{1,5}$/.test(value.replace(/[A-Za-z0-9+/]{40,}=*/, '')) &&
  isAssignedKey(value, isQuoted(match)) &&
  (isShouted(match) ? looksLikeKey(value) : looksRandom(value) && !/^[0-9a-f-]+$/i.test(value))
const LEAST_KEY = 20

/** The name is in capitals, as in an environment. */
const isShouted = ({ input, index, 0: match }: RegExpExecArray): boolean =>
  match.startsWith('KEY') && /[A-Z0-9]_?$/.test(input.slice(Math.max(0, index - 2), index))

/** A made-up value can also be a secret if its name is in capitals. */
const madeUp: Judge = (value, match) =>
  match[0].startsWith('SECRET') &&
  value.length >= 8 &&
  /\d/.test(value) &&
  formOf(match) !== 'code' &&
  isAssignedPassword(value, formOf(match))

const secret: Judge = (value, match) => key(value, match) || madeUp(value, match)

/** A long number under a name in capitals. In lower case, the tokens of a model are counted. */
const numericToken: Judge = (value, match) =>
  match[0].startsWith('TOKEN') &&
  isNumericKey(value) &&
  !/(?:MAX|MIN|LIMIT|COUNT|TOTAL|INPUT|OUTPUT|CONTEXT|BUDGET|PER)_?$/.test(
    match.input.slice(Math.max(0, match.index - 8), match.index),
  )

/** In environments, `_PAT` is a personal access token. In code it is a pattern. */
const isToken: Judge = (value, match) => !/^_(?!PAT)/.test(match[0]) && !namesDocument(value, match)
const token: Judge = (value, match) =>
  isToken(value, match) && (isAssignedKey(value, isQuoted(match)) || numericToken(value, match))
const statedToken: Judge = (value, match) => isToken(value, match) && isStatedKey(value, isQuoted(match))

const keyOwners =
  '(?:access|secret|private|auth|encryption|signing|master|shared|pre[._-]?shared|account|service|service[._-]role|app|license|admin|deploy|registry)'
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
    kind: 'key',
    names: [ownedKey],
    name: '(?<=[A-Za-z0-9][._-]|[A-Za-z])key',
    judge: anyKey,
    closer: (value, match) => isShouted(match) && anyKey(value, match),
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
