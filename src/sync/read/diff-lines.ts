import { asArray, asObject } from '../../model/json.ts'
import type { LineChange } from '../../platforms/platform.ts'

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m
/** Results are not nested deeper. */
const DEEPEST = 12

/**
 * The diffs in a record with results of calls, by the id of the call: unified diffs, and hunks as lists of
 * lines. What is in no object with an id belongs to the only call, if there is one.
 */
export function diffsIn(record: unknown, calls: ReadonlySet<string>): ReadonlyMap<string, LineChange[]> {
  const found = new Map<string, LineChange[]>()
  const [only] = calls.size === 1 ? calls : []
  visit(record, only, 0)
  return found

  function visit(value: unknown, call: string | undefined, depth: number): void {
    if (depth > DEEPEST) return
    if (typeof value === 'string') {
      const hunk = call === undefined ? null : HUNK.exec(value)
      if (hunk) add(call!, value.slice(hunk.index).split('\n'))
      return
    }
    const fields = asObject(value)
    const lines = asArray(fields?.lines)
    if (lines && typeof fields!.oldStart === 'number' && call !== undefined) {
      add(
        call,
        lines.filter((line) => typeof line === 'string'),
      )
      return
    }
    const inside = asArray(value) ?? Object.values(fields ?? {})
    const own = fields && inside.find((each): each is string => typeof each === 'string' && calls.has(each))
    for (const each of inside) visit(each, own ?? call, depth + 1)
  }

  function add(call: string, lines: readonly string[]): void {
    const hunks = found.get(call) ?? []
    found.set(call, hunks)
    let hunk: LineChange = { before: [], after: [] }
    hunks.push(hunk)
    for (const line of lines) {
      if (HUNK.test(line)) {
        hunk = { before: [], after: [] }
        hunks.push(hunk)
        continue
      }
      const text = line.slice(1)
      if (line.startsWith('-') || line.startsWith(' ')) hunk.before.push(text)
      if (line.startsWith('+') || line.startsWith(' ')) hunk.after.push(text)
    }
  }
}
