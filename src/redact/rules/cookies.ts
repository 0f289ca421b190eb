import { isPlausible } from '../judge.ts'
import { combinations, type Rule } from '../rule.ts'
import type { Cell } from './table-lines.ts'
import { quote } from './values.ts'

/** Names of cookies that hold a login, alone or as a part: `laravel_session`, `next-auth.session-token`. */
const ofLogin =
  /session|sess$|sess(?:id|data)$|(?:^|[._-])(?:s|h|s?s|[as]?api)?sid$|auth|token|jwt|logged_in|remember|user_session|login|[._-]at$|^__(?:Secure|Host)-|^xs$|^ct0$/i
/** Names with these parts are counters and consents. */
const ofOthers = /^_ga|^_gid|csrf_?ok|consent|analytics|session_?(?:count|start|number|time|depth)/i
/** Values of counters, and of tokens that have their own rule. */
const notLogin = /^GA1\.|^fb\.1\.|^eyJ|^[A-Za-z-]+$/

const LEAST = 16
const pair = /(?<![\w.-])([\w.-]{1,80})=([\w.~%+/|:-]{1,2048}={0,2})/g

function ranges({ index, 0: match }: RegExpExecArray): Cell[] {
  return Array.from(match.matchAll(pair)).flatMap(({ index: at, 0: whole, 1: name, 2: value }) => {
    const isLogin = ofLogin.test(name!) && !ofOthers.test(name!) && value!.length >= LEAST
    if (!isLogin || notLogin.test(value!) || !isPlausible(value!)) return []
    const end = index + at + whole.length
    return [{ start: end - value!.length, end }]
  })
}

const pairs = '[^\\r\\n"\'\\x60\\\\]{8,8192}'
/** Names that belong to cookies only. */
const known = [
  ...[
    'laravel_session',
    'PHPSESSID',
    'JSESSIONID',
    'connect.sid',
    'ASP.NET_SessionId',
    '.ASPXAUTH',
    'koa.sess',
  ],
  ...['rack.session'],
]

/** Cookies of logged-in sessions. */
export const cookies: readonly Rule[] = [
  {
    kind: 'session-cookie',
    triggers: combinations(['cookie'], [':', '=', '"', "'", '`', '\\', ' ', '&', '%']),
    anyCase: true,
    pattern: new RegExp(`cookie(?:${quote})?[ ]?[:= ][ ]?(?:${quote})?${pairs}`, 'iy'),
    judge: () => true,
    ranges,
  },
  {
    kind: 'session-cookie',
    triggers: [' -b '],
    pattern: new RegExp(` -b \\\\{0,16}["']${pairs}`, 'y'),
    judge: () => true,
    ranges,
  },
  {
    kind: 'session-cookie',
    triggers: combinations(known, ['=']),
    anyCase: true,
    pattern: new RegExp(
      `(?:${known.map((name) => name.replaceAll('.', '\\.')).join('|')})=(?!eyJ)([\\w.~%+/-]{16,1024}={0,2})`,
      'iy',
    ),
    judge: isPlausible,
  },
]
