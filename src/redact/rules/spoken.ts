import { isNumericKey, isSpokenPassword, isStatedKey, isUnlikeWords, looksRandom } from '../judge.ts'
import { combinations, givenRange, type Rule, type Trigger } from '../rule.ts'
import { namesDocument } from './assignments.ts'
import { between, opening, passwordNouns, spokenValue, textBefore, verb } from './pattern-parts.ts'

/** What secrets are called in sentences. Words of ASCII are followed by a space or an apostrophe. */
const nouns = {
  password: [...passwordNouns, 'passwords', '密码', '密碼', '口令'],
  'api-key': [
    'api key',
    'api-key',
    'api_key',
    'apikey',
    'secret key',
    'access key',
    'auth key',
    'private key',
    'license key',
    'secret',
    'clave',
    'chiave',
    'chave',
    'klucz',
    'clé',
    'schlüssel',
    'sleutel',
    '密钥',
    '密鑰',
  ],
  token: ['token', 'jeton', '令牌', 'токен', 'トークン', '토큰'],
} as const

/** A trigger has at least three characters. */
const behindTwo = [
  '是',
  '为',
  '為',
  '现',
  '目',
  '已',
  '就',
  '改',
  '设',
  '設',
  '更',
  '重',
  '修',
  '换',
  ' ',
  ':',
  '：',
  '=',
]
const isAscii = (word: string): boolean => /^[\x20-\x7e]*$/.test(word)
const triggersOf = (names: readonly string[]): Trigger[] =>
  names.flatMap((literal): Trigger[] =>
    isAscii(literal)
      ? [{ literal, behind: { kind: /[ \t'’]/, count: 1 } }]
      : combinations([literal], literal.length > 2 ? [''] : behindTwo).map((each) => ({ literal: each })),
  )
const patternOf = (names: readonly string[]): string =>
  `(?:(?:${names.filter(isAscii).join('|')})(?=[ \\t'’])|${names.filter((each) => !isAscii(each) && each.length > 2).join('|') || '(?!)'}|(?:${names.filter((each) => each.length === 2).join('|')})(?=[${behindTwo.join('')}]))`

function spokenRule(kind: keyof typeof nouns, link: string, judge: Rule['judge']): Rule {
  const names = nouns[kind]
  const isSpoken: Rule['judge'] = (value, match) =>
    (!isDirection(match, value) || isMixed(value)) && !ofHash.test(match[0]) && judge(value, match)
  const pattern = new RegExp(`${patternOf(names)}${link}${opening}${spokenValue}`, 'iyu')
  return { kind, triggers: triggersOf(names), anyCase: true, pattern, judge: isSpoken }
}

/** A value with brackets is code, and one behind a name is assigned to it. */
const isSpokenKey = (value: string): boolean => !/[()]|^[\w-]+=[^=]/.test(value) && isStatedKey(value, false)

/** Words for keys that also open doors. */
const ofDoors = /^(?:clé|clave|chiave|chave|klucz|schlüssel|sleutel)/i
const ofPrograms = /api|secr|segret|tajny|geheim|acc[eè]s|zugriff/i
const NEAR = 16

/** Whether a word next to the noun says that it is the key of a program. */
const isOfPrograms = ({ 0: match, input, index }: RegExpExecArray): boolean =>
  !ofDoors.test(match) ||
  ofPrograms.test(textBefore(input, index, NEAR)) ||
  ofPrograms.test(match.slice(0, 2 * NEAR))

/**
 * What is stored instead of it, or required of it: `the password hash is …`, `password policy: …`. The
 * version of a module of Go stands before its checksum: `token v0.4.0/go.mod h1:…`.
 */
const ofHash =
  /^\S+ (?:hash|digest|checksum|salt|polic|requirement|rules?\b|strength|format|complexity|criteri|pattern|v\d\S* h1:)/i

const isMixed = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value) && isUnlikeWords(value)
/** In Polish, `to` is a verb. In English, what follows it may be anything. */
const isDirection = ({ 0: match, input, index }: RegExpExecArray, value: string): boolean =>
  !/^(?:has|klucz)/i.test(match) &&
  !ofPolish.test(textBefore(input, index, NEAR)) &&
  /\sto\W*$/.test(match.slice(0, -value.length)) &&
  !/\b(?:set|changed|reset|updated) to/i.test(match)

/** Before a noun at the beginning of a line, or behind its owner, `to` is that verb: `token to X`. */
const ofPolish = /(?:(?:^|[\n\r"'`]|\\[nr])[\s#>*+|-]*|(?:mój|nasz|twój|nowy|ten)\s)$/iu

/** `Passwort X`, without a verb. */
const isBareSecret = (value: string): boolean =>
  value.length >= 8 && isMixed(value) && looksRandom(value) && isSpokenPassword(value)

const owners =
  'the|a|my|our|its|your|his|her|new|old|das|mein|unser|neues|le|mon|notre|la|el|mi|il|mia|nuova|nueva|minha|nova|moje|nowe'
const before = `(?<=(?<![^\\s("'\\x60“„«\\\\])(?<given>${spokenValue})["'\\x60”“»*]{0,3}[ \\t](?:\\(|(?:is|as|for|into|ist|als|est|comme|es|como|è|come|é|to|jako)[ \\t])(?:(?:${owners})[ \\t]){0,3}(?:[\\w-]{1,16}[ \\t_])?)`
const after = String.raw`(?=[ \t]{0,2}(?:[.,;:!?)]|for |in |on |of |and |at |there|here|everywhere|again|now|too|für |pour |para |per |$|[\r\n\\"]))`

/** Secrets in sentences: "the password for the server is X", "das Kennwort lautet X", "密码是X". */
export const spoken: readonly Rule[] = [
  spokenRule('password', `${between}${verb}`, isSpokenPassword),
  spokenRule('password', '[ \\t]{1,3}', isBareSecret),
  spokenRule(
    'api-key',
    `${between}${verb}`,
    (secret, match) => isOfPrograms(match) && (isSpokenKey(secret) || isNumericKey(secret)),
  ),
  spokenRule(
    'token',
    `${between}${verb}`,
    (secret, match) => !namesDocument(secret, match) && isSpokenKey(secret),
  ),
  {
    kind: 'password',
    // "X is the password", "use X as your new password".
    triggers: passwordNouns,
    anyCase: true,
    pattern: new RegExp(`${before}(?:${passwordNouns.join('|')})${after}`, 'iyu'),
    judge: (_, { groups }) => isSpokenPassword(groups!.given!),
    ranges: givenRange,
  },
]
