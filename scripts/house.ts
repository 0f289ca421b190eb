/**
 * Prints how large the project is, beside the goals: `npm run house`, or `npm run house -- --json`.
 * Only a built package has a size.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseSync } from 'rolldown/experimental'

const root = resolve(import.meta.dirname, '..')

interface Source {
  path: string
  text: string
  lines: number
  linesOfCode: number
  exports: string[]
  /** The names that it imports at once, by path. */
  imports: Map<string, Set<string>>
  /** The paths that it imports later, or in a type. */
  later: Set<string>
}

const sources = filesOf('{src,ui}/**/*.{ts,tsx}', /\.test\.ts$|\.d\.ts$|\.wasm\.ts$|\/assembly\//).map(read)
const uses = sources.flatMap(({ path, exports }) => exports.map((name) => usersOf(path, name)))
const linesOfCode = sum(sources.map((source) => source.linesOfCode))
const short = sources.filter(({ lines }) => lines < 25).length
const tests = [...filesOf('{src,ui}/**/*.test.ts'), ...filesOf('test/**/*.ts', /node_modules/)]
const testLines = sum(tests.map((path) => linesIn(textOf(path))))
const packed = packedSize()

const rows: { name: string; count?: number; goal?: number }[] = [
  { name: 'files in src and ui', count: sources.length, goal: 500 },
  { name: 'lines of code in them', count: linesOfCode, goal: 75_000 },
  { name: 'files with fewer than 25 lines', count: short, goal: 30 },
  { name: 'exports that one other file uses', count: uses.filter((count) => count === 1).length, goal: 500 },
  { name: 'exports that no other file uses', count: uses.filter((count) => count === 0).length },
  { name: 'modules that a search loads', count: modulesOfSearch(), goal: 190 },
  { name: 'lines of tests and their helpers', count: testLines, goal: 30_000 },
  { name: 'import circles', count: circles(), goal: 0 },
  { name: 'bytes of the package', count: packed?.size, goal: 1_500_000 },
  { name: 'bytes of its files', count: packed?.unpackedSize },
]

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
else {
  const column = (value?: number): string => (value?.toLocaleString('en') ?? '-').padStart(10)
  for (const { name, count, goal } of rows) {
    const isOver = count !== undefined && goal !== undefined && count > goal
    process.stdout.write(`${name.padEnd(34)}${column(count)} of ${column(goal)}${isOver ? '  over' : ''}\n`)
  }
  if (!packed) process.stdout.write('The package has a size after: npm run build\n')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function filesOf(pattern: string, except = /^$/): string[] {
  return globSync(pattern, { cwd: root }).filter((path) => !except.test(path))
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}

function read(path: string): Source {
  const text = textOf(path)
  const { comments, module } = parseSync(path, text)
  const blanked = text.split('')
  for (const { start, end } of comments) blanked.fill('', start, end)
  const pathOf = (name: string): string => join(dirname(path), name)
  const imports = new Map<string, Set<string>>()
  for (const { moduleRequest, entries } of module.staticImports)
    imports.set(
      pathOf(moduleRequest.value),
      new Set(entries.map(({ importName }) => importName.name ?? importName.kind)),
    )
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  )
  return {
    path,
    text,
    imports,
    exports,
    lines: linesIn(text),
    linesOfCode: blanked.join('').match(/^.*\S/gm)?.length ?? 0,
    later: new Set([...text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)].map(([, name]) => pathOf(name!))),
  }
}

/** How many other files use an export. */
function usersOf(path: string, name: string): number {
  const word = new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`)
  return sources.filter(({ imports, later, text }) => {
    const names = imports.get(path)
    return names?.has(name) || names?.has('NamespaceObject') || (later.has(path) && word.test(text))
  }).length
}

/** How many of our modules a search in the demo loads in its main thread, run from the sources. */
function modulesOfSearch(): number {
  const hook = `import { registerHooks } from 'node:module'
let count = 0
registerHooks({ load(url, context, next) { if (/\\/src\\/.*\\.ts$/.test(url)) count++; return next(url, context) } })
process.on('exit', () => process.stderr.write('loaded ' + count))`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, 'bin/scrollback.js']
  const { stderr } = spawnSync(process.execPath, [...args, 'search', 'invoice', '--demo'], {
    cwd: root,
    encoding: 'utf8',
  })
  return Number(/loaded (\d+)$/.exec(stderr)?.[1])
}

/** The imports that lead back to a module on the way to it, also those of types. */
function circles(): number {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const state = new Map<string, 'open' | 'done'>()
  const visit = (path: string): number => {
    if (state.has(path)) return state.get(path) === 'open' ? 1 : 0
    state.set(path, 'open')
    const count = sum([...(byPath.get(path)?.imports.keys() ?? [])].map(visit))
    state.set(path, 'done')
    return count
  }
  return sum(sources.map(({ path }) => visit(path)))
}

function packedSize(): { size: number; unpackedSize: number } | undefined {
  if (!existsSync(join(root, 'dist/cli.js')) || !existsSync(join(root, 'dist/page'))) return undefined
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
  return (JSON.parse(text) as { size: number; unpackedSize: number }[])[0]
}
