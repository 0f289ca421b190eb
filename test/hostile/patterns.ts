/**
 * Prints all regular expressions of the program, one JSON object per line: literals from the syntax tree of
 * each file, and those that a module makes when it is loaded.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = resolve(import.meta.dirname, '../..')
/** What starts a program when it is loaded. */
const STARTS = /surfaces\/cli\/(?:main|program|statusline|early-page)|worker|thread/

const known = new Set<string>()

function add(where: string, { source, flags }: { source: string; flags: string }): void {
  const key = `${flags}/${source}`
  if (known.has(key)) return
  known.add(key)
  process.stdout.write(`${JSON.stringify({ where, source, flags })}\n`)
}

interface Node {
  type?: string
  start?: number
  regex?: { pattern: string; flags: string }
}

function walk(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  see(node as Node)
  for (const value of Object.values(node)) walk(value, see)
}

const files = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8')
  walk(parseAst(text, { lang: 'ts' }), ({ type, regex, start = 0 }) => {
    if (type === 'Literal' && regex)
      add(`${file}:${text.slice(0, start).split('\n').length}`, {
        source: regex.pattern,
        flags: regex.flags,
      })
  })
}

const made = globalThis.RegExp
globalThis.RegExp = new Proxy(made, {
  construct(target, given, newTarget) {
    const pattern = Reflect.construct(target, given, newTarget) as RegExp
    const [, where] = /\/(src\/[^\s:()]+:\d+)/.exec(new Error('made').stack ?? '') ?? []
    if (where !== undefined) add(where, pattern)
    return pattern
  },
})
for (const file of files) if (!STARTS.test(file)) await import(join(root, file))
process.exit(0)
