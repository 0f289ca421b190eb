/** How much is taken for a secret: nothing, what the rules know, or also what only looks like one. */
export const REDACT_LEVELS = ['strict', 'standard', 'off'] as const

export type RedactLevel = (typeof REDACT_LEVELS)[number]

/** What the settings say of redaction. */
export interface RedactSettings {
  level?: RedactLevel
  /** Whether people are taken out too. */
  identities?: boolean
  /** Regular expressions for more kinds of secret. */
  patterns?: { kind: string; pattern: string }[]
  /** Values that are no secrets: as they are, or as a pattern that has to fit all of one. */
  allow?: (string | { pattern: string })[]
}
