import * as z from 'zod/mini'
import { REDACT_LEVELS, type RedactSettings } from './redact-settings.ts'

/** What the settings say of redaction, under `redact`. Every part may be left out. */
export const redactSettings: z.ZodMiniType<RedactSettings> = z.strictObject({
  level: z.optional(z.enum(REDACT_LEVELS)),
  identities: z.optional(z.boolean()),
  patterns: z.optional(
    z.array(
      z.strictObject({
        kind: z
          .string()
          .check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and -, at most 40 of them')),
        pattern: z.string().check(z.minLength(1, 'a regular expression is wanted')),
      }),
    ),
  ),
  /** Values that are no secrets: as they are, or as a pattern that has to fit all of one. */
  allow: z.optional(
    z.array(
      z.union([
        z.string().check(z.minLength(1)),
        z.strictObject({ pattern: z.string().check(z.minLength(1)) }),
      ]),
    ),
  ),
})
