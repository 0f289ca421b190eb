import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import type { Who } from '../../src/model/session.ts'
import { groupByProject } from '../../src/project/group.ts'
import { parseQuery } from '../../src/search/query.ts'
import type { Store } from '../../src/store/store.ts'
import { indexOn } from '../store-audit.ts'
import { type Engine, namedEngines } from './engines.ts'
import { answersOf } from './store-answers.ts'
import { environmentIn } from './subjects.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const NOW = Date.UTC(2026, 10, 20)
const LETTERS: Record<Who, string> = {
  human: 'h',
  agent: 'a',
  program: 'p',
  tool: 't',
  error: 'e',
  marker: 'm',
  memory: 'y',
}
const QUERIES = [
  'the',
  'test',
  'who:human fix',
  'who:program the',
  'is:error',
  'is:question',
  '"the test"',
  'te*',
  'the -test',
  'tool:bash',
  'tool:edit the',
  'file:src',
  '-file:src the',
  'kind:subagent the',
  '-who:agent the',
  'after:2026-09-01 the',
  'before:2026-09-01 the',
  'platform:openclaw the',
  'agent:main the',
  'branch:main the',
]

/**
 * Two files of this one name the reply of the same messages differently. SQLite, which stores a message once,
 * knows the usage in one of them.
 */
const OTHER_REPLIES = 'history-again'

/** All fixtures of a platform as one machine. */
function environmentOf(platform: string): Environment {
  const folder = join(FIXTURES, platform)
  const each = readdirSync(folder)
    .filter((name) => name !== OTHER_REPLIES)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isDirectory())
    .map(environmentIn)
  const dirs: Record<string, string[]> = {}
  for (const { dirs: some = {} } of each)
    for (const [id, paths = []] of Object.entries(some)) dirs[id] = [...(dirs[id] ?? []), ...paths]
  return { home: '/nowhere', variables: {}, dirs, deleted: true, backups: true }
}

function filled(engine: Engine, platform: string): Store {
  const store = indexOn(engine, environmentOf(platform))
  store.assignProjects(
    groupByProject(store.projectFacts()).map(({ name, path, sessions }) => ({
      project: path === undefined ? undefined : { name, path },
      artifacts: sessions.map(({ artifact }) => artifact),
    })),
  )
  return store
}

/** Without what may differ: the last digits of sums of costs. */
function commonAnswersOf(store: Store) {
  const { figures, statistics, ...answers } = answersOf(store)
  // The prompt history of a client is a file without a session, which stays on the machine.
  const { transcriptBytes: _, ...counts } = statistics
  return {
    ...answers,
    statistics: counts,
    figures: figures.map((day) => ({ ...day, usage: day.usage.map((row) => JSON.parse(row, rounded)) })),
  }
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What `answersOf` leaves out. */
function moreAnswersOf(store: Store) {
  const files = [...store.known().values()].sort((a, b) => compare(a.artifact.path, b.artifact.path))
  const paths = files.map(({ artifact }) => artifact.path)
  const pathOf = new Map(files.map(({ id, artifact }) => [id, artifact.path]))
  const roots = [...new Set(files.map(({ artifact }) => artifact.root))]
  const withPath = <Row extends { artifact: number }>({ artifact, ...row }: Row) => ({
    ...row,
    path: pathOf.get(artifact)!,
  })
  return {
    searchable: store.searchable(roots),
    // The prompt history of a client is a file without a session, which stays on the machine.
    facts: store
      .sessionFacts(roots, { rows: true })
      .filter(({ session }) => session !== '')
      .map((each) => withPath(each as typeof each & { artifact: number }))
      .sort((a, b) => compare(a.path, b.path)),
    paths: files.map(({ artifact }) => store.pathsOf(artifact.sessionId)),
    counts: paths.map((path) => store.countMessages(path)),
    windows: paths.map((path) => {
      const { total, items, replies } = store.itemsAt(path, 2, 4)
      return { total, items: items.map(({ message: _, ...item }) => item), replies: [...replies].sort() }
    }),
    // A file system knows parts of milliseconds, and ClickHouse whole ones.
    outlines: paths.map((path) => {
      const { at, ...outline } = store.outline(path, { letters: LETTERS, cut: 40 })
      return { ...outline, at: at.map((each) => each && Math.trunc(each)) }
    }),
    minutes: [...store.minutes(0)]
      .map(({ atMs, figure }) => JSON.stringify({ atMs, ...withPath(figure) }, rounded))
      .sort(compare),
    found: QUERIES.map((words) => {
      const query = parseQuery(words, NOW, (day) => Date.parse(day))
      const wanted = { query, limit: 1000, enough: 0, now: NOW, deleted: true, backups: true }
      const { hits, total, widened, sessions } = store.search(wanted)
      return {
        words,
        total,
        widened,
        sessions: [...sessions()].sort(([a], [b]) => compare(a, b)),
        hits: [...hits]
          .map(({ message: _, copies, score, ...hit }) => ({
            ...hit,
            at: hit.at && Math.trunc(hit.at),
            score: Math.round(score * 1e6),
            copies: copies.map(({ path, line }) => `${path} ${line}`).sort(compare),
          }))
          .sort((a, b) => compare(a.path, b.path) || a.line - b.line || a.order - b.order),
      }
    }),
  }
}

const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

describe.runIf(namedEngines.length > 1)('stores that are filled with the same fixtures', () => {
  it.each(readdirSync(FIXTURES).filter((name) => name !== 'fernwood'))(
    'give the same answers on every engine: %s',
    (platform) => {
      const [[, first] = [], ...others] = namedEngines
      const store = filled(first!, platform)
      const [expected, more] = [plain(commonAnswersOf(store)), plain(moreAnswersOf(store))]
      for (const [, engine] of others) {
        const other = filled(engine, platform)
        const [answers, moreAnswers] = [plain(commonAnswersOf(other)), plain(moreAnswersOf(other))]
        for (const [name, value] of Object.entries(expected))
          expect.soft(answers[name as keyof typeof answers], name).toEqual(value)
        for (const [name, value] of Object.entries(more))
          expect.soft(moreAnswers[name as keyof typeof moreAnswers], name).toEqual(value)
        other.close()
      }
      store.close()
    },
    600_000,
  )
})
