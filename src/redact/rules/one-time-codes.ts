import { combinations, type Rule } from '../rule.ts'
import type { Trigger } from '../trigger.ts'
import { between, opening, verb } from './sentences.ts'
import { nested, quote } from './values.ts'

/** One-time codes, beside the words that announce them. */

/** These words mean nothing else, */
const latin = ['otp', '2fa', 'mfa']
const asian = ['验证码', '驗證碼', '校验码', '动态码', '动态密码', '確認コード', '認証コード', '인증번호']
/** these also numbers of other things, */
const romance = ['codice', 'codigo', 'código']
/** and this one mostly results of programs, so that it needs a sign, a number or one of these behind it. */
const behindCode = [
  ...[' is', ' was', ' ist', ' lautet', ' est', ' de ', " d'", ' for ', ' from ', ' für ', ' to '],
]
const behindShort = [' is', ' ist', ' lautet']
const sign = '[\\s\\d:="\'`*\\\\#_&%-]'
const signs = (count: number): Trigger['behind'] => ({ kind: new RegExp(sign), count })

/** Names of values: `verification_code`, `otpCode`. */
const ofNames = '(?:ation|ity|otp|login|auth|sms|2fa|mfa|access)[_-]?'
const quotes = ['"', "'", '\\', '&', '%']
const behindName = /[a-z2_-]/i
const value = '[\\d"\'`*\\\\&%]'
const beforeValue = ['code:', 'code: ', 'code=']
const valueBehind = (literal: string, kind: string): Trigger => ({
  literal,
  behind: { kind: new RegExp(kind), count: 1 },
})

const triggers: readonly (string | Trigger)[] = [
  ...latin.map((literal): Trigger => ({ literal, behind: signs(1) })),
  ...asian,
  ...romance,
  ...['kod ', 'kod:'],
  ...beforeValue.map((literal) => valueBehind(literal, value)),
  valueBehind('code ', `[:=#]|${value}`),
  ...combinations(['code'], quotes).map((literal): Trigger => ({ literal, before: behindName })),
  ...combinations(['pin', 'tan'], [' ', ':', '=']).map((literal): Trigger => ({ literal, behind: signs(2) })),
  ...combinations(['code'], behindCode),
  ...combinations(['pin', 'tan'], behindShort),
]
const names = `(?:(?:${latin.join('|')})(?=${sign})|${[...asian, ...romance].join('|')}|kod(?=[ :])|(?<=${ofNames})code(?=["'\\\\&%])|code(?=:${value}|: ${value}| ${value}|=${value}| [:=#]|${behindCode.join('|')})|(?:pin|tan)(?=[ :=]${sign}{2}|${behindShort.join('|')}))`
/** `=`, `:`, a space, or a verb. */
const link = `(?:[ _-]?(?:code|pin|token|number|value))?(?:(?:${quote})?[ \\t]{0,2}[:=][ \\t]{0,2}(?:${quote})?|${between}${verb}${opening}|[ \\t]{1,2}${opening}|${nested}(?:${quote})?)`
const digits = '(\\d{3}[ -]\\d{3}|\\d{4,8})'

/** What is sent to people, and what they do with it. */
const ofPeople =
  /verif|v[ée]rif|verific|weryfik|potwier|confirm|bestätig|conferma|login|log-in|sign.?in|anmeld|connexion|acces|accès|access|zugang|dost[eę]p|secur|sécur|segur|sicher|sicurez|bezpiecz|one.?time|einmal|usage unique|jednoraz|otp|2fa|mfa|two.?factor|auth|sms|text(?:ed)? me|phone|telefon|e-?mail|recovery|backup|reset/i
/** What else has a code of six digits. */
const ofOthers =
  /(?:exit|exited|status|error|errors|err|return|returns|returned|response|http|result|with|zip|postal|post|country|area|source|char|character|key|reason|product|item|promo|coupon|discount|colou?r|hex|stock|event|close|signal|op|byte|machine|qr|bar|project|invoice|bank|sort|swift|tax|department|course|customer|vs|un|de|en|trans|uni|geo|lang|language|currency|no|line|lines|of)[ _.:-]{0,2}["'\\]{0,4}$/i
const NEAR = 32

function isCode(code: string, match: RegExpExecArray): boolean {
  const { 0: text, input, index } = match
  const word = text.slice(0, 3)
  const before = input.slice(Math.max(0, index - NEAR), index)
  if (/^(?:pin|tan)/i.test(word)) return /^(?:PIN|TAN)/.test(word) && !/[A-Za-z]$/.test(before)
  // `2fa` is a part of many checksums.
  if (/^2fa/i.test(word) && /(?<!\\u00)[\da-f]{2}$/i.test(before)) return false
  if (!/^(?:cod|cód|kod)/i.test(word)) return !/[A-Za-z]$/.test(before)
  if (/[?&;]$/.test(before)) return false
  const near = ofPeople.test(before) || ofPeople.test(text)
  if (near) return !/(?:un|de|en|op|bar)$/i.test(before)
  // A name with a value, as programs write it, says too little.
  if (/[a-z]$/i.test(before) || ofOthers.test(before) || /^\w+["'\\]|^\w+[:=]\S|=/.test(text)) return false
  if (/^\w+:/.test(text) && !ofReader.test(before)) return false
  return code.replace(/\D/, '').length === 6
}

const ofReader =
  /(?:^|\s)(?:the|your|my|this|enter|use|der|dein|ihr|mein|le|votre|ton|mon|el|tu|il|tuo|o|seu|a|twój|mój)\s$/i

/** `482913 is your code`. */
const yours = ['is your ', 'dein ', 'ihr ', 'votre ', 'tuo ', 'seu ', 'twój ']

export const oneTimeCodes: readonly Rule[] = [
  {
    kind: 'one-time-code',
    triggers,
    anyCase: true,
    pattern: new RegExp(`${names}${link}${digits}(?![\\p{L}\\d%/]|[.,:-]\\d)`, 'iyu'),
    judge: isCode,
  },
  {
    kind: 'one-time-code',
    triggers: yours,
    anyCase: true,
    pattern: new RegExp(
      `(?<=(?<![\\p{L}\\d.,:/-])(?:[A-Z]-)?(?<given>\\d{3}[ -]\\d{3}|\\d{4,8}) (?:ist |est |è il |é o |é |to )?)(?:${yours.join('|')})[\\p{L} .-]{0,40}?(?:code|código|codice|kod|otp|pin|passcode)`,
      'iyu',
    ),
    judge: () => true,
    ranges: ({ groups, input, index }) => {
      const start = input.lastIndexOf(groups!.given!, index)
      return [{ start, end: start + groups!.given!.length }]
    },
  },
]
