import { appendFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../src/model/artifact.ts'
import type { Store } from '../src/store/store.ts'
import { claude, put, putClaude, temporaryHome, uuid } from './records.ts'
import { bringUpToDate } from './store-audit.ts'

export const date = (path: string, seconds = 1_700_000_000): void => utimesSync(path, seconds, seconds)
export const line = (entry: object): string => `${JSON.stringify(entry)}\n`

/** A home with this many transcripts, two subagents of each tenth, stored there. */
export function indexed(files: number, store: Store) {
  const home = temporaryHome()
  const environment: Environment = { home, variables: {} }
  const paths: string[] = []
  for (let number = 1; number <= files; number++) {
    const path = putClaude(home, uuid(number), [claude.user(number * 10, `said ${number}`)])
    paths.push(path)
    if (number % 10 !== 0) continue
    for (const name of ['agent-1', 'agent-2']) {
      const own = join(path.slice(0, -'.jsonl'.length), 'subagents', `${name}.jsonl`)
      put(own, line(claude.user(number * 10 + 1, `asked ${name}`)))
      paths.push(own)
    }
  }
  for (const path of paths) date(path)
  bringUpToDate(store, environment)
  return { environment, paths, store }
}

export function appendLater(path: string): void {
  appendFileSync(path, line(claude.user(7, 'more')))
  date(path, 1_700_000_100)
}
