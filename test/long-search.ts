import { join } from 'node:path'
import { vi } from 'vitest'
import { parseQuery } from '../src/search/query.ts'
import type { SearchRequest } from '../src/store/search.ts'
import { claude, put, uuid } from './records.ts'

const MESSAGES = 5000

/** A session of which all messages match, so that a search takes many steps. */
export function writeSession(home: string): void {
  const textOf = (number: number): string => `Number ${number} of many: tall_three_tree ${'leaf '.repeat(60)}`
  put(
    join(home, 'projects/-home-ann-garden', `${uuid(0)}.jsonl`),
    Array.from({ length: MESSAGES }, (_, number) => claude.user(number + 1, textOf(number))),
  )
}
export const requestFor = (query: string): SearchRequest => ({
  query: parseQuery(query, 0, () => undefined),
  ...{ limit: 10_000, enough: 5, now: 0 },
})

/** From now on, every step takes long, however fast the machine is. */
export function takeLong(): void {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
}
