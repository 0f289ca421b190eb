import { rules } from './all-rules.ts'
import { type TriggerTable, textTable } from './triggers.ts'

/**
 * The triggers of all rules. Working them out takes several milliseconds, so the package contains the result
 * (`scripts/bundle.ts`).
 */
export const ruleTable = (): TriggerTable => textTable(rules)
