/**
 * Holds the first load of the built page below a limit: what `index.html` names, and the largest first view.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const MOST_BYTES = 150_000
/** What precedes the first row on the first page and in the list of sessions, without the answers. */
const MOST_FIRST = 60_000
const folder = join(import.meta.dirname, '../dist/page')

const compressed = (name: string): number => gzipSync(readFileSync(join(folder, name))).length

const html = readFileSync(join(folder, 'index.html'), 'utf8')
const named = [...html.matchAll(/(?:src|href)="\/?(assets\/[^"]+)"/g)].map((match) => match[1]!)

/** The code of a page that loads after the entry: its own file, and the files that it imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(join(folder, name), 'utf8')
  const imports = text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)
  for (const [, file] of imports) filesOf(`assets/${file}`, seen)
  return seen
}

const entry = new Set(named.flatMap((name) => (name.endsWith('.js') ? [...filesOf(name)] : [name])))
const views = readdirSync(join(folder, 'assets')).filter((name) => /^sessions?-.*\.(?:js|css)$/.test(name))
const first = [...entry, 'index.html'].reduce((sum, name) => sum + compressed(name), 0)

/** What the files of a page add to the entry. */
function sizeOf(page: string): number {
  const files = views
    .filter((name) => name.startsWith(`${page}-`))
    .flatMap((name) => (name.endsWith('.js') ? [...filesOf(`assets/${name}`)] : [`assets/${name}`]))
  return [...new Set(files)]
    .filter((name) => !entry.has(name))
    .reduce((sum, name) => sum + compressed(name), 0)
}

const largest = sizeOf('session')

process.stdout.write(
  `first load: ${first} bytes compressed, with the largest first view ${first + largest} of ${MOST_BYTES}\n`,
)
const list = sizeOf('sessions')
process.stdout.write(`before the first session of the list: ${first + list} bytes of ${MOST_FIRST}\n`)
if (first + largest > MOST_BYTES || first + list > MOST_FIRST) process.exitCode = 1
