import type { StorePart } from '../../../store/clickhouse/part.ts'
import { LATEST, ownerNamed } from '../names.ts'

const DAY = 86_400_000

/** Whether a name is long enough to be the beginning of an id and not the name of a project. */
export const isWholeId = (name: string): boolean => /^(?:agent-)?[0-9a-f]{8}[0-9a-f-]*$/.test(name)

/**
 * The sessions that are enough for a list: those of a machine or a person, or since some time. A day more,
 * because copies of a session, and what it ran through, belong to it. Undefined if all are needed.
 */
export function partOfList({
  name = '',
  sinceMs,
}: {
  name?: string | undefined
  sinceMs: number
}): StorePart | undefined {
  const owner = ownerNamed(LATEST.exec(name)?.[1] ?? name)
  const part = {
    ...(owner && { [owner.dimension]: owner.name }),
    ...(Number.isFinite(sinceMs) ? { sinceMs: sinceMs - DAY } : {}),
  }
  return Object.keys(part).length === 0 ? undefined : part
}

/**
 * The sessions that are enough to read what is named: sessions by their ids, with a line or without, or those
 * of a machine or a person. Undefined if all are needed.
 */
export function partOfNames(names: readonly string[]): StorePart | undefined {
  const ids = names.map((name) => name.replace(/:\d{1,9}$/, ''))
  if (ids.length > 0 && ids.every(isWholeId)) return { ids }
  return names.length === 1 ? partOfList({ name: names[0], sinceMs: Number.NEGATIVE_INFINITY }) : undefined
}
