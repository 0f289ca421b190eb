import { isAssignedPassword, isGivenPassword, isPlausible, isVaried, uuid } from '../judge.ts'
import { combinations, type Rule, uuid as uuidOf } from '../rule.ts'
import { LONGEST_VALUE } from './pattern-parts.ts'
import { isLoginCookie } from './web.ts'

/** Secrets that the form of a file, an address or a printed form identifies. */

/** Ports that clients of databases connect to. */
const ports = ['5432', '5433', '6432', '6543', '5439', '26257', '*']

/** What the key of a wireless network is called. */
const wirelessKeys = [
  ...combinations(['wpa', 'wpa2', 'wpa3', 'wifi', 'wi-fi', 'wlan', 'network'], [' key', ' passphrase']),
  ...['key content', 'wlan-schlüssel', 'schlüsselinhalt', 'contenu de la clé', 'contenido de la clave'],
  ...['-shared key', 'network security key', 'netzwerkschlüssel'],
  ...['wpa', 'wpa2', 'wpa3', 'wifi', 'wi-fi', 'wlan'].flatMap((each) => combinations([each], [':', ' :'])),
]

export const files: readonly Rule[] = [
  {
    // `.pgpass`: host, port, database, user, password.
    kind: 'password',
    triggers: ports.map((port) => `:${port}:`),
    pattern:
      /(?<=(?<![\w/@])[\w.*-]{1,128}):(?:5432|5433|6432|6543|5439|26257|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:((?:[^\s"'\\:]|\\{1,2}[:\\]){4,128})(?=[\s"'\\]|$)/y,
    judge: (secret) => isGivenPassword(secret) && !/^\d{1,5}$/.test(secret),
  },
  {
    // A cookie file: domain, subdomains, path, secure, expiry, name, value.
    kind: 'session-cookie',
    triggers: ['TRUE', 'FALSE'].flatMap((word) => combinations([word], ['\t', ' ', '\\'])),
    pattern: new RegExp(
      String.raw`(?:TRUE|FALSE)(?:\t|\\{1,8}t| {1,8})\d{1,12}(?:\t|\\{1,8}t| {1,8})(?<name>[\w.-]{1,80})(?:\t|\\{1,8}t| {1,8})([^\s"'\\]{8,${LONGEST_VALUE}})(?=[\s"'\\]|$)`,
      'y',
    ),
    judge: (secret, { groups }) => isLoginCookie(groups!.name!, secret),
  },
  {
    // The code of a wireless network, and its key as Windows prints it.
    kind: 'wifi-password',
    triggers: ['WIFI:'],
    pattern: /WIFI:(?:[A-Z]:[^;\r\n"]{0,64};){0,4}?P:((?:[^;\s"\\]|\\{1,4}[;:,\\"]){6,63})(?=;)/y,
    judge: isGivenPassword,
  },
  {
    kind: 'wifi-password',
    triggers: wirelessKeys,
    anyCase: true,
    pattern: new RegExp(
      `(?:(?:${wirelessKeys.filter((each) => !each.endsWith(':')).join('|')})|(?:wpa[23]?|wi-?fi|wlan)(?= ?:)(?<=(?:cl[eé]|c[lh]i?ave|klucz|schlüssel)(?: d[elou]{1,2}(?: la)?)? \\S{3,5}))(?: is)?[ \\t]{0,24}[:=]?[ \\t]{1,4}\\\\{0,16}["'\x60]?([^\\s"'\x60\\\\]{8,63})(?=[\\s"'\x60\\\\]|$)`,
      'iy',
    ),
    judge: (secret) =>
      isAssignedPassword(secret, 'line') ||
      (/^[A-Za-z]{2,}(?:-[a-z]+|(?<=[A-Za-z]{2}[a-z]))\d/.test(secret) && isVaried(secret)),
  },
  {
    // The state of Terraform.
    kind: 'secret',
    triggers: ['random_password', 'random_string'],
    pattern:
      /random_(?:password|string)(?:[^{}]|\{){1,400}?[\s{,"\\]result\\{0,16}"\s{0,4}:\s{0,4}\\{0,16}"([^\s"\\]{6,256})(?=\\{0,16}")/y,
    judge: isGivenPassword,
  },
]

/** Addresses that anyone who knows them can post to. */
const hooks: readonly [trigger: string, pattern: string][] = [
  [
    'hooks.zapier.com/',
    String.raw`hooks\.zapier\.com\/hooks\/(?:catch|standard)\/(\d{3,12}\/[A-Za-z0-9]{5,40})`,
  ],
  ['make.com/', String.raw`(?<=hook\.[a-z0-9.]{0,12})make\.com\/([A-Za-z0-9]{20,64})`],
  ['integromat.com/', String.raw`(?<=hook\.)integromat\.com\/([A-Za-z0-9]{20,64})`],
  ['/open-apis/bot/', String.raw`\/open-apis\/bot\/(?:v2\/)?hook\/([A-Za-z0-9-]{16,64})`],
  ['/robot/send?access_token=', String.raw`\/robot\/send\?access_token=([A-Za-z0-9]{32,128})`],
  ['/webhook/send?key=', String.raw`\/webhook\/send\?key=([A-Za-z0-9-]{20,64})`],
  ['/webhook/', String.raw`\/webhook\/(${uuidOf})(?<=https?:\/\/[^\s"']{1,200})`],
  ['/webhook-test/', String.raw`\/webhook-test\/(${uuidOf})`],
  ['ifttt.com/', String.raw`maker\.ifttt\.com\/[\w/-]{1,80}\/with\/key\/([A-Za-z0-9_-]{16,64})`],
  [
    'chat.googleapis.com/',
    String.raw`chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,40}\/messages\?[^\s"']{0,200}?token=([A-Za-z0-9%_=-]{20,128})`,
  ],
  ['hooks.airtable.com/', String.raw`hooks\.airtable\.com\/workflows\/v1\/genericWebhook\/([\w/-]{20,120})`],
  ['/hooks/', String.raw`(?<=https?:\/\/[^\s"'<>]{1,160})\/hooks\/((?=[a-z]{0,25}\d)[a-z\d]{26})(?![\w-])`],
  ['.logic.azure.com', String.raw`\.logic\.azure\.com(?::443)?\/workflows\/([0-9a-f]{32}\/[^\s"'<>]{1,400})`],
]

export const hookAddresses: readonly Rule[] = hooks.map(([trigger, source]) => ({
  kind: 'webhook-address',
  triggers: [trigger === 'ifttt.com/' ? 'maker.ifttt.com/' : trigger],
  pattern: new RegExp(source, 'y'),
  judge: (secret) => uuid.test(secret) || isPlausible(secret) || /\d/.test(secret),
}))
