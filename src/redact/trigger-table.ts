import { type BeginningGroups, groupBeginnings } from './beginnings.ts'
import { beginningsOf, type Kind, type Literal, literalsOf, type Triggered } from './literals.ts'

/** The triggers of some rules, as plain data. */
export interface TriggerTable extends BeginningGroups {
  literals: Literal[]
  kinds: Kind[]
}

/** The triggers of rules, as the codes or the bytes that `encode` returns. */
export function tableOf(rules: readonly Triggered[], encode: (text: string) => number[]): TriggerTable {
  const { literals, kinds } = literalsOf(rules, encode)
  return { literals, kinds, ...groupBeginnings(literals.map(beginningsOf)) }
}

/** The triggers of rules as codes of a text. */
export const textTable = (rules: readonly Triggered[]): TriggerTable =>
  tableOf(rules, (text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)))
