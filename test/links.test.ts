import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const top = resolve(import.meta.dirname, '..')
const documents = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  ...globSync(['docs/**/*.md', 'bench/*.md', 'skills/**/*.md'], { cwd: top }),
]
const textOf = (path: string): string => readFileSync(join(top, path), 'utf8')

/** The addresses of links and pictures, except those on the web. */
const linksIn = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, link, source]) => (link ?? source)!)
    .filter((address) => !/^[a-z]+:/.test(address))

/** The anchors of headings, as GitHub makes them. */
const anchorsIn = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Paths of this repository in code spans. Other names have no folder of ours in front. */
const pathsIn = (text: string): string[] =>
  [
    ...text
      .replace(/```[\s\S]*?```/g, '')
      .matchAll(/`((?:src|test|docs|bench|scripts|ui|skills|demo)\/[^`\s]*)`/g),
  ]
    .map(([, path]) => path!)
    .filter((path) => !/[*<>{}…]/.test(path))

/** Files of other programs, and of examples. */
const FOREIGN = new Set([
  'src/auth.ts',
  'test/stock.test.js',
  'docs/pg-sync.md',
  'docs/clickhouse-sync.md',
  'src/config/sessions/',
  'src/auto-reply/envelope.ts',
  'src/auto-reply/reply/strip-inbound-meta.ts',
  'src/media-understanding/format.ts',
  'src/sessions/input-provenance.ts',
  'src/agents/internal-runtime-context.ts',
  'src/chat/tool-content.ts',
])

/** Tests and modules may be named without their ending. */
const isThere = (name: string): boolean =>
  ['', '.test.ts', '.ts'].some((ending) => existsSync(join(top, `${name.replace(/:\d+$/, '')}${ending}`)))

describe('the documents', () => {
  it.each(documents)('link to files and headings that exist: %s', (path) => {
    const text = textOf(path)
    const broken = linksIn(text).filter((address) => {
      const [file = '', anchor] = address.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      if (!existsSync(join(top, target))) return true
      const isFile = statSync(join(top, target)).isFile()
      return anchor !== undefined && !(isFile && anchorsIn(textOf(target)).includes(anchor))
    })
    expect(broken).toEqual([])
  })

  it.each(documents)('name files of the repository that exist: %s', (path) => {
    const missing = pathsIn(textOf(path)).filter((name) => !FOREIGN.has(name) && !isThere(name))
    expect(missing).toEqual([])
  })
})
