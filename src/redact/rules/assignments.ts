import {
  formOf,
  isAmazonSecret,
  isAssignedKey,
  isAssignedPassword,
  isKeyId,
  isNumericKey,
  isSpokenPassword,
  isStatedKey,
  isStatedPassword,
  looksLikeKey,
  looksRandom,
  uuid,
} from '../judge.ts'
import { combinations, givenRange, type Rule, type Trigger, triggerOf } from '../rule.ts'
import {
  aligned,
  assigned,
  bareValue,
  called,
  defined,
  enclosed,
  fieldNames,
  inField,
  isCode,
  LONGEST_VALUE,
  linePrefix,
  listed,
  nested,
  otherwise,
  paired,
  parted,
  put,
  quotedValue,
  recorded,
  restOfField,
  restOfLine,
  space,
  stated,
  textBefore,
  typed,
} from './pattern-parts.ts'
import { chinesePasswordWords, passwordWords, unspacedPasswordWords } from './secret-words.ts'

/**
 * Tokens that are not secrets: ids of documents, positions in a listing, and keys that make a request unique.
 */

/** Tokens of pages and batches, and of documents, folders and their parts in Feishu and Lark. */
const ofIds = wordAtEnd(
  'page|next|continuation|stop|sync|cursor|doc|docx|document|node|obj|object|wiki|file|folder|parent|sheet|spreadsheet|bitable|base|table|image|media|block|space|minutes?|whiteboard|board|mindnote|slides?|shortcut|thumbnail|comment|drive',
)
/** These names can also mean a secret. The shape of the value decides. */
const perhaps = /(?:client|app|request|idempotency|(?<![A-Za-z])id)[_-]?$/i
/** Ids of documents have 27 letters. Older ones begin with the type of document. */
const documentId = /^(?:(?:bas|app|dox|sht|wik|box|fld|nod|tbl)[A-Za-z0-9]{21,25}|[A-Za-z0-9]{27})$/

const NAME = 24

/** Matches one of these words at the end of a text: alone, or as a part of a name. */
function wordAtEnd(words: string): RegExp {
  const capital = words.replace(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())
  return new RegExp(`(?:(?<![A-Za-z])(?:${words}|${words.toUpperCase()})|(?<![A-Z])(?:${capital}))s?[._-]?$`)
}

/** A name in capitals is that of a variable in an environment, which holds no position in a listing. */
export function namesDocument(value: string, { 0: match, input, index }: RegExpExecArray): boolean {
  if (match.startsWith('TOKEN')) return false
  const before = textBefore(input, index, NAME)
  // In .NET, every name of an assembly has the token of its public key.
  return (
    /public[_-]?key$/i.test(before) ||
    ofIds.test(before) ||
    (perhaps.test(before) && (uuid.test(value) || documentId.test(value)))
  )
}

/**
 * `TOKEN_2`, `SECRET_KEY_BASE` and `PASSWORD_PROD` are names of secrets; `token_count` and `password_hash`
 * are not.
 */
const suffix = String.raw`(?:[_-]?(?:key|base|value|prod(?:uction)?|staging|dev(?:elopment)?|live|old|new|v?\d{1,2}|(?<=[_-])(?:sandbox|test|stage|qa|uat|demo|local|primary|secondary|backup))){0,2}(?:__)?`
/** What a password is for, or that it is given twice. */
const passwordSuffix = String.raw`(?:[_-](?:db|database|bd|banco|banque|admin|root|sa|sudo|user|e?mail|correo|s?ftp|smtp|imap|ssh|sql|mysql|mssql|oracle|pg|postgres|mongo|redis|wi-?fi|wlan|router|nas|web|app|api|portal|panel|master|login|account|vpn|proxy|ldap|keystore|sys|shop|wo)(?![a-z])|[_-]?(?<=passw(?:or)?d[_-]?)(?:confirm\w{0,6}|repeat(?:ed)?|again|verif\w{0,7}|retype))?${suffix}`
const repeated = combinations(['password', 'passwd'], ['confirm', 'repeat', 'again', 'verif', 'retype'])
const value = `(?:${quotedValue}|${bareValue})`
/** What follows the name of a secret. */
const following = (between: readonly string[], what: string): RegExp =>
  new RegExp(`(?:${between.join('|')})${what}`, 'iy')
const assignedValue = following(
  [otherwise, assigned, paired, listed, nested, parted, put, defined, enclosed, called],
  value,
)
const statedValue = following([stated, typed, aligned, recorded], value)
const assignedLine = following([assigned, aligned], restOfLine)
const field = following([listed, enclosed, assigned + inField], restOfField)
/**
 * The first characters of a suffix, an operator, or anything else between a name and its value, except for
 * `staging`.
 */
