import type { Rule } from './rule.ts'
import { assignments } from './rules/assignments.ts'
import { commands } from './rules/commands.ts'
import { headers } from './rules/headers.ts'
import { keyBlocks } from './rules/key-blocks.ts'
import { links } from './rules/links.ts'
import { tables } from './rules/tables.ts'
import { tokens } from './rules/tokens.ts'

/** Every shape of secret that is looked for. Of two that find the same text, the earlier one names it. */
export const rules: readonly Rule[] = [
  ...keyBlocks,
  ...tokens,
  ...headers,
  ...links,
  ...commands,
  ...assignments,
  ...tables,
]

/** What findings of these rules may be called. */
export const secretKinds: readonly string[] = [...new Set(rules.map(({ kind }) => kind))].sort()
