import {
  isAssignedPassword,
  isKeyId,
  isSpokenPassword,
  isStatedKey,
  isVaried,
  looksLikeKey,
  looksRandom,
} from '../judge.ts'
import { combinations, givenRange, passwordRules, type Rule, type Trigger } from '../rule.ts'
import { isStage } from './assignments.ts'
import { afterSign, opening, passwordNouns, spokenValue, textBefore } from './pattern-parts.ts'
import type { Cell } from './table-lines.ts'

/**
 * Secrets in sentences that do not say "the password is X": an account with its password, keys that are
 * handed over, and passwords that are changed, in English, German, French, Spanish, Italian, Portuguese,
 * Polish and Chinese.
 */

/** Words that announce an account with its password. */
const announcing = [
  'log in',
  'log into',
  'login',
  'logins',
  'sign in',
  'logged in',
  'connect as',
  'connect with',
  'creds',
  'credentials',
  'username and password',
  'zugangsdaten',
  'anmeldedaten',
  'logindaten',
  'zugang:',
  'melde dich',
  'anmelden',
  'einloggen',
  'logge dich',
  'log dich',
  'identifiants',
  'connecte-toi',
  'connectez-vous',
  'connexion',
  'credenciales',
  'entra con',
  'inicia sesión',
  'inicia sesion',
  'accede con',
  'credenziali',
  'accedi',
  'credenciais',
  'entre com',
  'entra com',
  'acesse com',
  'sessão com',
  'faz login',
  'dane logowania',
  'dane dostępowe',
  'dane dostępu',
  'zaloguj',
  'logowanie',
  '账号',
  '帐号',
  '賬號',
  '帳號',
  '登录',
  '登錄',
  '登入',
  '账户',
  '用户名',
  '凭据',
  '憑據',
  '凭证',
]
/** What certainly follows such a word: no letter, and nothing that makes it a part of a name or code. */
const afterAnnouncing: Trigger['behind'] = { kind: /[^\w.([\]/\\="{}|\r\n-]/, count: 1 }
const account = String.raw`(?!\d{4}-\d\d-\d\dT)[\p{L}\p{N}][\p{L}\p{N}.@_+\\-]{0,63}`
/** What separates an account from its password. */
const separator = String.raw`(?:["'\x60*]{0,3}[ ]{1,2}(?:\/|·|–|—|and|und|et|y|e|i|和)[ ]{1,2}|["'\x60]?[:/：／](?!\/)[ ]?)`
const isAccountPassword = (value: string): boolean =>
  isSpokenPassword(value) &&
  !/^\d+$/.test(value) &&
  !/^\d{1,4}[-/.]\d|^[\w-]+\.\w{2,4}$|^\w+\/\w+$|^[([{]|[)\]}]$|\(\)/.test(value)

/** The nouns of a password in all of these languages. */
const passwords =
  'pass(?:word|phrase|code|wd|wort)?|pwd|pw|kennwort|mot de passe|mdp|contraseñ?n?a|clave|senha|palavra-passe|has[łl](?:o|a|em)|wachtwoord|密[码碼]|口令'
/** The same as triggers, with what may follow them. */
const passwordTriggers = [
  'passw',
  'passphrase',
  'passcode',
  'kennwort',
  'mot de passe',
  'contrase',
  'palavra-passe',
  '密码',
  '密碼',
  '口令',
  ...combinations(['pw'], [' ', '\t', ':', '：', '=', '"', "'", '`', '*', '「', '『']),
  ...[
    'pass',
    'pwd',
    'mdp',
    'clave',
    'senha',
    'wachtwoord',
    ...combinations(['hasł', 'hasl'], ['o', 'a', 'em']),
  ].map((literal): Trigger => ({ literal, behind: { kind: /[ \t:="'`*]/, count: 1 } })),
]
/** What precedes the noun if a value may follow it without a verb. */
const beforeNoun =
  /(?:\b(?:with|mit(?: dem)?|avec(?: le)?|con(?: la)?|com a|use(?: the)?|using|und|and|et|y|e|i|the|temporary|initial|new|neue[sn]?|nouveau|nueva|nuova|nova|nowe|nowego|nowym|z|old|current|same|as|user|the following|pon(?:ga)? la|mets le|utilise le|(?:usa|usar|use|coloca) [al]a?|użyj|(?:setze|nimm|verwende) das|imposta la)|(?:login|user|username|account)[: ] ?\S{1,32}|[,;/|)])\s{0,2}(?:(?:temporary|temp|initial|new|root|admin|default|one-time)\s)?[*"'`(]{0,3}$/i
/** The noun is first on its line, and the value last. */
const isLine = ({ 0: match, input, index }: RegExpExecArray): boolean =>
  /[\n\r][ \t>|*-]{0,8}$/.test(textBefore(input, index, 12)) &&
  /^[ \t]{0,4}(?:$|[\r\n])/.test(input.slice(index + match.length, index + match.length + 6))
const stated = [...passwordNouns, 'clave']
const prepositions = [
  ' to ',
  ' auf ',
  ' en ',
  ' par ',
  ' à ',
  ' a ',
  ' por ',
  ' in ',
  ' con ',
  ' para ',
  ' na ',
  ' su ',
  ' sur ',
  ' como ',
  ' pour ',
  ' zu ',
  ' with ',
  ' durch ',
]
export const changing =
  /chang|replac|ersetz|\bset\b|\bsetz|\bpus[eoi]|reset|updat|rotat|änder|gesetzt|setze|umgestellt|cambi|actualiz|alter|mud(?:e|ou|a)|tro(?:c|qu)|zmie[nń]|ustaw|modif|\bmis\b|\bmet(?:s|tez|tre)\b|d[eé]fin|establec|configur|\bp[oó]n(?:er?|ga|la)?\b|coloc|impost|nastav/iu
const NEAR = 60

const near = ({ input, index }: RegExpExecArray): string => textBefore(input, index, NEAR)

const ofPasswords = /pass(?:word|phrase|wort|code)|\bpw\b|kennwort/i

/** The two values of a sentence. */
function bothValues({ 0: match, 1: first, 2: second, index }: RegExpExecArray): Cell[] {
  const start = index + match.indexOf(first!)
  const end = index + match.length
  const cells = [
    { value: first!, start, end: start + first!.length },
    { value: second!, start: end - second!.length, end },
  ]
  return cells.filter(({ value }) => isSpokenPassword(value)).map(({ start, end }) => ({ start, end }))
}

/** Words of other things that people change and state. */
const strongPassword = (value: string): boolean =>
  isSpokenPassword(value) &&
  (/[^\w-]|^[a-z]{4,}-[a-z]{4,}-\d\d/i.test(value) ||
    /\d{3}|\d[A-Za-z]|[a-z]\d+[^\w]|[a-z][-_][A-Z]/.test(value) ||
    looksRandom(value)) &&
  !/[()[\]{}=]$|\(|[&;]\w+=/.test(value)

/** What a key is called. */
const latinKeys = 'key|token|tokn|secret|schlüssel|jeton|clé|clave|chiave|chave|klucz'
const keyNouns = `(?:token|klucz)(?:a|em)|${latinKeys}|密[钥鑰]|令牌`
/** What is before the noun if it certainly means a secret. */
const qualified =
  /(?:api|secret|access|auth|licen[sc]e|private|signing|encryption|deploy|webhook|client|master|admin|service|bot|refresh|bearer|session|segret\p{L}|tajny)[ _-]{0,2}$/iu
const isVerb = `(?:is|are|was|ist|lautet|est|es|è|é|to|jest|should be|must be)(?: now)?:?`
/** Names of keys that are not secret. */
const publicKey =
  /(?:public|cache|primary|foreign|sort|partition|host|idempotency|group|hash|object|row|map|dict|registry|unique|lookup|routing|issue|jira|s3|storage|page|next|continuation|cursor|csrf|public ssh|ssh|fingerprint|document|device|push|pubkey|dedup(?:lication)?|correlation|trace|session|lock|config|json|yaml)[ _-]{0,2}$/i
/** What a cache of a workflow is stored under: a few words, and a checksum. */
const cacheKey =
  /^(?!(?:[spra]k|key|api|live|secret|token)[-_])[A-Za-z][\w.]*(?:-[\w.]+)*-(?:[\da-f]{7,8}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64})(?:-\w+)?$/
const ofCache = /\bcache (?:restored|saved|hit|miss|size|not found)|restore.?key/i
const owned =
  /\b(?:my|our|the|your|his|her|their|this|that|new|a|mein(?:en)?|unser(?:en)?|das|den|der|dein(?:en)?|ma|mon|notre|la|le|mi|el|nuestra|tu|mia|il|minha|meu|a|o|mój|moje|nowy|oto|ten|voici|ecco)\s(?:[\p{L}\p{N}.-]{1,20}\s){0,3}$|[我你]们?的\s?$/iu

const ofChecksum = /(?:commit|sha-?\d*|hash|checksum|revision|rev|digest|id|tree|blob)\W{0,3}$/i
const ofHex = /^[0-9a-f-]+$/

/** Ids of sessions as clients make them, which an answer names as the key of a row. */
const sessionId =
  /^(?:session_[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|ses_[\da-f]{12}[\dA-Za-z]{14}|\d{13}_[a-z\d]{5})$/

/** A key that a sentence hands over. A checksum counts only where someone owns it. */
const isHandedOver = (value: string, match: RegExpExecArray): boolean => {
  const before = near(match)
  if (match.groups?.moved !== undefined && !changing.test(before)) return false
  if (
    publicKey.test(before) ||
    isKeyId(value, before) ||
    ofCache.test(before) ||
    /[()[\]{}<>]|:\/\/|^[~./]|\.\w{1,5}$|^(?:sha\d+|md5)/.test(value)
  )
    return false
  const isQualified =
    qualified.test(before) || match.groups?.program !== undefined || /^(?:jeton|令牌)/i.test(match[0])
  if (!isQualified && (sessionId.test(value) || cacheKey.test(value))) return false
  if (ofHex.test(value)) return value.length >= 32 && isVaried(value) && (isQualified || owned.test(before))
  return (
    isStatedKey(value, false) &&
    (isQualified || looksRandom(value) || (owned.test(before) && looksLikeKey(value)))
  )
}

const valueEnd = String.raw`(?=["'\x60”»」*]|[\s,;.:!?)，。；、！？）]|\\|$)`
const keyValue = `([A-Za-z0-9_./+~=-]{15,200}[A-Za-z0-9_/+=-])`

/** A word without a digit is no key that is named behind it. */
const holdsDigit = '(?=[A-Za-z_./+~=-]{0,200}[0-9])'

/** A key follows within a few characters. */
const keyTriggers: Trigger[] = [
  ...combinations(latinKeys.split('|'), [
    ' ',
    '\t',
    ':',
    '：',
    '=',
    '"',
    "'",
    '`',
    '*',
    '是',
    '为',
    '為',
  ]).map((literal): Trigger => ({ literal, behind: { kind: /[\w \t./+~"'`*:=\\()-]/, count: 15 } })),
  ...['密钥', '密鑰', '令牌', 'tokena ', 'tokenem ', 'klucza ', 'kluczem '].map(
    (literal): Trigger => ({ literal }),
  ),
]

/** What a sentence calls the key that it has just named. */
const keyReferences = [
  ' key',
  ' token',
  ' secret',
  ' jeton',
  '-key',
  'schlüssel',
  'clé',
  'clave',
  'chiave',
  'chave',
  'klucz',
  '密钥',
  '密鑰',
  '令牌',
]
const reference = `(?:${keyReferences.join('|')})(?:a|em)?`

/** The key is at most four words of twenty letters before, a verb, a space and quotes. */
const ofKey: Trigger['ahead'] = { kind: /[A-Za-z0-9_./+~=-]/, count: 16, within: 112 }

export const credentials: readonly Rule[] = passwordRules([
  {
    // "log in with bob / X", "Zugangsdaten: admin / X".
    triggers: announcing.map((literal) => ({ literal, behind: afterAnnouncing })),
    anyCase: true,
    pattern: new RegExp(
      `(?:(?<![\\p{L}\\p{N}+/=_-])|${afterSign}|(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff]))(?:${announcing.join('|')})(?![\\w.([\\]/\\\\=-])[^\\r\\n"{}|]{0,60}?[ \\t(:：「'\x60*用]${account}${separator}${opening}${spokenValue}(?![^\\s]*[ ]{1,2}[/·–—][ ]{1,2}\\S)`,
      'iyu',
    ),
    judge: isAccountPassword,
  },
  {
    // "用 bob / X 登录"
    triggers: ['登录', '登入', '登錄', 'anmelden', ' an und', ' einloggen'],
    pattern: new RegExp(
      `(?<=(?:^|[\\s用以]) ?${account} ?[/:：／] ?(?<given>${spokenValue})["'\x60」*]{0,3}[ ]?(?:来|去)?)(?:登[录入錄]|anmelden| an und| einloggen)`,
      'yu',
    ),
    judge: (_, { groups }) => isAccountPassword(groups!.given!),
    ranges: givenRange,
  },
  {
    // "with the password X", "usuario bob, contraseña X"
    triggers: passwordTriggers,
    anyCase: true,
    pattern: new RegExp(
      `(?:(?<![\\p{L}\\p{N}_./-])|(?=[密口]))(?:${passwords})["'\x60*]{0,3}(?:[ \\t]{1,3}|[ \\t]?[:：=][ \\t]?|(?<=[码碼令])[ ]?|(?=[「『]))${opening}${spokenValue}${valueEnd}`,
      'iyu',
    ),
    judge: (secret, match) =>
      (/^(?!(?:pass|pwd?|mdp|clave)\b).*["'`「『“]$/is.test(match[0].slice(0, -secret.length)) ||
        beforeNoun.test(near(match)) ||
        isLine(match) ||
        (/^[密口]/.test(match[0]) && /^[!-~]{8,}$/.test(secret))) &&
      strongPassword(secret),
  },
  {
    // "set the root password to X", "ich habe das Passwort auf X geändert"
    triggers: stated.map((noun) => `${noun} `),
    anyCase: true,
    pattern: new RegExp(
      `(?:${stated.join('|')})(?:[ \\t][\\p{L}\\p{N}._-]{1,20}){0,2}?(?:${prepositions.join('|')})[ \\t]{0,2}${opening}${spokenValue}`,
      'iyu',
    ),
    judge: (secret, match) =>
      (changing.test(near(match)) ||
        changing.test(
          match.input.slice(match.index + match[0].length, match.index + match[0].length + 24),
        )) &&
      isSpokenPassword(secret),
  },
  {
    // "the db password? it's X", "will ask for a password, use X", "pw is X", "mi clave es X"
    triggers: [
      ...combinations(['password', 'passwort', 'passcode', 'passphrase'], ['? ', ', ']),
      ...combinations(['password', 'passwort'], [' just ', ' type ', ' enter ', ' use ']),
      ...combinations(['pw', 'pwd', 'pass', 'mdp'], [' is', ' est', ': ', ' = ']),
      'pw for ',
      'pwd for ',
      'clave es ',
      'clave: ',
      'clave de',
    ],
    anyCase: true,
    pattern: new RegExp(
      `(?:(?:password|passwort|passcode|passphrase)(?:\\? (?:it['’]s|it is|that['’]s|es ist|ist|try|use)?|,? (?:just )?(?:use|try|type|enter)|, (?:it['’]s|which is|nimm|namely)):?[ \\t]{0,3}|(?<![\\p{L}\\p{N}])(?:pwd?(?: for [\\w.@-]{1,32}(?=: | is ))?|pass|mdp)(?:[ ](?:ist?|est)(?: now)?[ \\t]{1,3}|: | = )|clave(?:[ ]de(?:l| la)?(?: [\\p{L}\\p{N}._-]{1,24}){1,3}?)?(?: es |: ))${opening}${spokenValue}${valueEnd}`,
      'iyu',
    ),
    judge: (secret, match) => isSpokenPassword(secret) && !isStage(secret, match),
  },
  {
    // "A temporary password is generated for root@localhost: X"
    triggers: combinations(
      ['password', 'passwort'],
      [' for ', ' is ', ' to ', ' was ', ' has been ', ' für '],
    ),
    anyCase: true,
    pattern: new RegExp(
      `(?:password|passwort)[ ](?:for|is (?:generated|set)|to|was (?:generated|set)|has been (?:generated|set)|für)[ ](?:[^\\r\\n:"]|"(?![ \\t]{0,2}[,}\\]])){0,100}:[ \\t]{1,3}${opening}${spokenValue}["'\x60*]{0,3}(?=\\s*$|\\s*[\\r\\n\\\\"])`,
      'iyu',
    ),
    judge: isSpokenPassword,
  },
  {
    // "API key: X", "here is my API key X", "my openai key is X"
    kind: 'api-key',
    triggers: keyTriggers,
    anyCase: true,
    pattern: new RegExp(
      `(?:(?<![\\p{L}\\p{N}_])|(?<=api|\\p{Script=Han}))(?:${keyNouns})(?<program> (?:d[ei] |d['’])?API)?["'\x60*]{0,3}(?: ["'“][\\w .@/-]{1,40}["'”](?=:))?(?:[ \\t]?[:：=][ \\t]{0,3}|[ \\t]{1,3}(?:(?:${isVerb}|(?<moved>to|auf|en|par|à|a|por|para|na|su|in))[ \\t]{1,3})?|[ ]?[是为為][ ]?)${opening}${keyValue}${valueEnd}`,
      'iyu',
    ),
    judge: isHandedOver,
  },
  {
    // "use X as the API key", "X is the token for the deploy"
    kind: 'api-key',
    triggers: keyReferences.map((literal) => ({ literal, ahead: ofKey })),
    anyCase: true,
    pattern: new RegExp(
      `${reference}(?![\\p{L}\\p{N}_])(?<=(?<![^\\s("'\x60“„«「\\\\])(?<given>${holdsDigit}${keyValue})["'\x60”“»」*]{0,3}[ \\t]{0,2}(?:(?<=[ \\t])(?:(?:as|als|comme|como|come|jako)(?:[ \\t-][\\p{L}\\p{N}.'’]{1,20}){0,4}?|(?:is|ist|est|es|è|é|to)(?:[ \\t-][\\p{L}\\p{N}.'’]{1,20}){1,4}?|to(?= (?:klucz|token|jeton)))[ \\t-]?|(?:是|作[为為]|[当當]作)[我你]?的?[ ]?(?:[A-Za-z]{1,20} ?)?)${reference})`,
      'iyu',
    ),
    judge: (_, match) => {
      const value = match.groups!.given!
      const start = match.input.lastIndexOf(value, match.index)
      if (ofChecksum.test(textBefore(match.input, start, 16))) return false
      return ofHex.test(value)
        ? value.length >= 32 && isVaried(value)
        : isStatedKey(value, false) && !/:\/\/|^[~./]/.test(value)
    },
    ranges: givenRange,
  },
  {
    // "X 是密码", "X 是数据库的密码", "用 X 作为密码"
    triggers: combinations(Array.from('是的新为為'), ['密码', '密碼', '口令']),
    pattern: new RegExp(
      `(?<=(?<![^\\s("'\x60“„«「『\\\\，：])(?<given>${spokenValue})["'\x60”“»」』*]{0,3} ?就?(?:(?=是)|作(?=[为為])|(?:是|作[为為])[\\p{L}\\p{N} ._-]{0,24}))[是的新为為](?:密[码碼]|口令)`,
      'yu',
    ),
    judge: (_, { groups }) => isSpokenPassword(groups!.given!),
    ranges: givenRange,
  },
  {
    // A password, whatever follows: "X is the password of the database".
    triggers: stated.map((noun) => ` ${noun}`),
    anyCase: true,
    pattern: new RegExp(
      `(?<=(?<![^\\s("'\x60“„«\\\\])(?<given>${spokenValue})["'\x60”“»*]{0,3},?[ \\t](?:that['’]s (?:the|my|our)|is (?:the|my|our)|ist (?:das|mein|unser)|est (?:le|mon|notre)|es (?:la|mi)|è (?:la|mia)|é (?:a|minha)|to(?= [\\p{L} ]{0,20}has[łl]o))(?:[ ][\\p{L}\\p{N}.-]{1,20}){0,2})[ ](?:${stated.join('|')})(?![\\p{L}\\p{N}])(?![ ](?:hash|field|salt|algorithm|type|format|policy|length|column|manager))`,
      'iyu',
    ),
    judge: (_, { groups }) => strongPassword(groups!.given!) && isAssignedPassword(groups!.given!, 'code'),
    ranges: givenRange,
  },
  {
    // "the password got changed from X to Y", "change the password from X to Y"
    triggers: combinations(['changed', 'rotated', 'password'], [' from ']),
    anyCase: true,
    pattern: new RegExp(
      `(?:changed|rotated|password) from ${opening}${spokenValue}["'\x60”»*]{0,3} to ${opening}${spokenValue}`,
      'iyu',
    ),
    judge: (secret, match) => ofPasswords.test(near(match) + match[0]) && isSpokenPassword(secret),
    ranges: bothValues,
  },
  {
    // "the passwords are X for staging and Y for production"
    triggers: combinations(['passwords', 'passwörter'], [' are ', ' were ', ' sind ', ': ']),
    anyCase: true,
    pattern: new RegExp(
      `(?:passwords|passwörter)(?: are| were| sind|:) ${opening}${spokenValue}["'\x60”»*]{0,3}(?: (?:for|on|in|für|auf)(?: [\\p{L}\\p{N}._-]{1,24}){1,3}?)?(?:,| and| und| or) ${opening}${spokenValue}`,
      'iyu',
    ),
    judge: isSpokenPassword,
    ranges: bothValues,
  },
  {
    // "Password was X, now it is Y", "the new password is X, the old one was Y", "it hasn't changed, still X"
    triggers: combinations(
      [', '],
      [
        'now ',
        'but now ',
        'still ',
        "it's now ",
        "it's still ",
        ...combinations(['the ', 'das '], ['old ', 'new ', 'alte ', 'neue ']),
      ],
    ),
    anyCase: true,
    pattern: new RegExp(
      `, (?:but |it['’]s )?(?:now|still|the (?:old|new) one|das (?:alte|neue))(?: it)?(?: is| was| ist| war|['’]s)?:? ${opening}${spokenValue}${valueEnd}`,
      'iyu',
    ),
    judge: (secret, match) =>
      ofPasswords.test(
        textBefore(match.input, match.index, 2 * NEAR)
          .split('\n')
          .at(-1)!,
      ) && strongPassword(secret),
  },
  {
    // "when prompted, enter X", "the vault unlocks with X"
    triggers: [
      ...combinations(['mpted'], [', ', ' for ']),
      ...combinations(['unlocks', 'unlock it', 'unlocked'], [' with ']),
      ...combinations(['unlock '], ['the ', 'my ', 'our ']),
    ],
    anyCase: true,
    pattern: new RegExp(
      `(?:(?<=(?:when|if) pro)mpted(?: for (?:it|(?:a|the) (?:password|passphrase)))?,? (?:just )?(?:enter|type|use)|unlock(?:s|ed| it| (?:the|my|our) [\\w-]{1,20}) with) ${opening}${spokenValue}${valueEnd}`,
      'iyu',
    ),
    judge: strongPassword,
  },
])
