import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Random } from '../../random.ts'
import { draw, invent, pick } from '../parts.ts'

/** What a sentence calls a secret. It decides which contexts are natural. */
export type Noun = 'password' | 'key' | 'token' | 'code' | 'phrase' | 'cookie'

export interface FreshKind {
  kind: string
  noun: Noun
  /** Names of variables: of the set that the rules were written on, and of the one that measures them. */
  names: readonly [known: readonly string[], heldOut: readonly string[]]
  make: (random: Random) => string
}

const words =
  'amber birch cedar delta ember fjord grove heron indigo juniper kettle lagoon maple nectar'.split(' ')
const word = (random: Random): string => pick(random, words)
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const seed =
  (count: number) =>
  (random: Random): string =>
    Array.from({ length: count }, () => pick(random, wordlist)).join(' ')

type Row = readonly [
  kind: string,
  make: string | ((random: Random) => string),
  known: string,
  heldOut: string,
]

const kinds = (noun: Noun, rows: readonly Row[]): FreshKind[] =>
  rows.map(([kind, make, known, heldOut]) => ({
    kind,
    noun,
    names: [known.split(' '), heldOut.split(' ')],
    make: typeof make === 'string' ? (random) => invent(random, make) : make,
  }))

/** Forty kinds of secrets, as agents and people write them into sessions. */
export const freshKinds: readonly FreshKind[] = [
  ...kinds('password', [
    [
      'word, year and sign',
      (random) => `${capital(word(random))}${1950 + random(75)}!`,
      'DB_PASSWORD',
      'MYSQL_ROOT_PASSWORD',
    ],
    [
      'two words and a number',
      (random) => `${word(random)}-${word(random)}-${draw(random, 'digit', 3)}`,
      'ADMIN_PASSWORD',
      'GRAFANA_PASSWORD',
    ],
    [
      'digits for letters',
      (random) =>
        `${draw(random, 'capital', 1)}0${draw(random, 'small', 3)}3${draw(random, 'small', 2)}@${draw(random, 'digit', 2)}`,
      'SMTP_PASSWORD',
      'MAIL_PASSWORD',
    ],
    ['eight digits', '<digit:8>', 'DB_PASSWORD', 'REDIS_PASSWORD'],
    ['ten digits', '<digit:10>', 'POSTGRES_PASSWORD', 'FTP_PASSWORD'],
    ['ten letters and digits', '<capital:1><small:3><digit:2><alnum:4>', 'ROOT_PASSWORD', 'VNC_PASSWORD'],
    ['sixteen letters and digits', '<digit:1><alnum:14><digit:1>', 'PGPASSWORD', 'ELASTIC_PASSWORD'],
    [
      'with several signs',
      '<small:4><sign:1><digit:3><sign:1><capital:2>',
      'APP_PASSWORD',
      'LDAP_BIND_PASSWORD',
    ],
    [
      'under a short name',
      (random) => `${word(random)}-${draw(random, 'alnum', 4)}-${draw(random, 'digit', 3)}`,
      'ADMIN_PW DB_PW',
      'ROOT_PW OPS_PW',
    ],
    [
      'of a wireless network',
      (random) => `${word(random)}${draw(random, 'digit', 4)}${word(random)}`,
      'WIFI_PASSWORD',
      'WLAN_PASSWORD',
    ],
    ['under the name pass', '<small:5>#<digit:4><capital:1>', 'SMTP_PASS', 'IMAP_PASS'],
    [
      'a passphrase',
      (random) => `${word(random)}.${capital(word(random))}.${draw(random, 'digit', 2)}.${word(random)}`,
      'KEY_PASSPHRASE',
      'BACKUP_PASSPHRASE',
    ],
  ]),
  ...kinds('key', [
    ['hexadecimal key', '<hex:32>', 'WEATHER_API_KEY', 'NEWS_API_KEY'],
    ['long hexadecimal key', '<hex:64>', 'ENCRYPTION_KEY', 'SIGNING_KEY'],
    ['letters and digits', '<alnum:32>', 'MAPS_KEY VISION_KEY', 'ROUTES_KEY SPEECH_KEY'],
    ['a vendor and KEY', '<alnum:40>', 'GOOGLE_KEY CHAT_KEY', 'YANDEX_KEY TRANSLATOR_KEY'],
    ['digits alone', '<digit:15>', 'CLOUDSTORE_API_KEY', 'PARCEL_API_KEY'],
    ['uuid', '<uuid>', 'HEROKU_API_KEY', 'POSTBOX_API_KEY'],
    ['base64', '<base64:43>=', 'SESSION_SECRET', 'COOKIE_SECRET'],
    ['client secret', '<alnum:40>', 'CLIENT_SECRET', 'OAUTH_CLIENT_SECRET'],
    ['shared key', '<base64:43>=', 'PRESHARED_KEY', 'WG_PRESHARED_KEY'],
    ['aws secret', '<base64:40>', 'AWS_SECRET_ACCESS_KEY', 'S3_SECRET_ACCESS_KEY'],
    ['anthropic', 'sk-|ant-api03-<word:93>AA', 'ANTHROPIC_API_KEY', 'CLAUDE_API_KEY'],
    ['openai', 'sk-|proj-<word:74>T3BlbkFJ<word:74>', 'OPENAI_API_KEY', 'LLM_API_KEY'],
    ['google', 'AI|za<word:35>', 'GEMINI_API_KEY', 'YOUTUBE_API_KEY'],
    ['stripe', 'sk_|live_<alnum:24>', 'STRIPE_SECRET_KEY', 'PAYMENT_SECRET_KEY'],
    ['sendgrid', 'SG|.<word:22>.<word:43>', 'SENDGRID_API_KEY', 'MAILER_API_KEY'],
  ]),
  ...kinds('token', [
    ['github', 'ghp|_<alnum:36>', 'GITHUB_TOKEN', 'GH_TOKEN'],
    ['gitlab', 'glp|at-<word:20>', 'GITLAB_TOKEN', 'CI_TOKEN'],
    ['npm', 'np|m_<alnum:36>', 'NPM_TOKEN', 'PUBLISH_TOKEN'],
    ['slack', 'xo|xb-<digit:12>-<digit:12>-<alnum:24>', 'SLACK_BOT_TOKEN', 'CHATOPS_TOKEN'],
    ['telegram', '<digit:10>:A|A<word:33>', 'TELEGRAM_BOT_TOKEN', 'BOT_TOKEN'],
    ['jwt', 'ey|JhbGciOiJIUzI1NiJ9.ey|J<word:60>.<word:43>', 'AUTH_TOKEN', 'BEARER_TOKEN'],
    ['access token without a prefix', '<alnum:40>', 'ACCESS_TOKEN', 'DEPLOY_TOKEN'],
    ['vercel', 'vcp|_<alnum:56>', 'VERCEL_TOKEN', 'HOSTING_TOKEN'],
  ]),
  ...kinds('cookie', [
    ['session cookie', '<alnum:40>', 'laravel_session session', 'ci_session shop_session'],
    ['signed session cookie', 's%3A<word:32>.<alnum:43>', 'connect.sid', 'koa.sess'],
  ]),
  ...kinds('code', [['six digits', '<digit:6>', 'OTP', 'OTP_CODE']]),
  ...kinds('phrase', [
    ['twelve words', seed(12), 'MNEMONIC', 'SEED_PHRASE'],
    ['twenty-four words', seed(24), 'WALLET_MNEMONIC', 'RECOVERY_PHRASE'],
  ]),
]
