import {
  fromBase64,
  isNumericKey,
  isPlausible,
  isVaried,
  isWholePlaceholder,
  looksLikeKey,
  looksRandom,
  uuid,
} from '../judge.ts'
import { combinations, type Rule } from '../rule.ts'
import { afterSign, backslash, insideQuotes, LONGEST_VALUE, quote, textBefore } from './pattern-parts.ts'
import type { Cell } from './table-lines.ts'

/** The name of a user on a command line. */
const account = '[A-Za-z0-9_.@+-]{1,64}'

/** Secrets in request headers, and signed tokens anywhere. */
export const headers: readonly Rule[] = [
  {
    kind: 'jwt',
    triggers: ['eyJ'],
    // Behind a sign of a name, the header is bounded, so that no two attempts read much of the same text.
    pattern: new RegExp(
      `(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|${afterSign}|(?<=[_-])(?=eyJ[A-Za-z0-9_-]{8,400}\\.eyJ))eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){1,3}`,
      'y',
    ),
    judge: isPlausible,
  },
  {
    kind: 'bearer-token',
    triggers: ['bearer'],
    anyCase: true,
    pattern: /bearer(?: |%20|\+){1,2}\\{0,16}["']?([A-Za-z0-9._~+/-]{16,}={0,2})/iy,
    judge: looksLikeKey,
  },
  {
    kind: 'authorization',
    // The answer to a challenge, made from the password.
    triggers: ['Digest '],
    pattern: /Digest [^\r\n]{1,600}?response=\\{0,16}"([0-9a-f]{32,128})(?=\\{0,16}")/y,
    judge: isVaried,
  },
  {
    kind: 'authorization',
    triggers: ['authorization'],
    anyCase: true,
    pattern: new RegExp(
      `authorization(?:${quote})? ?[:=] ?(?:${quote})?(?:(?!bearer|basic)[a-z][a-z\\d-]{1,20}[ =])?([A-Za-z0-9._~+/-]{16,${LONGEST_VALUE}}={0,2})(?![A-Za-z0-9._~+/-])`,
      'iy',
    ),
    judge: looksLikeKey,
  },
  {
    kind: 'basic-auth',
    triggers: ['basic '],
    anyCase: true,
    pattern: /basic {1,2}([A-Za-z0-9+/]{8,512}={0,2})(?![A-Za-z0-9+/])/iy,
    judge: (secret) => /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(fromBase64(secret)),
  },
  {
    kind: 'password',
    triggers: [' -u', '--user'],
    pattern: new RegExp(
      `(?: -u ?|--user[ =])(?!\\\\{0,16}["']?\\w{1,12}://)(?:${[
        String.raw`'${account}:((?:[^\s']|${insideQuotes}){6,128})(?=')`,
        String.raw`\\{0,16}"${account}:((?:[^\s"\\]|${backslash}){6,128})(?=\\{0,16}")`,
        String.raw`(?:${account}|\\{0,16}"${account}\\{0,16}"|'${account}'):(?:'((?:[^\s']|${insideQuotes}){6,128})(?=')|\\{0,16}"((?:[^\s"\\]|${backslash}){6,128})(?=\\{0,16}"))`,
        String.raw`\\{0,16}["']?${account}:((?:[^\s"'\x60\\()<]|${insideQuotes}){6,128})(?=[\s"'\x60\\)<]|$)`,
      ].join('|')})`,
      'y',
    ),
    judge: (secret, { 0: match }) =>
      !isWholePlaceholder(secret) &&
      /[^\d:]/.test(secret) &&
      !/^:/.test(secret) &&
      (/["'](?:[\w.@+-]{1,64}:)?$/.test(match.slice(0, -secret.length))
        ? !/^[{[(%]|\(\)|^[A-Za-z_.]{3,}\([^()]*\)?$/.test(secret)
        : !/[()]/.test(secret)),
  },
]

/** Names of cookies that hold a login, alone or as a part: `laravel_session`, `next-auth.session-token`. */
const ofLogin =
  /session|sess$|sess(?:id|data)$|(?:^|[._-])(?:s|h|s?s|[as]?api)?sid$|auth|token|jwt|logged_in|remember|user_session|login|[._-]at$|^__(?:Secure|Host)-|^xs$|^ct0$|^\.aspnet/i
/** Names with these parts are counters and consents. */
const ofOthers = /^_ga|^_gid|csrf_?ok|consent|analytics|session_?(?:count|start|number|time|depth)/i
/** Values of counters, and of tokens that have their own rule. */
const notLogin = /^GA1\.|^fb\.1\.|^eyJ[\w-]+\.|^[A-Za-z-]+$/

const LEAST = 16
const pair = new RegExp(`(?<![\\w.-])([\\w.-]{1,80})=([\\w.~%+/|:-]{1,${LONGEST_VALUE}}={0,2})`, 'g')

/** Whether a cookie of this name and value belongs to a login. */
export const isLoginCookie = (name: string, value: string): boolean =>
  ofLogin.test(name) &&
  !ofOthers.test(name) &&
  value.length >= LEAST &&
  !notLogin.test(value) &&
  isPlausible(value)

function cookieRanges({ index, 0: match }: RegExpExecArray): Cell[] {
  return Array.from(match.matchAll(pair)).flatMap(({ index: at, 0: whole, 1: name, 2: value }) => {
    if (!isLoginCookie(name!, value!)) return []
    const end = index + at + whole.length
    return [{ start: end - value!.length, end }]
  })
}

const listedCookie = new RegExp(
  String.raw`(?:name\\{0,16}["']\s?:\s?)?\\{0,16}["']([\w.-]{1,80})\\{0,16}["'](?:\s?:\s?|,[^"'{}]{0,80}?(?:\\{0,16}["']\w{1,20}\\{0,16}["']\s?:\s?(?:\\{0,16}["'][^"'\\]{0,200}\\{0,16}["']|[\w.-]{1,20}),[^"'{}]{0,80}?){0,6}?\\{0,16}["']value\\{0,16}["']\s?:\s?)\\{0,16}["']([\w.~%+/|:-]{16,${LONGEST_VALUE}}={0,2})(?=\\{0,16}["'])`,
  'g',
)

function cookiesInList({ index, 0: match }: RegExpExecArray): Cell[] {
  return Array.from(match.matchAll(listedCookie)).flatMap(({ index: at, 0: whole, 1: name, 2: value }) => {
    const end = index + at + whole.length
    return isLoginCookie(name!, value!) ? [{ start: end - value!.length, end }] : []
  })
}

const BESIDE = LONGEST_VALUE + 600
const cookieName = /"name\\{0,16}"\s?:\s?\\{0,16}"([\w.-]{1,80})\\{0,16}"/
const cookieValue = new RegExp(
  String.raw`"value\\{0,16}"\s?:\s?\\{0,16}"([\w.~%+/|:-]{16,${LONGEST_VALUE}}={0,2})(?=\\{0,16}")`,
)

/** The value of the cookie whose object contains a position. */
function cookieAround({ input, index }: RegExpExecArray): Cell[] {
  const near = textBefore(input, index, BESIDE)
  const before = near.slice(near.lastIndexOf('{') + 1)
  const [behind = ''] = input.slice(index, index + BESIDE).split('}', 1)
  const object = before + behind
  const name = cookieName.exec(object)?.[1]
  const value = cookieValue.exec(object)
  if (name === undefined || value === null || !isLoginCookie(name, value[1]!)) return []
  const end = index - before.length + value.index + value[0].length
  return [{ start: end - value[1]!.length, end }]
}

const pairs = '[^\\r\\n"\'\\x60\\\\]{8,65536}'
/** Names that belong to cookies only. */
const known = [
  'laravel_session',
  'PHPSESSID',
  'JSESSIONID',
  'connect.sid',
  'ASP.NET_SessionId',
  '.ASPXAUTH',
  'koa.sess',
  'rack.session',
  '_gitlab_session',
  '.AspNetCore.Cookies',
]

/** Cookies of logged-in sessions. */
export const cookies: readonly Rule[] = [
  {
    kind: 'session-cookie',
    triggers: combinations(['cookie'], [':', '=', '"', "'", '`', '\\', ' ', '&', '%']),
    anyCase: true,
    pattern: new RegExp(
      `cookie(?:${quote})?(?:,\\s?${quote}value${quote})?[ ]?[:= ][ ]?(?:${quote})?${pairs}`,
      'iy',
    ),
    judge: () => true,
    ranges: cookieRanges,
  },
  {
    kind: 'session-cookie',
    // A list of cookies as JSON, and arguments of a request.
    triggers: combinations(['cookies'], ['"', "'", '`', '=', '\\', ':', ' ', '&', '%']),
    anyCase: true,
    pattern: new RegExp(
      `cookies(?:${quote})?[ ]?[:=][ ]?(?:\\{[^}\\r\\n]{8,65536}|\\[[^\\]]{8,65536})`,
      'iy',
    ),
    judge: () => true,
    ranges: cookiesInList,
  },
  {
    kind: 'session-cookie',
    // A cookie as an object, as browsers save it.
    triggers: combinations(['httponly', 'samesite'], ['"', '\\']),
    anyCase: true,
    pattern: /(?:httponly|samesite)(?=\\{0,16}")/iy,
    judge: () => true,
    ranges: cookieAround,
  },
  {
    kind: 'session-cookie',
    triggers: [' -b '],
    pattern: new RegExp(` -b \\\\{0,16}["']${pairs}`, 'y'),
    judge: () => true,
    ranges: cookieRanges,
  },
  {
    kind: 'session-cookie',
    triggers: combinations(known, ['=']),
    anyCase: true,
    pattern: new RegExp(
      `(?:${known.map((name) => name.replaceAll('.', '\\.')).join('|')})=(?!eyJ[\\w-]{1,1024}\\.)([\\w.~%+/-]{16,${LONGEST_VALUE}}={0,2})`,
      'iy',
    ),
    judge: isPlausible,
  },
]

const databaseScheme =
  '(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats)'
const user = String.raw`:\/\/([^\s/:@?#"'<>[\\]{0,64}):`
const host = '(?=@[A-Za-z0-9[${])'
const password = String.raw`${user}([^\s/?#"'<>\\]{1,256})${host}`
/** A hand-written link may contain characters that should be escaped. */
const loosePassword = String.raw`${user}([^\s/"'<>\\]{1,256})${host}`

/** `postgres:postgres@` is the default of the image and not a secret. */
function isChosenPassword(secret: string, match: RegExpExecArray): boolean {
  return secret.length >= 3 && secret !== match[1] && !isWholePlaceholder(decodeURIComponentSafely(secret))
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Secrets inside URLs. Only the secret is redacted; scheme, user and host remain. */
export const links: readonly Rule[] = [
  {
    kind: 'connection-string',
    triggers: ['://'],
    pattern: new RegExp(`(?<=${databaseScheme}(?:\\+[a-z]{1,12})?)${loosePassword}`, 'iy'),
    judge: isChosenPassword,
  },
  {
    kind: 'connection-string',
    triggers: ['jdbc:oracle:'],
    pattern: /jdbc:oracle:\w{3,5}:([\w$#.-]{1,64})\/\\{0,16}"?([^\s"'@\\]{3,128})(?=\\{0,16}"?@)/iy,
    judge: isChosenPassword,
  },
  { kind: 'url-password', triggers: ['://'], pattern: new RegExp(password, 'y'), judge: isChosenPassword },
  {
    kind: 'url-password',
    // The user is an address, or there is only a password.
    triggers: [
      'smtp://',
      'smtps://',
      'imap://',
      'imaps://',
      'pop3://',
      'pop3s://',
      'trojan://',
      'hysteria2://',
    ],
    anyCase: true,
    pattern: new RegExp(
      `(?:(?:smtp|imap|pop3)s?:\\/\\/([\\w.+%-]{1,64}@[\\w.-]{1,100}):([^\\s/?#"'<>\\\\]{3,256})|(?:trojan|hysteria2):\\/\\/([^\\s/?#"'<>\\\\@]{6,256}))${host}`,
      'iy',
    ),
    judge: isChosenPassword,
  },
  {
    kind: 'url-password',
    // The method and the password in base64.
    triggers: ['ss://'],
    pattern: /(?<![a-z])ss:\/\/([A-Za-z0-9+/_-]{10,256}={0,2})(?=@[A-Za-z0-9[])/y,
    judge: (secret) => /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(fromBase64(secret)),
  },
  {
    kind: 'url-token',
    triggers: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,256})(?=@[A-Za-z0-9[])/y,
    judge: looksRandom,
  },
  {
    kind: 'url-key',
    // The query of an address; in HTML, the preceding character is an entity.
    triggers: [
      '?key=',
      '&key=',
      ';key=',
      ...combinations(['?', '&', ';'], ['apikey=', 'app_key=', 'appid=', 'subscription-key=', 'auth=']),
    ],
    anyCase: true,
    pattern: new RegExp(
      `[?&;](?:api|app_|subscription-)?(?:key|appid|auth)=([A-Za-z0-9%+/_~.-]{12,${LONGEST_VALUE}}={0,2})(?![A-Za-z0-9%+/_~-])`,
      'iy',
    ),
    judge: (secret) =>
      isNumericKey(secret) ||
      (!uuid.test(secret) &&
        ((secret.length >= 20 && looksRandom(secret)) || /^[0-9a-f]{32,64}$/.test(secret))),
  },
  {
    kind: 'azure-storage-key',
    triggers: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{32,128}={0,2})(?![A-Za-z0-9+/])/y,
    judge: isVaried,
  },
  {
    kind: 'azure-storage-key',
    // In a list of keys.
    triggers: combinations(['"keyName'], ['"', '\\']),
    pattern:
      /"keyName\\{0,16}"[^{}]{1,240}?"value\\{0,16}"\s?:\s?\\{0,16}"([A-Za-z0-9+/]{86}==)(?=\\{0,16}")/y,
    judge: isVaried,
  },
  {
    kind: 'signed-url',
    triggers: ['&sig=', '?sig=', ';sig='],
    // In HTML, the preceding character is an entity.
    pattern: /[&?;]sig=([A-Za-z0-9%+/_-]{32,256}={0,2})(?![A-Za-z0-9%+/_-])/y,
    judge: looksRandom,
  },
  {
    kind: 'signed-url',
    triggers: ['X-Amz-S', 'X-Goog-S', 'Signature='],
    pattern: new RegExp(
      String.raw`(?:X-(?:Amz|Goog)-(?:Signature|Security-Token)|(?<=[?&;]|AWS4-HMAC-SHA256 [^\r\n]{1,400})Signature)=([A-Za-z0-9%+/_~-]{32,${LONGEST_VALUE}}={0,2})(?![A-Za-z0-9%+/_~-])`,
      'y',
    ),
    judge: isPlausible,
  },
]

/** Ways to reach a database, in the addresses that Go's driver for MySQL reads. */
const dialed = ['tcp', 'tcp4', 'tcp6', 'unix', 'cloudsql', 'ssh']
/** The first parameters of such an address that has no host. */
const parameters = ['parseTime', 'charset', 'collation', 'multiStatements', 'tls', 'loc', 'timeout']
const dialedAccount = String.raw`(?<![\w.%-])(?<user>[\w.%-]{1,64}):(?<given>[^\s"'\x60<>]{1,128})`

/** `user:password@tcp(host:3306)/name`, `user:password@/name?charset=utf8`. */
export const dialedDatabases: readonly Rule[] = [
  {
    kind: 'connection-string',
    triggers: [
      ...dialed.map((each) => `@${each}(`),
      ...combinations(['@('], 'abcdefghijklmnopqrstuvwxyz0123456789'),
    ],
    pattern: new RegExp(
      String.raw`(?<=${dialedAccount})@(?:(?:${dialed.join('|')})\([^\s()"'\x60]{0,200}\)|\([\w.-]{1,100}:\d{2,5}\)\/)`,
      'y',
    ),
    judge: isDialedPassword,
    ranges: ({ groups, index }) => [{ start: index - groups!.given!.length, end: index }],
  },
  {
    kind: 'connection-string',
    triggers: parameters.map((each) => `?${each}=`),
    pattern: new RegExp(
      String.raw`(?<=${dialedAccount}@\/(?<name>[\w-]{1,64}))\?(?:${parameters.join('|')})=`,
      'y',
    ),
    judge: isDialedPassword,
    ranges: ({ groups, index }) => {
      const end = index - groups!.name!.length - 2
      return [{ start: end - groups!.given!.length, end }]
    },
  },
]

function isDialedPassword(_: string, { groups }: RegExpExecArray): boolean {
  const { user, given } = groups as { user: string; given: string }
  return given.length >= 3 && given !== user && !isWholePlaceholder(given) && !/^[{[(%/]/.test(given)
}
