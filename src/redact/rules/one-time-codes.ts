import { combinations, givenRange, type Rule, type Trigger } from '../rule.ts'
import { changing } from './credentials.ts'
import { afterSign, between, linePrefix, nested, opening, quote, textBefore, verb } from './pattern-parts.ts'

/** One-time codes, beside the words that announce them. */

/** These words mean nothing else, */
const latin = ['otp', '2fa', 'mfa']
/** and so do these, which digits follow as a password. */
const once = [
  'passcode',
  'einmalpasswort',
  'einmalkennwort',
  'mot de passe à usage unique',
  'hasło jednorazowe',
]
const asian = [
  '验证码',
  '驗證碼',
  '校验码',
  '安全码',
  '动态码',
  '动态密码',
  '確認コード',
  '認証コード',
  '인증번호',
]
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
  ' à usage',
  ' sms ',
  ' a usage',
]
const behindShort = [' is', ' ist', ' lautet']
/** A PIN needs one of these: numbers of pins of connectors have others. */
const behindPin =
  '(?:[ _-]?code|["\'：\\\\>]| ?[是码设設改]| (?:est?|é|è|to|for|of|für|zu[mr]?|vo[nm]|de[rslm]?|du|d[aio]|dell\\S*|pour|par?a?|per|karty|dla|na|auf|sur?|en|à|a|como) )'
const codeSign = '[\\s\\d:="\'`*\\\\#_&%-]'
const signs = (count: number): Trigger['behind'] => ({ kind: new RegExp(codeSign), count })

/** Names of values: `verification_code`, `otpCode`. */
const ofNames = '(?:ation|ity|otp|login|auth|sms|2fa|mfa|access)[_-]?'
const codeQuotes = ['"', "'", '\\', '&', '%']
const behindName = /[a-z2_-]/i
const codeWrapper = '[\\r\\n"\'`*\\\\&%]'
const codeValue = `[\\d${codeWrapper.slice(1)}`
const beforeValue = ['code:', 'code: ', 'code=']
const valueBehind = (literal: string, kind: string): Trigger => ({
  literal,
  behind: { kind: new RegExp(kind), count: 1 },
})

const triggers: readonly (string | Trigger)[] = [
  ...latin.map((literal): Trigger => ({ literal, behind: signs(1) })),
  ...asian,
  ...romance,
  ...combinations(['kod'], [' ', ':', 'u ']),
  ...beforeValue.map((literal) => valueBehind(literal, codeValue)),
  valueBehind('code ', `[:=#]|${codeWrapper}`),
  // One digit is that of a version: `Claude Code 2.1`.
  { literal: 'code ', behind: { kind: /\d/, count: 2 } },
  ...combinations(['code'], codeQuotes).map((literal): Trigger => ({ literal, before: behindName })),
  ...combinations(['pin', 'tan', 'puk'], [' ', ':', '=']).map(
    (literal): Trigger => ({ literal, behind: signs(2) }),
  ),
  ...combinations(['code'], behindCode),
  ...combinations(['pin', 'tan', 'puk'], behindShort),
  { literal: 'pin ', behind: { kind: /[a-z]/i, count: 1 } },
  ...combinations(
    ['pin'],
    ['"', "'", '\\', '：', '>', '是', '码', '设', '設', '改', 'code', '_code', '-code'],
  ),
  ...[...once, 'password'].map((literal) => ({ literal, behind: signs(1) })),
]
const codeNames = `(?:(?:${latin.join('|')})(?=${codeSign})|${[...asian, ...romance].join('|')}|kodu?(?=[ :])|(?<=${ofNames})code(?=["'\\\\&%])|code(?=:${codeValue}|: ${codeValue}| ${codeValue}|=${codeValue}| [:=#]|${behindCode.join('|')})|(?:pin|tan|puk)(?=[ :=]${codeSign}{2}|${behindShort.join('|')}|${behindPin})|(?:${once.join('|')}|(?<=one[ -]?time )password)(?=${codeSign}))`
/** `=`, `:`, a space, or a verb. */
const link = `(?:[ _-]?(?:code|pin|token|number|value|码|碼))?(?:(?<=[码碼ド호])|(?:${quote})?[ \\t]{0,2}[:：=][ \\t\xa0]{0,2}(?:${quote})?|(?:${quote}) ?=> ?(?:${quote})|(?<below>(?: ist?)?:[ \\t]{0,2}(?:(?:\\r?\\n|\\\\{1,16}n)${linePrefix}){1,2})|>(?=\\d+<)| (?<moved>auf|a|su|en|à|sur|como|par?a|na) |(?<of>${between})${verb}${opening}|[ \\t]{1,2}${opening}|${nested}(?:${quote})?)`
const digits = '(\\d{3}[ -]\\d{3}|\\d{4,8})'

