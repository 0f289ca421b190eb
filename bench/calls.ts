import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WRITTEN_UNTIL } from './conversations.ts'
import { createRandom } from './invent.ts'
import { inventLanguage, pick } from './language.ts'
import { mixedQueries } from './queries.ts'
import { inventProjects } from './speech.ts'

interface Call {
  name: string
  given: Record<string, unknown>
}

const DAY = 86_400_000

/**
 * 200 calls as agents make them, over the invented conversations in a tree. Always the same for the same
 * tree; every second one is a search.
 */
export function mixedCalls(tree: string): Call[] {
  const random = createRandom(20261121)
  const projects = inventProjects(inventLanguage()).filter(({ folder }) =>
    existsSync(join(tree, 'projects', folder.replace(/[^a-zA-Z0-9]/g, '-'))),
  )
  const project = (): string => pick(random, projects).name
  const day = (): string =>
    new Date(WRITTEN_UNTIL - Math.floor(random() * 330) * DAY).toISOString().slice(0, 10)
  const queries = mixedQueries(3)
  const others: (() => Call)[] = [
    () => ({ name: 'sessions', given: { limit: 10 } }),
    () => ({ name: 'sessions', given: { project: project() } }),
    () => ({ name: 'sessions', given: { since: day(), limit: 20 } }),
    () => ({ name: 'projects', given: {} }),
    () => ({ name: 'projects', given: { name: project() } }),
    () => ({ name: 'read', given: { target: project(), limit: 1 } }),
    () => ({ name: 'read', given: { target: project(), limit: 2, budget: '4k' } }),
    () => ({ name: 'stats', given: { by: 'project', since: day() } }),
  ]
  return Array.from({ length: 200 }, (_, index) => {
    if (index % 2 === 0) return { name: 'search', given: { query: queries[index]!.query } }
    return others[((index - 1) / 2) % others.length]!()
  })
}
