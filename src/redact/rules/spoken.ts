import { isNumericKey, isSpokenPassword, isStatedKey, looksRandom } from '../judge.ts'
import { combinations, givenRange, type Rule, type Trigger } from '../rule.ts'
import { namesDocument } from './assignments.ts'
import { between, nested, opening, passwordNouns, quote, spokenValue, verb } from './pattern-parts.ts'

/** What secrets are called in sentences. Words of ASCII are followed by a space or an apostrophe. */
const nouns = {
  password: [...passwordNouns, '密码', '密碼', '口令'],
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
    'clave',
    'chiave',
    'chave',
    'klucz',
    'clé',
    'schlüssel',
    '密钥',
    '密鑰',
  ],
  token: ['token', 'jeton', '令牌'],
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
    (!isDirection(match, value) || isMixed(value)) && judge(value, match)
  const pattern = new RegExp(`${patternOf(names)}${link}${opening}${spokenValue}`, 'iyu')
  return { kind, triggers: triggersOf(names), anyCase: true, pattern, judge: isSpoken }
}

/** A value with brackets is code. */
const isSpokenKey = (value: string): boolean => !/[()]/.test(value) && isStatedKey(value, false)

/** Words for keys that also open doors. */
const ofDoors = /^(?:clé|clave|chiave|chave|klucz|schlüssel)/i
const ofPrograms = /api|secr|segret|tajny|geheim|acc[eè]s|zugriff/i
const NEAR = 16

/** Whether a word next to the noun says that it is the key of a program. */
const isOfPrograms = ({ 0: match, input, index }: RegExpExecArray): boolean =>
  !ofDoors.test(match) ||
  ofPrograms.test(input.slice(Math.max(0, index - NEAR), index)) ||
  ofPrograms.test(match.slice(0, 2 * NEAR))

const isMixed = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)
/** In Polish, `to` is a verb. In English, what follows it may be anything. */
const isDirection = ({ 0: match, input, index }: RegExpExecArray, value: string): boolean =>
  !/^(?:has|klucz)/i.test(match) &&
  !ofPolish.test(input.slice(Math.max(0, index - NEAR), index)) &&
  /\sto\W*$/.test(match.slice(0, -value.length)) &&
  !/\b(?:set|changed|reset|updated) to/i.test(match)