/** What is sent to people, and what they do with it. */
const ofPeople =
  /verif|v[ée]rif|verific|weryfik|potwier|confirm|bestätig|conferma|login|log-in|sign.?in|anmeld|connexion|acc?es|accès|zugang|drzwi|bram[ay]|puerta|porta|porte|alarm|dost[eę]p|secur|sécur|segur|sicher|sicurez|bezpiecz|one.?time|einmal|usage unique|jednoraz|otp|[2m]fa|two.?factor|activat|aktivier|unlock|pairing|solo uso|uso únic|monouso|logowan|autoryzac|inicio de sesi|\b(?:door|gate|lock|safe|garage|keypad|entry)\b|tür|auth|sms|text(?:ed)? me|phone|telefon|e-?mail|recovery|backup|reset/i
/** What else has a code of six digits. */
const ofThings =
  /(?:\b(?:exit(?:ed)?|status|err(?:ors?)?|response|http|result|zip|postal|post|country|area|source|char(?:acter)?|key|reason|product|version|build|item|promo|coupon|discount|colou?r|hex|stock|event|close|signal|op|machine|project|invoice|bank|sort|swift|tax|department|course|customer|lang(?:uage)?|currency|line|plz|postleitzahl)|fehler|\b(?:qr|bar|byte|(?:fail|exit|error|end|clos|terminat|reject)\w* with|[a-z]{3,}s with))[ _.:-]{0,2}["'\\]{0,4}$/i
/** Words next to `code` that are not what it is a code of, before it and behind it. */
const unspecific =
  /^(?:(?:the|h?is|her|th(?:is|at|eir)|its|our|your|my|an?|new|old|last|latest|current|temporary|correct|right|and|or|was|as|by|via|with|sen[dt]|gets?|got|ha(?:ve|s|d)|\w+ed|receive|enter|use|using|type|needs?|(?:\w+-)?digits?|d?e[rmnu]|[dm]?ein(?:en)?|ihr(?:en)?|neuer?|le|un|ce|[tms]on|[nv]otre|nouveau|nowy|t[eo]n|[tm]w?ój|to|(?:be)?nutze|verwende|gib|nimm|tippe|wpisz|podaj|użyj|wprowadź)|\p{Ll}?\p{Lu}\p{Ll}.*)$/u
const unspecificBehind =
  /^ (?:for|from|to|that|and|you|we|it|für|von|per|para|pour|dla|que|che|qui|który|nuovo|nuevo|novo|nowy|att?uale?|actuel)(?: |$)|[ ’']\p{Lu}\p{Ll}\S*$/u

/** Whether words say that it is the code of anything else than a login: `the order code`, `kod produktu`. */
function isQualified(before: string, text: string, of: string): boolean {
  const [, word = 'the'] = /(?<![\p{L}\d-])([\p{L}\d][\p{L}\d-]*)[ -]$/u.exec(before) ?? []
  if (ofPeople.test(word)) return false
  // In English, what follows it may be a sentence.
  if (of !== '' && !/^(?:code (?!d[eu]|d['’])|kodu? do )/i.test(text))
    return !unspecificBehind.test(of) && !ofPeople.test(of)
  return /^[ck]od[eu]?\b/i.test(text) && !unspecific.test(word)
}

/** and words that say it only if nothing else is near. */
const ofOthers = /(?:return(?:s|ed)?|with|vs|un|de|en|trans|uni|geo|no|lines|of)[ _.:-]{0,2}["'\\]{0,4}$/i
const NEAR_CODE = 32

/** What a code is for, behind it. */
const purpose =
  /^["'`*.,]{0,3}\s(?:to|for|zum|zur|um|pour|para|per|do|aby)\s[\p{L}' -]{0,16}(?:log|sign|verif|inici|(?:an|ein)(?:zu)?(?:meld|logg)|bestätig|connect|conn?exion|acced|acess|entra|zalog|confirm|continu)/iu

function isCode(code: string, match: RegExpExecArray): boolean {
  const { 0: text, groups, input, index } = match
  const word = text.slice(0, 3)
  // The name of a file before the line says nothing.
  const before = textBefore(input, index, NEAR_CODE).replace(/(?<!\S)[^\s/.]*[/.]\S*:/, '')
  if (/^(?:pin|tan|puk)/i.test(word))
    return isPin(code, text, before, groups!.moved) && !isPostal(code, text, match)
  if (groups!.moved !== undefined) return false
  if (/^(?:one|pas|ein|mot|has)/i.test(word)) return !/[\p{L}\d]$/u.test(before)
  // `2fa` is a part of many checksums.
  if (/^2fa/i.test(word) && /(?<!\\u00)[\da-f]{2}$/i.test(before)) return false
  if (/^(?:codice|c[oó]digo|kod) PIN\b/i.test(text)) return /PIN/.test(text)
  if (!/^(?:cod|cód|kod)/i.test(word)) return !/[A-Za-z]$/.test(before.replace(/\bT$/, ''))
  if (/[?&;]$/.test(before) || ofThings.test(before) || isQualified(before, text, groups!.of ?? ''))
    return false
  if (/[ \t](?:lautet|brzmi)[ \t]/.test(text) && !/[\p{L}\d]$/u.test(before)) return true
  // `le code est 4218`, `kod to 4218`
  const isStated = /[ \t](?:est|es|è|é|to)[ \t]/.test(text)
  if (isStated && (ofReader.test(before) || /^kod/i.test(text))) return true
  if (groups!.below !== undefined)
    return (
      ofPeople.test(before) &&
      /^\s*(?:$|[\r\n"\\])/.test(input.slice(index + text.length, index + text.length + 20))
    )
  const near =
    ofPeople.test(before) ||
    ofPeople.test(text) ||
    purpose.test(input.slice(index + text.length, index + text.length + 40))
  if (near) return !/(?:un|(?<!anmel)de|en|op|bar)$/i.test(before)
  const count = code.replace(/\D/, '').length
  if (ofOwner.test(before) && /:|[ \t](?:is|ist|lautet)[ \t]/.test(text))
    return !/^ [a-z]+s\b/.test(input.slice(index + text.length, index + text.length + 20))
  if (ofReader.test(before) && count === 6) return true
  // A name with a value, as programs write it, says too little.
  if (/[a-z]$/i.test(before) || ofOthers.test(before) || /^\w+["'\\]|^\w+[:=]\S|=/.test(text)) return false
  if (/^\w+:/.test(text) && !ofReader.test(before)) return false
  return count === 6
}

const ofReader =
  /(?:^|\s)(?:the|your|my|this|enter|use|der|den|dein|ihr|mein|le|votre|ton|mon|el|[st]u|il|[st]uo|o|seu|a|twój|mój)\s$/i

const ofOwner = /(?:^|\s)(?:your|dein|ihr|votre|ton|[st]u|il [st]uo|seu|teu|twój)\s$/i

/** Postal codes of India are called PIN codes, too: one is beside its place or other parts of an address. */
const isPostal = (code: string, text: string, { input, index }: RegExpExecArray): boolean =>
  /^PIN[ _-]?CODE/i.test(text) &&
  /^[1-8]\d{5}$/.test(code) &&
  ((/^\W{0,4}[A-Z][a-z]/.test(input.slice(index + text.length, index + text.length + 8)) &&
    !/[=_]|\b(?:est|ist|is|es|è|é|to)\b/.test(text)) ||
    /city|state|country|district|street|address|postal|village|taluk/i.test(
      input.slice(Math.max(0, index - 120), index + text.length + 120),
    ))

/** In capitals, or with a value in quotes. In lower case, numbers are those of pins of connectors. */
function isPin(code: string, text: string, before: string, moved: string | undefined): boolean {
  if (moved !== undefined && !(/^PIN/.test(text) && changing.test(before))) return false
  const owner = /(?:^|[^A-Za-z])(?:m|sms|push|chip|card|user|door|sim|bank|account|alarm)[_-]?$/i
  const own = before.replace(owner, '')
  if (/[A-Za-z]$/.test(own) || /\b(?:postal|post|zip|area|gpio|header|connector|jumper) $/i.test(own))
    return false
  // In data, the others are postal codes of India.
  if (/^pincode|^pin_code(?=\W*[^\s\w"'])[^"']*$/.test(text) && code.length === 6) return false
  if (/^(?:PIN|TAN|PUK)/.test(text)) return !/[\w.]$/.test(own) || /[:=]/.test(text)
  if (/^pin(?:_?code)?\\{0,16}["']\s?(?::|=>)/i.test(text)) return /["']$/.test(own)
  if (text.startsWith('pin>')) return own.endsWith('<')
  return /^pin(?:_code)? ?[:=] ?\\{0,16}["'`]/.test(text)
    ? !/[\w"'.]$/.test(own)
    : /--(?:new-|old-)?$/.test(own) || (own !== before && /_$/.test(before))
}

const ofDigits: Trigger['ahead'] = { kind: /[\d -]/, count: 4, within: 3 }

export const oneTimeCodes: readonly Rule[] = [
  {
    kind: 'one-time-code',
    triggers,
    anyCase: true,
    pattern: new RegExp(
      `${codeNames}${link}${digits}(?!(?![\u4e00-\u9fff])\\p{L}|[\\d%/]|[.:-]\\d|,\\d{3}(?!\\d))`,
      'iyu',
    ),
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
    // `Use 4829 as your login code`, `enter 482913 when asked for the code`, `Gib 482913 ein, um …`
    kind: 'one-time-code',
    triggers: [' as your ', ' as the ', ' as my ', ' when ', ' als ', ' ein, um '].map(
      (literal): Trigger => ({ literal, ahead: ofDigits }),
    ),
    anyCase: true,
    pattern:
      /(?<=\b(?:use|enter|type|nimm|verwende|gib) (?<given>\d{3}[ -]\d{3}|\d{4,8})) (?:as (?:your|the|my)|when (?:asked|prompted)|als|ein, um) [\p{L} -]{0,32}?(?:code|otp|pin|passcode)/iuy,
    judge: () => true,
    ranges: givenRange,
  },
  {
    kind: 'one-time-code',
    triggers: ['authenticator '],
    anyCase: true,
    pattern:
      /authenticator (?:app )?(?:shows|says|displays|gives)(?: me)?:? (\d{3}[ -]\d{3}|\d{6,8})(?![\w.])/iy,
    judge: () => true,
  },
  {
    // `482913 is your code`, `4829 est le code PIN`, `4829是卡的PIN码`
    kind: 'one-time-code',
    triggers: [
      ...[
        ' is ',
        ' ist ',
        ' est ',
        ' es ',
        ' è ',
        ' é ',
        ...combinations([' to '], ['kod', 'PIN', 'twój', 'mój']),
      ],
      ...combinations('是为', ['您的', '你的', ' pin', 'pin', '银行', '卡的']),
    ].map((literal): Trigger => ({ literal, ahead: ofDigits })),
    anyCase: true,
    pattern: new RegExp(
      String.raw`(?<=(?:(?<![\p{L}\d.,:/-])|${afterSign})(?:[A-Z]-)?(?<given>\d{3}[ -]\d{3}|\d{4,8})["'\x60*]{0,2} ?)(?: (?:is|ist|est|es|è|é|to)|[是为])(?<of>(?: |(?<=[是为]))[\p{L}\d .-]{0,40}?)(?<name>code|código|codice|kod|otp|passcode|pin(?![a-z])|[验驗][证證][码碼])(?<behind>(?: [\p{L}'’]+){0,3})`,
      'iuy',
    ),
    judge: (_, { groups }) => {
      const { of, name, behind } = groups as { of: string; name: string; behind: string }
      if (/^pin/i.test(name) || behind.startsWith(' PIN')) return /PIN/.test(name + behind)
      // `Bestellcode`
      if (ofThings.test(of) || (/[a-zäöüß]$/i.test(of) && !ofPeople.test(of))) return false
      return !isQualified(of, name, '') && (behind === '' || !isQualified('', name, behind))
    },
    ranges: givenRange,
  },
]