const afterName = /[+{()\s\d\\"'`\]\x1b*:=,;|?><_bdklnopv&%/[-]/i

type Judge = (value: string, match: RegExpExecArray) => boolean

interface Named {
  kind: string
  names: readonly (string | Trigger)[]
  /** The pattern of the names. */
  name: string
  /** Judges assigned values, */
  judge: Judge
  /** values in prose and tables, */
  closer: Judge
  /** and the rest of a line. Absent if such values contain no characters that end other values. */
  line?: Judge
  /** What may follow a name. */
  ending?: string
}

/**
 * Rules for `name = value` in its many forms: environment, JSON, YAML, source code, query, command-line
 * option, name-value pairs, prose and tables.
 */
function assignmentRules({ kind, names, name, judge, closer, line, ending = suffix }: Named): Rule[] {
  const triggers = names.map(triggerOf).flatMap((each): Trigger[] =>
    each.behind || /\W$|[_\d]$/.test(each.literal)
      ? [each]
      : [
          { ...each, behind: { kind: afterName, count: 1 } },
          { ...each, literal: `${each.literal}st` },
        ],
  )
  const pattern = new RegExp(`(?:${name})(${ending})`, 'iy')
  const rule = (after: RegExp, by: Judge): Rule => ({
    kind,
    triggers,
    anyCase: true,
    pattern,
    after,
    judge: (secret, match) => secret.length <= LONGEST_VALUE && by(secret, match),
  })
  const noReference =
    (by: Judge): Judge =>
    (secret, match) =>
      !isReference(match) && by(secret, match)
  const noCode = (by: Judge): Judge => noReference((secret, match) => !isCode(match) && by(secret, match))
  return [
    rule(assignedValue, noCode(judge)),
    rule(statedValue, noCode(closer)),
    ...(line ? [rule(assignedLine, noReference(line)), rule(field, judge)] : []),
  ]
}

/** The beginning of the name of a secret in AWS has so many characters. */
const ARN = 80
/**
 * A file that was tested (`PASS  src/cart2.test.ts`), a tag of YAML before what it gets the secret from
 * (`: !vault db`), and the name of a secret in AWS.
 */
const isReference = ({ input, index, 0: { length } }: RegExpExecArray): boolean =>
  /^PASS +[\w./-]+\.[jt]sx?\b|: ![a-z-]+ [^#\s]$/.test(input.slice(index, index + length + 2)) ||
  /\barn:aws[\w-]{0,10}:secretsmanager:[\w-]{0,24}:\d{0,12}:$/.test(textBefore(input, index, ARN))

/** What precedes `pass` in names without a capital: `dbpass`. */
const ofPass =
  /(?:db|mail|smtp|imap|ftp|ssh|sql|root|admin|user|auth|http|key|store|login|wifi|ldap|my|vnc)$/i

/** `DBPASS` and `smtpPass` are names of passwords; `bypass` and `Compass` are not. */
function isPassName({ input, index, 0: match }: RegExpExecArray): boolean {
  const before = input[index - 1] ?? ''
  if (/^pw(?!d)/i.test(match)) return !/[A-Za-z]/.test(before) || (/^Pw/.test(match) && /[a-z]/.test(before))
  if (!/[A-Za-z]/.test(before) || !/^pass(?![a-z])/i.test(match)) return true
  if (ofPass.test(textBefore(input, index, 6))) return true
  if (/^P[^A-Z]/.test(match)) return /[a-z]/.test(before)
  return /^PASS/.test(match) && !/(?:BY|COM|TRES|SUR|OVER|UNDER)$/.test(textBefore(input, index, 5))
}

/** A test in Go passes. What draws an image has passes, which a value may name: `render pass: Sky_02`. */
export const isStage: Judge = (value, { 0: name, input, index }) =>
  (/^PASS: /.test(name) && /^(?:Test|Example|Fuzz)[A-Z_]/.test(value)) ||
  (/^pass:? /.test(name) &&
    (/^[A-Z][a-z]+(?:[A-Z][a-z]+|_)*Pass_?\d+$/.test(value) ||
      /\b(?:render|compute|shadows?|depth|light(?:ing)?|geometry|blur|bloom|post|forward|deferred|opaque|compiler|optimi\w+|final|first|second|color|sky|culling|raster|shader) $/i.test(
        textBefore(input, index, 16),
      )))

/** A name in capitals belongs to an environment variable. */
const isShoutedPassword = ({ input, index, 0: match }: RegExpExecArray): boolean =>
  /^[A-Z][A-Z0-9_]*/.test(match) && !/[a-z]$/.test(textBefore(input, index, 1))

const judge: Judge = (value, match) =>
  isPassName(match) &&
  !isStage(value, match) &&
  isAssignedPassword(value, formOf(match), isShoutedPassword(match))
const closer: Judge = (value, match) =>
  isPassName(match) &&
  (isTyped(value, match) ? isAssignedPassword(value, 'quoted') : isStatedPassword(value, formOf(match)))
/** The value is an argument of a call. */
const isTyped: Judge = (value, [match]) =>
  /(?:[(,]|with:|value ?[:=])[ \t]{0,2}\\{0,16}["'`]$/.test(match.slice(0, -value.length))
const line: Judge = (value, match) =>
  formOf(match) === 'line' && !/<\/\w+>$/.test(value) && judge(value, match)

const spanish: Trigger = { literal: 'contrase', behind: { kind: /[n\\]/i, count: 1 } }
/** These need one of these signs behind them. */
const chinese = combinations(chinesePasswordWords, [':', '：', '是', '为', '為', ' ', '=', '"', '\\'])
const unspaced = [...unspacedPasswordWords, 'κωδικός']

/** All white space. */
const spaces =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
/** A name of two letters, with the beginnings of what can follow it: a trigger has at least three. */
const short = [
  ...combinations(['pw'], `${spaces}\x1b\\"'\`]*:：=,;|│><_&%/[-0123456789`),
  ...combinations(['pw'], ['key', 'base', 'value', 'prod', 'staging', 'dev', 'live', 'old', 'new', 'v']),
]

/** Variables that hold a field, into which a call types. */
const typedNames = combinations(['password', 'passwd'], ['', ...fieldNames]).map(
  (literal): Trigger => ({ literal, behind: { kind: /[.,)(-]/, count: 1 } }),
)

/** Passwords, under any name and in any supported language. */
const passwords: readonly Rule[] = [
  ...assignmentRules({
    kind: 'password',
    names: [
      ...combinations(['pass'], ['', 'word', 'wd', 'phrase', 'code']),
      ...['pwd', 'mdp', 'psk', 'bindpw', 'rootpw', 'authtok'],
      ...['psw', 'pswd', 'pass_phrase', 'pass-phrase', 'pass_word', 'keymaterial'],
      ...repeated.map((literal): Trigger => ({ literal, behind: { kind: /./s, count: 1 } })),
      ...short,
      ...typedNames,
    ],
    name: 'pass[_-](?:phrase|word)|pass(?:word|wd|phrase|code)?|pwd|pswd|(?<![A-Za-z])(?:mdp|psk|psw)|bindpw|rootpw|authtok|keymaterial|pw',
    judge,
    closer,
    line,
    ending: passwordSuffix,
  }),
  ...assignmentRules({
    kind: 'password',
    names: [...passwordWords, spanish],
    name: `${passwordWords.join('|')}|contrase(?:ñ|n|\\\\{1,16}u00f1)a`,
    judge,
    closer,
    line,
    ending: passwordSuffix,
  }),
  {
    kind: 'password',
    triggers: [...chinese, ...unspaced],
    anyCase: true,
    pattern: new RegExp(
      String.raw`(?:(?:${chinesePasswordWords.join('|')})(?=[:：是为為 ="\\])|${unspaced.join('|')})(?: πρόσβασης| (?:от|для|к) [^\s:=]{1,24}(?=[ :=]))?(?:是|为|為|は|는|은)?(?:\\{0,16}["'\x60])?[ \t]?[:：=|]?[ \t]?(?:\\{0,16}["'\x60])?([\x21\x23-\x26\x28-\x5b\x5d-\x5f\x61-\x7e\u00c0-\u024f]{6,128})`,
      'iy',
    ),
    // Behind a sign of an assignment, it may be as weak as behind `password=`.
    judge: (secret, [match]) => {
      const sign = match.slice(0, -secret.length).trimEnd().at(-1)!
      if (/["'`]/.test(sign)) return isAssignedPassword(secret, 'quoted')
      return isSpokenPassword(secret) || (/[:：=]/.test(sign) && isAssignedPassword(secret, 'code'))
    },
  },
]

/** A record of MySQL holds values only. */
const ofRecord = /\*{9} \d+\. row \*+[^*]*$/
const RECORD = 400
const isQuoted = ({ groups, input, index }: RegExpExecArray): boolean =>
  groups?.quote !== undefined || ofRecord.test(textBefore(input, index, RECORD))
const key: Judge = (value, match) =>
  (isAssignedKey(value, isQuoted(match)) && !isIdOfKey(value, match)) || isNumericKey(value)
const statedKey: Judge = (value, match) => isStatedKey(value, isQuoted(match)) || isNumericKey(value)
const keys = { judge: key, closer: statedKey }

/** Names that end in `key` and mean no secret: positions in data, and what is meant to be published. */
const ofData = wordAtEnd(
  'public|pub|publishable|site|anon|primary|foreign|unique|candidate|surrogate|composite|partition|sort|range|hash|group|order|cache|storage|store|idempotency|dedup|dedupe|deduplication|lookup|row|column|object|query|item|record|entity|document|dict|session|message|event|request|response|trace|correlation|tracking|index|context|parent|child|node|prop|property|field|state|lock|queue|topic|routing|rate|limit|feature|flag|config|setting|job|task|run|project|resource|translation|locale|i18n|text|label|file|path|image|asset|bucket|s3|object|blob|redis|host|known|fingerprint|signature|version|react|list|tab|menu|component|hot|short|arrow|any|enter|escape|return|shift|registry|prompt|thread|conversation|user|issue|jira|ticket|cell|sheet|data|test|sync|issuer|tree|pixel|widget|tag|license_type|mon|don|tur|hoc|joc|whis',
)

const BEFORE = 32
/** `gpg --delete-secret-key X`, `signing key: X`. In capitals, a variable of an environment is not meant. */
const isIdOfKey: Judge = (value, { 0: name, input, index }) =>
  /^(?:key|secret)/.test(name) && isKeyId(value, textBefore(input, index, BEFORE))

/** Whether the name before `key` says that its value is no secret. */
const namesData = ({ input, index }: RegExpExecArray): boolean =>
  ofData.test(textBefore(input, index, BEFORE))

/** What is assigned to the key of some vendor or service (`MAPS_KEY`), which can be any name. */
const anyKey: Judge = (value, match) =>
  (!namesData(match) || storageKey.test(value) || isSessionKey(match)) &&
  value.length >=
    (isShoutedKey(match) && /\d/.test(value) && looksRandom(value) ? LEAST_SHOUTED : LEAST_KEY) &&
  !/[?(){}]|^\w+(?:\.\w+)+$|@sha\d/.test(value) &&
  !/[/\\]|\.\w{1,5}$/.test(value.replace(/[A-Za-z0-9+/]{40,}=*/, '')) &&
  isAssignedKey(value, isQuoted(match)) &&
  (isShoutedKey(match) ? looksLikeKey(value) : looksRandom(value) && !/^[0-9a-f-]+$/i.test(value))
const LEAST_KEY = 20
const LEAST_SHOUTED = 14
/** The key of a storage account, whose name says nothing. */
const storageKey = /^[A-Za-z0-9+/]{86}==$/

/** In an environment, it signs or encrypts the cookies of sessions, or records what a test does. */
const isSessionKey = (match: RegExpExecArray): boolean =>
  isShoutedKey(match) && /(?:SESSION|CYPRESS_RECORD)_$/.test(textBefore(match.input, match.index, 16))

/** The name is in capitals, as in an environment. */
const isShoutedKey = ({ input, index, 0: match }: RegExpExecArray): boolean =>
  match.startsWith('KEY') && /[A-Z0-9]_?$/.test(textBefore(input, index, 2))

/** A made-up value can also be a secret if its name is in capitals, or if it has signs that no name has. */
const madeUp: Judge = (value, match) =>
  (match[0].startsWith('SECRET') || /^[^/:.]*[!#$%&*+@^~?[\]{}][^/:.]*$/.test(value)) &&
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
    textBefore(match.input, match.index, 8),
  )

/** In environments, `_PAT` is a personal access token. In code it is a pattern. */
const isToken: Judge = (value, match) =>
  !/^_(?!PAT)|^_PAT[^"']{0,40}r["']/.test(match[0]) && !namesDocument(value, match)
const token: Judge = (value, match) =>
  isToken(value, match) && (isAssignedKey(value, isQuoted(match)) || numericToken(value, match))
const statedToken: Judge = (value, match) => isToken(value, match) && isStatedKey(value, isQuoted(match))

const keyOwners =
  '(?:access|secret|private|auth|encryption|signing|master|shared|pre[._-]?shared|account|service|service[._-]role|app|license|admin|deploy|registry|subscription|validation|decryption)'
/** The owner of the key precedes it. */
const ownedKey: Trigger = { literal: 'key', before: /[a-z._-]/i }

/** What the name of a pair ends with, and what its value has to be. */
const named = 'password|passwd|passphrase|pwd|pw|pass|psk|secret|token|key|credential'
const isPaired = (name: string, value: string): boolean =>
  /^p/i.test(name) ? isAssignedPassword(value, 'quoted') : isStatedKey(value, true)

/** A value on the next line. */
const ownLine = String.raw`(?:\r?\n|\\{1,16}n)${linePrefix}([^\s"'\x60<\\]{6,128})`

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
  {
    // The secret behind its id, in a file of keys or a sentence.
    kind: 'aws-secret-key',
    triggers: ['AKIA', 'ASIA'],
    pattern:
      /A[KS]IA[A-Z0-9]{16}\\{0,16}["'`]?[ \t]{0,3}(?:[,;:/|\t ]|\\{1,16}t)[ \t]{0,3}(?:\d{4}-\d\d-\d\dT[\d:.+Z]{5,20}[ \t]{1,3})?\\{0,16}["'`]?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y,
    judge: (secret) => isAmazonSecret(secret, false),
  },
  {
    // The prompt of `aws configure`, which shows the value that it would keep.
    kind: 'aws-secret-key',
    triggers: ['access key ['],
    anyCase: true,
    pattern: /access key \[[^\]\r\n]{0,24}\]: ?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/iy,
    judge: (secret) => isAmazonSecret(secret, false),
  },
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
    closer: (value, match) => isShoutedKey(match) && anyKey(value, match),
  }),
  ...assignmentRules({
    kind: 'secret',
    names: ['secret'],
    name: 'secret(?:[_-]?string)?',
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
    kind: 'key',
    names: ['api_hash', 'api-hash', 'salt', 'pepper'],
    name: 'api[_-]hash|salt|pepper',
    // In lower case, the others are parts of a checksum.
    judge: (value, match) => /^(?:api|SALT|PEPPER|API)/.test(match[0]) && key(value, match),
    closer: () => false,
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
  // The value of a block in YAML, or of an element, on a line of its own.
  ...(
    [
      ['password', 'password|passwd|passphrase', (secret) => isAssignedPassword(secret, 'line')],
      ['key', 'token|secret|key', (secret, match) => !namesData(match) && isAssignedKey(secret, true)],
    ] as const satisfies [string, string, Judge][]
  ).map(
    ([kind, names, judge]): Rule => ({
      kind,
      triggers: combinations(names.split('|'), [': |', ': >', '>\n', '>\r', '>\\']),
      anyCase: true,
      pattern: new RegExp(
        `(?:${names})(?:: [|>][-+]?${ownLine}(?=\\s*(?:$|[\\r\\n"\\\\]))|>${ownLine}(?=\\s{0,4}(?:[\\r\\n]|\\\\{1,16}[nr])${linePrefix}</))`,
        'iy',
      ),
      judge,
    }),
  ),
  {
    // A pair in which the value comes first: `{"value": "…", "name": "DB_PASSWORD"}`.
    kind: 'secret',
    triggers: combinations([...named.split('|'), 'credentials'], ['"', '\\']),
    anyCase: true,
    pattern: new RegExp(
      String.raw`(?:${named})s?(?=\\{0,16}")(?<="value\\{0,16}"\s?:\s?\\{0,16}"(?<given>[^\s"\\]{6,256})\\{0,16}",[^"']{0,160}"(?:\w{1,20}\\{0,16}"\s?:\s?(?:\\{0,16}"[^"\r\n\\]{0,60}\\{0,16}"|\w{1,20}),[^"']{0,160}"){0,3}(?:name|key)\\{0,16}"\s?:\s?\\{0,16}"[\w.-]{0,68})`,
      'iy',
    ),
    judge: (_, { 0: name, groups }) => isPaired(name, groups!.given!),
    ranges: givenRange,
  },
  {
    // The same in YAML.
    kind: 'secret',
    triggers: ['value: '],
    anyCase: true,
    pattern: new RegExp(
      String.raw`value: ["']?(?<given>[^\s"'\\]{6,256})(?=["']?${space}["']?(?:name|key|variable): ["']?[\w.-]{0,68}?(?<name>${named})s?(?:_?\d{1,2})?(?:["'\s\\,}]|$))`,
      'iy',
    ),
    judge: (name, { groups }) => isPaired(name, groups!.given!),
    ranges: ({ 0: { length }, groups, index }) => {
      const end = index + length
      return [{ start: end - groups!.given!.length, end }]
    },
  },
]
