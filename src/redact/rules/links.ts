import { isPlausible, isVaried, looksRandom } from '../judge.ts'
import { isAssignedPassword } from '../password-judge.ts'
import { isWholePlaceholder } from '../placeholders.ts'
import type { Rule } from '../rule.ts'

const databaseScheme =
  '(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats)'
const user = String.raw`:\/\/([^\s/:@?#"'<>[\\]{0,64}):`
const host = '(?=@[A-Za-z0-9[$])'
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

/** E-mail accounts with their passwords, as in credential lists. */
const accountEnds = (
  'com org net edu gov io dev ai app me co uk de at ch fr it es pt nl be se no dk fi pl cz ru ua tr jp cn kr in au br mx ca us eu info biz ' +
  'test'
).split(' ')

/** Positions in a file or repository, and port numbers, have the same shape. */
function isPairedPassword(secret: string): boolean {
  if (/^[~./]|\/|^\d+$|\.\w{1,4}$/.test(secret)) return false
  return /[A-Z]|[^\w]/.test(secret) && /\d/.test(secret) && isAssignedPassword(secret, 'code')
}

/** Secrets inside URLs. Only the secret is redacted; scheme, user and host remain. */
export const links: readonly Rule[] = [
  {
    kind: 'connection-string',
    triggers: ['://'],
    pattern: new RegExp(`(?<=${databaseScheme}(?:\\+[a-z]{1,12})?)${loosePassword}`, 'iy'),
    judge: isChosenPassword,
  },
  { kind: 'url-password', triggers: ['://'], pattern: new RegExp(password, 'y'), judge: isChosenPassword },
  {
    kind: 'password',
    triggers: accountEnds.map((each) => `.${each}:`),
    anyCase: true,
    pattern:
      /(?<=(?<!:\/\/[^\s]{0,80})[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,3})\.[a-z]{2,4}:([^\s"'`\\<>|,;]{6,64})(?=[\s"'`\\<|,;]|$)/iy,
    judge: isPairedPassword,
  },
  {
    kind: 'url-token',
    triggers: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,256})(?=@[A-Za-z0-9[])/y,
    judge: looksRandom,
  },
  {
    kind: 'azure-storage-key',
    triggers: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{32,128}={0,2})(?![A-Za-z0-9+/])/y,
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
    pattern:
      /(?:X-(?:Amz|Goog)-(?:Signature|Security-Token)|(?<=[?&;])Signature)=([A-Za-z0-9%+/_~-]{32,4096}={0,2})(?![A-Za-z0-9%+/_~-])/y,
    judge: isPlausible,
  },
]
