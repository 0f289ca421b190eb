import * as z from 'zod/mini'
import { faultOfPattern, REDACT_LEVELS, type RedactSettings } from './redactor.ts'

const pattern = z.string().check(
  z.minLength(1, 'must be a regular expression'),
  z.refine((text) => text === '' || faultOfPattern(text) === undefined, {
    error: ({ input }) => String(faultOfPattern(String(input))),
  }),
)

/** The settings under `redact`. All of them are optional. */
export const redactSettings: z.ZodMiniType<RedactSettings> = z.strictObject({
  level: z.optional(z.enum(REDACT_LEVELS)),
  identities: z.optional(z.boolean()),
  patterns: z.optional(
    z.array(
      z.strictObject({
        kind: z
          .string()
          .check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and -, at most 40 of them')),
        pattern,
      }),
    ),
  ),
  /** Values that are not secrets: literally, or by a pattern that must match the whole value. */
  allow: z.optional(z.array(z.union([z.string().check(z.minLength(1)), z.strictObject({ pattern })]))),
})
