import { isPlaceholder, isPlausible, looksRandom } from '../judge.ts'
import type { Rule } from '../rule.ts'

const databaseScheme =
  '(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats)'
const password = String.raw`:\/\/([^\s/:@?#"'<>[\\]{0,64}):([^\s/?#"'<>\\]{1,256})(?=@[A-Za-z0-9[$])`

/** `postgres:postgres@` is what the image ships with, and no secret of anybody. */
function isChosenPassword(secret: string, match: RegExpExecArray): boolean {
  return secret.length >= 3 && secret !== match[1] && !isPlaceholder(decodeURIComponentSafely(secret))
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Secrets inside addresses. Only the secret part goes; scheme, user and host stay readable. */
export const links: readonly Rule[] = [
  {
    kind: 'connection-string',
    triggers: ['://'],
    pattern: new RegExp(String.raw`(?<=${databaseScheme}(?:\+[a-z]{1,12})?)${password}`, 'iy'),
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
    kind: 'azure-storage-key',
    triggers: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{32,128}={0,2})(?![A-Za-z0-9+/])/y,
    judge: isPlausible,
  },
  {
    kind: 'signed-url',
    triggers: ['&sig=', '?sig='],
    pattern: /[&?]sig=([A-Za-z0-9%+/_-]{32,256}={0,2})(?![A-Za-z0-9%+/_-])/y,
    judge: looksRandom,
  },
]
