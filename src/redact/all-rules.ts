import type { Rule } from './rule.ts'
import { logins } from './rules/accounts.ts'
import { assignments } from './rules/assignments.ts'
import { calls } from './rules/calls.ts'
import { commands } from './rules/commands.ts'
import { credentials } from './rules/credentials.ts'
import { files, hookAddresses } from './rules/files.ts'
import { oneTimeCodes } from './rules/one-time-codes.ts'
import { keyBlocks } from './rules/private-keys.ts'
import { recoveryCodeRules } from './rules/recovery-codes.ts'
import { PHRASE_KIND } from './rules/seed-phrases.ts'
import { spoken } from './rules/spoken.ts'
import { sql } from './rules/sql.ts'
import { tables } from './rules/tables.ts'
import { tokens } from './rules/tokens.ts'
import { cookies, dialedDatabases, headers, links } from './rules/web.ts'

/** All rules. If two of them find the same text, the earlier one names the finding. */
export const rules: readonly Rule[] = [
  ...keyBlocks,
  ...tokens,
  ...headers,
  ...cookies,
  ...links,
  ...dialedDatabases,
  ...hookAddresses,
  ...logins,
  ...commands,
  ...calls,
  ...files,
  ...recoveryCodeRules,
  ...sql,
  ...assignments,
  ...tables,
  ...spoken,
  ...credentials,
  ...oneTimeCodes,
]

/** The kinds of secrets that these rules find. */
export const secretKinds: readonly string[] = [
  ...new Set([...rules.map(({ kind }) => kind), PHRASE_KIND]),
].sort()
