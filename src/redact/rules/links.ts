import { isNumericKey, isPlausible, isVaried, looksRandom } from '../judge.ts'
import { isWholePlaceholder } from '../placeholders.ts'
import { combinations, type Rule } from '../rule.ts'

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

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

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
    pattern:
      /[?&;](?:api|app_|subscription-)?(?:key|appid|auth)=([A-Za-z0-9%+/_~.-]{12,512}={0,2})(?![A-Za-z0-9%+/_~-])/iy,
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
