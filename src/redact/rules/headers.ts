import { fromBase64 } from '../base64.ts'
import { isPlausible, looksLikeKey } from '../judge.ts'
import { isWholePlaceholder } from '../placeholders.ts'
import type { Rule } from '../rule.ts'
import { afterSign } from './line-prefix.ts'
import { quote } from './values.ts'

/** Secrets in request headers, and signed tokens anywhere. */
export const headers: readonly Rule[] = [
  {
    kind: 'jwt',
    triggers: ['eyJ'],
    // The boundary excludes every character of the body, so that no two attempts read the same text.
    pattern: new RegExp(
      `(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|${afterSign})eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*){1,3}`,
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
    triggers: ['authorization'],
    anyCase: true,
    pattern: new RegExp(
      `authorization(?:${quote})? ?[:=] ?(?:${quote})?(?:(?:token|apikey|key|ssws|bot|oauth|geniekey|private-token)(?: |=))?([A-Za-z0-9._~+/-]{16,2048}={0,2})(?![A-Za-z0-9._~+/-])`,
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
    pattern: /(?: -u ?|--user[ =])\\{0,16}["']?[A-Za-z0-9_.@+-]{1,64}:([^\s"'\\]{6,128})(?=[\s"'\\]|$)/y,
    judge: (secret) => !isWholePlaceholder(secret) && /[^\d:]/.test(secret) && !/^:|[()]/.test(secret),
  },
]