/** Before a noun at the beginning of a line, or behind its owner, `to` is that verb: `token to X`. */
const ofPolish = /(?:(?:^|[\n\r"'`]|\\[nr])[\s#>*+|-]*|(?:mój|nasz|twój|nowy|ten)\s)$/iu

/** `Passwort X`, without a verb. */
const isUnlikeWords = (value: string): boolean =>
  value.length >= 8 && isMixed(value) && looksRandom(value) && isSpokenPassword(value)

const owners =
  'the|a|my|our|its|your|his|her|new|old|das|mein|unser|neues|le|mon|notre|la|el|mi|il|mia|nuova|nueva|minha|nova|moje|nowe'
const before = `(?<=(?<![^\\s("'\\x60“„«\\\\])(?<given>${spokenValue})["'\\x60”“»*]{0,3}[ \\t](?:is|as|for|ist|als|est|comme|es|como|è|come|é|to|jako)[ \\t](?:(?:${owners})[ \\t]){0,3}(?:[\\w-]{1,16}[ \\t])?)`
const after = String.raw`(?=[ \t]{0,2}(?:[.,;:!?)]|for |in |on |of |and |at |für |pour |para |per |$|[\r\n\\"]))`

/** Secrets in sentences: "the password for the server is X", "das Kennwort lautet X", "密码是X". */
export const spoken: readonly Rule[] = [
  spokenRule('password', `${between}${verb}`, isSpokenPassword),
  spokenRule('password', '[ \\t]{1,3}', isUnlikeWords),
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

/** One-time codes, beside the words that announce them. */

/** These words mean nothing else, */
const latin = ['otp', '2fa', 'mfa']
const asian = ['验证码', '驗證碼', '校验码', '动态码', '动态密码', '確認コード', '認証コード', '인증번호']
/** these also numbers of other things, */
const romance = ['codice', 'codigo', 'código']
/** and this one mostly results of programs, so that it needs a sign, a number or one of these behind it. */
const behindCode = [
  ' is',
  ' was',
  ' ist',
  ' lautet',
  ' est',
  ' de ',
  " d'",
  ' for ',
  ' from ',
  ' für ',
  ' to ',
]
const behindShort = [' is', ' ist', ' lautet']
const codeSign = '[\\s\\d:="\'`*\\\\#_&%-]'
const signs = (count: number): Trigger['behind'] => ({ kind: new RegExp(codeSign), count })

/** Names of values: `verification_code`, `otpCode`. */
const ofNames = '(?:ation|ity|otp|login|auth|sms|2fa|mfa|access)[_-]?'
const codeQuotes = ['"', "'", '\\', '&', '%']
const behindName = /[a-z2_-]/i
const codeValue = '[\\d"\'`*\\\\&%]'
const beforeValue = ['code:', 'code: ', 'code=']
const valueBehind = (literal: string, kind: string): Trigger => ({
  literal,
  behind: { kind: new RegExp(kind), count: 1 },
})

const triggers: readonly (string | Trigger)[] = [
  ...latin.map((literal): Trigger => ({ literal, behind: signs(1) })),
  ...asian,
  ...romance,
  'kod ',
  'kod:',
  ...beforeValue.map((literal) => valueBehind(literal, codeValue)),
  valueBehind('code ', `[:=#]|${codeValue}`),
  ...combinations(['code'], codeQuotes).map((literal): Trigger => ({ literal, before: behindName })),
  ...combinations(['pin', 'tan'], [' ', ':', '=']).map((literal): Trigger => ({ literal, behind: signs(2) })),
  ...combinations(['code'], behindCode),
  ...combinations(['pin', 'tan'], behindShort),
]
const codeNames = `(?:(?:${latin.join('|')})(?=${codeSign})|${[...asian, ...romance].join('|')}|kod(?=[ :])|(?<=${ofNames})code(?=["'\\\\&%])|code(?=:${codeValue}|: ${codeValue}| ${codeValue}|=${codeValue}| [:=#]|${behindCode.join('|')})|(?:pin|tan)(?=[ :=]${codeSign}{2}|${behindShort.join('|')}))`
/** `=`, `:`, a space, or a verb. */
const link = `(?:[ _-]?(?:code|pin|token|number|value))?(?:(?:${quote})?[ \\t]{0,2}[:=][ \\t]{0,2}(?:${quote})?|${between}${verb}${opening}|[ \\t]{1,2}${opening}|${nested}(?:${quote})?)`
const digits = '(\\d{3}[ -]\\d{3}|\\d{4,8})'

/** What is sent to people, and what they do with it. */
const ofPeople =
  /verif|v[ée]rif|verific|weryfik|potwier|confirm|bestätig|conferma|login|log-in|sign.?in|anmeld|connexion|acces|accès|access|zugang|dost[eę]p|secur|sécur|segur|sicher|sicurez|bezpiecz|one.?time|einmal|usage unique|jednoraz|otp|2fa|mfa|two.?factor|auth|sms|text(?:ed)? me|phone|telefon|e-?mail|recovery|backup|reset/i
/** What else has a code of six digits. */
const ofThings =
  /(?:\b(?:exit(?:ed)?|status|err(?:ors?)?|response|http|result|zip|postal|post|country|area|source|char(?:acter)?|key|reason|product|item|promo|coupon|discount|colou?r|hex|stock|event|close|signal|op|machine|project|invoice|bank|sort|swift|tax|department|course|customer|lang(?:uage)?|currency|line|plz|postleitzahl)|fehler|\b(?:qr|bar|byte))[ _.:-]{0,2}["'\\]{0,4}$/i
/** and words that say it only if nothing else is near. */
const ofOthers = /(?:return(?:s|ed)?|with|vs|un|de|en|trans|uni|geo|no|lines|of)[ _.:-]{0,2}["'\\]{0,4}$/i
const NEAR_CODE = 32

/** What a code is for, behind it. */
const purpose =
  /^["'`*.,]{0,3}\s(?:to|for|zum|zur|um|pour|para|per|do|aby)\s[\p{L}' -]{0,16}(?:log|sign|verif|anmeld|bestätig|connect|conn?exion|acced|acess|entra|zalog|confirm|continu)/iu

function isCode(code: string, match: RegExpExecArray): boolean {
  const { 0: text, input, index } = match
  const word = text.slice(0, 3)
  // The name of a file before the line says nothing.
  const before = input.slice(Math.max(0, index - NEAR_CODE), index).replace(/(?<!\S)[^\s/.]*[/.]\S*:/, '')
  if (/^(?:pin|tan)/i.test(word)) return /^(?:PIN|TAN)/.test(word) && !/[A-Za-z]$/.test(before)
  // `2fa` is a part of many checksums.
  if (/^2fa/i.test(word) && /(?<!\\u00)[\da-f]{2}$/i.test(before)) return false
  if (!/^(?:cod|cód|kod)/i.test(word)) return !/[A-Za-z]$/.test(before)
  if (/[?&;]$/.test(before) || ofThings.test(before)) return false
  if (/[ \t](?:lautet|brzmi)[ \t]/.test(text) && !/[\p{L}\d]$/u.test(before)) return true
  // `le code est 4218`, `kod to 4218`
  const isStated = /[ \t](?:est|es|è|é|to)[ \t]/.test(text)
  if (isStated && (ofReader.test(before) || /^kod/i.test(text))) return true
  const near =
    ofPeople.test(before) ||
    ofPeople.test(text) ||
    purpose.test(input.slice(index + text.length, index + text.length + 40))
  if (near) return !/(?:un|de|en|op|bar)$/i.test(before)
  // A name with a value, as programs write it, says too little.
  if (/[a-z]$/i.test(before) || ofOthers.test(before) || /^\w+["'\\]|^\w+[:=]\S|=/.test(text)) return false
  if (/^\w+:/.test(text) && !ofReader.test(before)) return false
  return code.replace(/\D/, '').length === 6
}

const ofReader =
  /(?:^|\s)(?:the|your|my|this|enter|use|der|dein|ihr|mein|le|votre|ton|mon|el|tu|il|tuo|o|seu|a|twój|mój)\s$/i

/** `482913 is your code`. */
const yours = [
  ...[
    'is your ',
    'is the ',
    'dein ',
    'ihr ',
    'votre ',
    'est ton ',
    'est le ',
    'es tu ',
    'es su ',
    'es el ',
    'tuo ',
  ],
  ...['seu ', 'teu ', 'twój ', '是您的', '是你的'],
]

const ofDigits: Trigger['ahead'] = { kind: /[\d -]/, count: 4, within: 12 }

export const oneTimeCodes: readonly Rule[] = [
  {
    kind: 'one-time-code',
    triggers,
    anyCase: true,
    pattern: new RegExp(`${codeNames}${link}${digits}(?![\\p{L}\\d%/]|[.,:-]\\d)`, 'iyu'),
    judge: isCode,
  },
  {
    // `Use 572478 to log in.`
    kind: 'one-time-code',
    triggers: [' to log in', ' to sign in', ' to verify', ' to confirm'].map(
      (literal): Trigger => ({ literal, ahead: ofDigits }),
    ),
    anyCase: true,
    pattern:
      /(?<=\b(?:use|enter|type) (?<given>\d{3}[ -]\d{3}|\d{4,8})) to (?:log in|sign in|verify|confirm)/iy,
    judge: () => true,
    ranges: givenRange,
  },
  {
    kind: 'one-time-code',
    triggers: yours.map((literal): Trigger => ({ literal, ahead: ofDigits })),
    anyCase: true,
    pattern: new RegExp(
      `(?<=(?<![\\p{L}\\d.,:/-])(?:[A-Z]-)?(?<given>\\d{3}[ -]\\d{3}|\\d{4,8})["'\x60*]{0,2} ?(?:ist |est |è il |é o |é |to )?)(?:${yours.join('|')})[\\p{L}\\d .-]{0,40}?(?:code|código|codice|kod|otp|pin|passcode|[验驗][证證][码碼])`,
      'iyu',
    ),
    judge: () => true,
    ranges: givenRange,
  },
]
