import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/query.ts'
import { call, claude, put, temporaryHome, uuid } from '../records.ts'
import { claudeAt, indexOn } from '../store-audit.ts'
import { namedEngines } from './engines.ts'

const FILES = ['/srv/moss.ts', '/srv/fern.ts', '/srv/bigfern.ts', '/srv/fern/[a]*.ts'] as const
const TOOLS = ['Edit', 'Read', 'read_files', 'Write', 'inspect'] as const
const MODELS = ['claude-sonnet-4', 'claude-opus-4'] as const
const BRANCHES = ['main', 'fix'] as const

/** What is known of a message without the program. */
interface Fact {
  text: string
  model: string
  branch: string
  who: 'human' | 'tool' | 'error'
  tool?: string
  file?: string
}

/** A session for each model and branch, which uses each tool on each file. Every second call fails. */
function makeHome(home: string): Fact[] {
  const facts: Fact[] = []
  let calls = 0
  for (const model of MODELS)
    for (const branch of BRANCHES) {
      const session = uuid(900 + calls)
      const own = { sessionId: session, gitBranch: branch }
      const of = { model, branch }
      const lines: object[] = [claude.user(calls * 10 + 5, `Ask ${calls}`, own)]
      facts.push({ ...of, who: 'human', text: `Ask ${calls}` })
      for (const tool of TOOLS)
        for (const file of FILES) {
          const id = `toolu_${++calls}`
          const reply = claude.reply(calls * 10, [call(id, tool, { file_path: file })])
          lines.push({ ...reply, ...own, message: { ...reply.message, model } })
          facts.push({ ...of, who: 'tool', text: file, tool, file })
          if (calls % 2 === 0) continue
          lines.push({ ...claude.result(calls * 10 + 1, id, `Failed ${calls}`, true), ...own })
          facts.push({ ...of, who: 'error', text: `Failed ${calls}`, tool, file })
        }
      put(join(home, 'claude/projects/-srv-garden', `${session}.jsonl`), lines)
    }
  return facts
}

/** A filter as a person writes it, and what it selects. */
interface Filter {
  name: string
  text: string
  selects(fact: Fact): boolean
}

/** Paths match where a word of the target begins. */
const isOn = (path: string, { file }: Fact): boolean =>
  file !== undefined && (path === 'fern' ? /\bfern/.test(file) : file.includes(path))
const EDITS = new Set<string | undefined>(['Edit', 'Write'])
const READS = new Set<string | undefined>(['Read', 'read_files'])

const PATHS = ['moss.ts', 'fern', '/srv/fern.ts', 'fern/[a]*.ts', '/srv/'] as const
const FILTERS: readonly Filter[] = [
  ...MODELS.map((each) => ({
    name: 'model',
    text: `model:${each}`,
    selects: (fact: Fact) => fact.model === each,
  })),
  ...BRANCHES.map((each) => ({
    name: 'branch',
    text: `branch:${each}`,
    selects: (fact: Fact) => fact.branch === each,
  })),
  ...(['human', 'tool', 'error'] as const).map((each) => ({
    name: 'who',
    text: `who:${each}`,
    selects: (fact: Fact) => fact.who === each,
  })),
  { name: 'is', text: 'is:error', selects: ({ who }) => who === 'error' },
  { name: 'tool', text: 'tool:Read', selects: ({ tool }) => tool === 'Read' },
  { name: 'tool', text: 'tool:write', selects: ({ tool }) => tool === 'Write' },
  ...PATHS.flatMap((path): Filter[] => [
    { name: 'file', text: `file:${path}`, selects: (fact) => isOn(path, fact) },
    { name: 'edited', text: `edited:${path}`, selects: (fact) => EDITS.has(fact.tool) && isOn(path, fact) },
    { name: 'read', text: `read:${path}`, selects: (fact) => READS.has(fact.tool) && isOn(path, fact) },
  ]),
  { name: 'edited', text: 'edited:*', selects: ({ tool }) => EDITS.has(tool) },
  { name: 'read', text: 'read:*', selects: ({ tool }) => READS.has(tool) },
]

const asked = fc.array(fc.record({ filter: fc.constantFrom(...FILTERS), denied: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
})

/** Values of one filter are alternatives, different filters all have to match, and nothing that is denied does. */
function expected(facts: readonly Fact[], wanted: readonly { filter: Filter; denied: boolean }[]): string[] {
  const groups = [
    ...Map.groupBy(
      wanted.filter(({ denied }) => !denied),
      ({ filter }) => filter.name,
    ).values(),
  ]
  const withErrors = wanted.some(({ filter, denied }) => !denied && /^(is|who):error$/.test(filter.text))
  const ofFiles = new Set(['file', 'edited', 'read'])
  const selects = ({ name, selects }: Filter, fact: Fact): boolean =>
    selects(fact) && (!ofFiles.has(name) || fact.who === 'tool' || withErrors)
  return facts
    .filter(
      (fact) =>
        groups.every((group) => group.some(({ filter }) => selects(filter, fact))) &&
        !wanted.some(({ filter, denied }) => denied && selects(filter, fact)),
    )
    .map(({ text }) => text)
    .sort()
}

describe.each(namedEngines)('filters together on %s', (_, engine) => {
  it('find what each of them selects and none that one of them denies, in the store and in each session', () => {
    const home = temporaryHome()
    const facts = makeHome(home)
    const store = indexOn(engine, claudeAt(join(home, 'claude')))
    const paths = store.sessions().map(({ session }) => session.path)
    const stored = paths.flatMap((path) => store.messages(path))
    expect(stored.length).toBe(facts.length)
    fc.assert(
      fc.property(asked, (wanted) => {
        const text = wanted.map(({ filter, denied }) => (denied ? '-' : '') + filter.text).join(' ')
        const query = parseQuery(text, 0, () => undefined)
        const { hits, total } = store.search({ query, limit: 5000, enough: 0, now: 0 })
        const found = Array.from(hits, ({ text: own, tool }) => own ?? tool!.target!)
        expect(found.sort(), text).toEqual(expected(facts, wanted))
        expect(total, text).toBe(found.length)
        // What is said of sessions is left to the caller.
        if (/model:|branch:/.test(text)) return
        const inSessions = paths.flatMap((path) => {
          const messages = store.messages(path)
          return store.positions(path, query).map((at) => messages[at]!)
        })
        expect(inSessions.map(({ text: own, tool }) => own ?? tool!.target!).sort(), text).toEqual(found)
      }),
      { numRuns: Math.ceil(300 * engine.share) },
    )
    store.close()
  })
})
