import { isPlaceholder, isPlausible, looksLikeKey } from '../judge.ts'
import type { Rule } from '../rule.ts'

/** What travels in an `Authorization` header, and signed tokens wherever they stand. */
export const headers: readonly Rule[] = [
  {
    kind: 'jwt',
    triggers: ['eyJ'],
    // The boundary holds every letter of the body, so that two tries never read the same text.
    pattern:
      /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,3}/y,
    judge: isPlausible,
  },
  {
    kind: 'bearer-token',
    triggers: ['bearer'],
    anyCase: true,
    pattern: /bearer(?: |%20|\+){1,2}\\{0,4}["']?([A-Za-z0-9._~+/-]{16,}={0,2})/iy,
    judge: looksLikeKey,
  },
  {
    kind: 'basic-auth',
    triggers: ['basic '],
    anyCase: true,
    pattern: /basic {1,2}([A-Za-z0-9+/]{8,512}={0,2})(?![A-Za-z0-9+/])/iy,
    judge: (secret) => /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(secret, 'base64').toString('latin1')),
  },
  {
    kind: 'password',
    triggers: [' -u', '--user'],
    pattern: /(?: -u ?|--user[ =])\\{0,4}["']?[A-Za-z0-9_.@+-]{1,64}:([^\s"'\\]{6,128})(?=[\s"'\\]|$)/y,
    judge: (secret) => !isPlaceholder(secret) && /[^\d:]/.test(secret),
  },
]
