import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The allowed imports: a folder may import from itself and from the folders listed here. */
const ALLOWED: Record<string, readonly string[]> = {
  model: [],
  io: ['model', 'errors.ts'],
  redact: ['model', 'errors.ts'],
  platforms: ['io', 'model'],
  project: ['model', 'platforms'],
  render: ['model', 'platforms', 'redact'],
  condense: ['model'],
  devlog: ['model', 'condense', 'project', 'render', 'errors.ts'],
  search: ['model', 'errors.ts'],
  prices: ['model'],
  stats: ['model', 'store'],
  store: ['model', 'search', 'errors.ts'],
  tail: ['io', 'model'],
  sinks: ['io', 'model', 'errors.ts'],
  meaning: ['model', 'redact', 'store', 'sinks'],
  sync: ['model', 'io', 'tail', 'platforms', 'project', 'redact', 'store', 'errors.ts'],
  deliver: ['model', 'io', 'tail', 'platforms', 'redact', 'store', 'sinks', 'sync', 'errors.ts'],
  context: ['model', 'io', 'platforms', 'project', 'render', 'search', 'stats', 'store', 'sync', 'errors.ts'],
  selection: [
    'model',
    'io',
    'platforms',
    'project',
    'redact',
    'condense',
    'search',
    'store',
    'stats',
    'prices',
    'render',
    'sync',
    'deliver',
    'context',
    'errors.ts',
  ],
  commands: [
    'model',
    'io',
    'tail',
    'sync',
    'deliver',
    'context',
    'selection',
    'platforms',
    'project',
    'redact',
    'condense',
    'devlog',
    'search',
    'store',
    'sinks',
    'meaning',
    'stats',
    'prices',
    'render',
    'errors.ts',
  ],
  surfaces: [
    'model',
    'meaning',
    'sync',
    'deliver',
    'context',
    'selection',
    'commands',
    'devlog',
    'condense',
    'render',
    'errors.ts',
  ],
  'errors.ts': [],
  'parse.ts': ['model', 'io', 'platforms', 'redact'],
  'index.ts': ['model', 'redact', 'devlog', 'surfaces', 'errors.ts'],
}

/** The modules that name a platform: plain data, which everything above `model` may import. */
const IDENTITIES = ['platforms/identities.ts', 'platforms/identity.ts']

/** Readers of a form of record that several platforms write. They belong to none and import from none. */
const SHARED = ['opencode-records', 'pi-records']

/** What surfaces need before any command runs: the process, its threads, a file name, and unpacking requests. */
const BEFORE_COMMANDS = ['io/process.ts', 'io/thread.ts', 'io/forgotten-list.ts', 'io/zstd.ts']

/** The modules that open files: those of agents, which may only be read, and the store, which is ours. */
const OPENERS = [
  'io/agent-folder/database-statements.ts',
  'io/source.ts',
  'io/sqlite.ts',
  'io/own-files.ts',
  'store/sqlite/open.ts',
  'store/sqlite/files.ts',
  'store/sqlite/annotations.ts',
  'deliver/delivery/state.ts',
  'deliver/archive/tree-writer.ts',
]

/** The module that changes files of agents. It gets paths below their folders from those that follow. */
const WRITER = 'io/agent-folder/changes.ts'
const MAY_CHANGE = ['commands/restore/writes.ts']
/** The modules that create, rename or remove files: our own, and outputs that the user names. */
const WRITERS = [
  ...OPENERS,
  WRITER,
  'io/agent-folder/journal.ts',
  'io/archive/directory.ts',
  'io/archive/manifest.ts',
  'io/archive/writer.ts',
  'io/forgotten-list.ts',
  'deliver/archive/pack.ts',
  'deliver/archive/restore.ts',
  'deliver/archive/from-archive.ts',
  'commands/export/output-file.ts',
  'commands/restore/unpack.ts',
  'commands/restore/writes.ts',
  'commands/collect/keep.ts',
  'commands/setup.ts',
  'selection/vanishing.ts',
  'commands/statusline/line.ts',
]

const source = resolve(import.meta.dirname, '../src')

interface Import {
  from: string
  to: string
}

function importsOf(file: string, text: string): string[] {
  const found = [
    ...text.matchAll(/^\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g),
  ]
  return found
    .map((match) => match[1]!)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(source, resolve(file, '..', name)))
}

/** The rule that an import breaks, in words; undefined if it is allowed. */
function violation({ from, to }: Import): string | undefined {
  const [fromTop, fromSecond] = from.split('/') as [string, string]
  const [toTop, toSecond] = to.split('/') as [string, string]
  if (toTop.startsWith('..')) return `${from} reaches out of src: ${to}`
  if (IDENTITIES.includes(to) && fromTop !== 'model' && fromTop !== 'io') return undefined
  if (BEFORE_COMMANDS.includes(to) && fromTop === 'surfaces') return undefined
  if (fromTop !== toTop) return ALLOWED[fromTop]?.includes(toTop) ? undefined : `${from} may not import ${to}`
  const rival =
    (fromTop === 'platforms' || fromTop === 'sinks' || fromTop === 'surfaces') && fromSecond !== toSecond
  const isShared = fromTop === 'platforms' && SHARED.includes(toSecond)
  const folders = rival && !isShared && from.split('/').length > 2 && to.split('/').length > 2
  return folders ? `${from} imports from its sibling ${to}` : undefined
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => ({ name, path: join(source, name), text: readFileSync(join(source, name), 'utf8') }))
/** Tests may import anything. */
const production = files.filter(({ name }) => !name.endsWith('.test.ts'))

