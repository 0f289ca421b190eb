import type { Rule } from './rule.ts'
import { assignments } from './rules/assignments.ts'
import { commands } from './rules/commands.ts'
import { cookies } from './rules/cookies.ts'
import { headers } from './rules/headers.ts'
import { keyBlocks } from './rules/key-blocks.ts'
import { links } from './rules/links.ts'
import { logins } from './rules/logins.ts'
import { oneTimeCodes } from './rules/one-time-codes.ts'
import { PHRASE_KIND } from './rules/seed-phrases.ts'
import { spoken } from './rules/spoken.ts'
import { sql } from './rules/sql.ts'
import { tables } from './rules/tables.ts'
import { tokens } from './rules/tokens.ts'

/** All rules. If two of them find the same text, the earlier one names the finding. */
export const rules: readonly Rule[] = [
  ...keyBlocks,
  ...tokens,
  ...headers,
  ...cookies,
  ...links,
  ...logins,
  ...commands,
  ...sql,
  ...assignments,
  ...tables,
  ...spoken,
  ...oneTimeCodes,
]

/** The kinds of secrets that these rules find. */
export const secretKinds: readonly string[] = [
  ...new Set([...rules.map(({ kind }) => kind), PHRASE_KIND]),
].sort()
