/** What counts as a secret: nothing, what the rules find, or also what only looks like one. */
export const REDACT_LEVELS = ['strict', 'standard', 'off'] as const

export type RedactLevel = (typeof REDACT_LEVELS)[number]

/** The settings of redaction. */
export interface RedactSettings {
  level?: RedactLevel
  /** Whether identities are redacted too. */
  identities?: boolean
  /** Regular expressions for other kinds of secrets. */
  patterns?: { kind: string; pattern: string }[]
  /** Values that are not secrets: literally, or by a pattern that must match the whole value. */
  allow?: (string | { pattern: string })[]
}