describe('the architecture', () => {
  it('only allows imports that point down, and none from one platform to another', () => {
    const broken = production.flatMap(({ name, path, text }) =>
      importsOf(path, text).flatMap((to) => violation({ from: name, to }) ?? []),
    )
    expect(broken).toEqual([])
  })

  it('opens team stores through one file, so that nothing else depends on their engine', () => {
    const users = production.flatMap(({ name, path, text }) =>
      importsOf(path, text).flatMap((to) =>
        to.startsWith('store/clickhouse/') && !name.startsWith('store/clickhouse/') ? `${name} > ${to}` : [],
      ),
    )
    expect(users).toEqual(['commands/store/team-store.ts > store/clickhouse/engine.ts'])
  })

  it('detects a planted forbidden import', () => {
    const planted = "import { discover } from '../sync/discover.ts'\nimport type { Part } from './event.ts'\n"
    const [up, own] = importsOf(join(source, 'model/session.ts'), planted)
    expect(violation({ from: 'model/session.ts', to: up! })).toBe(
      'model/session.ts may not import sync/discover.ts',
    )
    expect(violation({ from: 'model/session.ts', to: own! })).toBeUndefined()
    expect(
      violation({ from: 'platforms/openclaw/entry.ts', to: 'platforms/claude-code/blocks.ts' }),
    ).toContain('sibling')
    expect(
      violation({ from: 'platforms/pi-records/entry.ts', to: 'platforms/openclaw/identity.ts' }),
    ).toContain('sibling')
  })

  it('covers every folder', () => {
    const tops = new Set(files.map(({ name }) => name.split('/')[0]!))
    expect([...tops].filter((top) => !(top in ALLOWED))).toEqual([])
  })

  it('takes the environment, the terminal, signals and the exit from the host', () => {
    const talks =
      /\bconsole\.|\bprocess\.(?:argv|cwd|env|exit|exitCode|off|on|once|stderr|stdin|stdout)\b|\bnode:(?:process|tty)\b/
    const broken = production.filter(
      ({ name, text }) =>
        name !== 'surfaces/host.ts' && talks.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    )
    expect(broken.map(({ name }) => name)).toEqual([])
  })

  it('opens files in a few modules only', () => {
    const opens = /\b(?:readFileSync|openSync|createReadStream|readFile|new DatabaseSync)\b/
    const broken = production.filter(
      ({ name, text }) => opens.test(text) && name !== WRITER && !OPENERS.includes(name),
    )
    expect(broken.map(({ name }) => name)).toEqual([])
  })

  it('writes files in a few modules only, and below the folders of agents in one', () => {
    const writes =
      /\b(?:writeFileSync|appendFileSync|renameSync|linkSync|unlinkSync|rmSync|rmdirSync|mkdirSync|chmodSync|copyFileSync|ftruncateSync|createWriteStream)\(/
    const writing = production.filter(({ name, text }) => writes.test(text) && !WRITERS.includes(name))
    expect(writing.map(({ name }) => name)).toEqual([])
    const changing = production.filter(
      ({ name, path, text }) =>
        importsOf(path, text).includes(WRITER) && name !== WRITER && /\bapplyChanges\b/.test(text),
    )
    expect(changing.map(({ name }) => name)).toEqual(MAY_CHANGE)
  })

  it('does not let agents, pages and programs write there', () => {
    const reaching = production.filter(
      ({ name, text }) =>
        /^(?:surfaces\/(?:mcp|http|library)|commands\/serve)\//.test(name) &&
        /commands\/restore\/|commands\.(?:restore|unpack|move)\b|'(?:restore|unpack|move)'/.test(text),
    )
    expect(reaching.map(({ name }) => name)).toEqual([])
  })

  it('names a platform only in its own folder', () => {
    const names = /claude|openclaw/i
    const naming = production.filter(
      ({ name, text }) =>
        !name.startsWith('platforms/') && names.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    )
    expect(naming.map(({ name }) => name)).toEqual([])
  })

  it('has no folder with more than 30 source files', () => {
    const sizes = new Map<string, number>()
    for (const { name } of production) sizes.set(dirname(name), (sizes.get(dirname(name)) ?? 0) + 1)
    expect([...sizes].filter(([, count]) => count > 30)).toEqual([])
  })

  it('has no file over 600 lines', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 600)
    expect(long.map(({ name }) => name)).toEqual([])
  })
})
