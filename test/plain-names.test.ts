import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const WIDEST_COMMENT = 110

/** Words that say nothing about a thing, see `docs/glossary.md`. */
const VAGUE = new Set(['told', 'said', 'kept', 'place', 'places', 'placed', 'stands', 'each'])

/** Names that users or the database see, which must not change. */
const EXCEPTIONS: Record<string, string> = {
  'src/deliver/archive/rewrite.ts: kept': 'JSON of `collect --repair`',
  'src/commands/collect/archive.ts: kept': 'JSON of `collect --repair`',
  'src/commands/read/command.ts: places': 'JSON of `read --budget`',
  'src/condense/condense.ts: places': 'JSON of `read --budget`',
  'src/commands/secrets/command.ts: places': 'JSON and a flag of `secrets`',
  'src/store/clickhouse/inbox.ts: place': 'a column of a space',
  'src/store/sqlite/messages.ts: place': 'a column of the store',
}

const files = ['src', 'bench', 'scripts'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.wasm.ts'))
    .map((name) => ({ name: `${top}/${name}`, text: readFileSync(join(root, top, name), 'utf8') })),
)

/** The numbers of lines that are, or end in, a comment and are too wide. */
function wideComments(text: string): number[] {
  let inBlock = false
  return text.split('\n').flatMap((line, index) => {
    const isComment = inBlock || /^\s*\/[*/]|^[^'"`]*\s\/[*/] /.test(line)
    if (/^\s*\/\*/.test(line)) inBlock = true
    if (line.includes('*/')) inBlock = false
    return isComment && [...line].length > WIDEST_COMMENT ? [index + 1] : []
  })
}

const DECLARATIONS = [
  /\b(?:type|interface|class|function\*?)\s+([\w$]+)/g,
  /\b(?:const|let)\s+(?!each\b)([\w$]+)/g,
  // Fields and methods: on a line of their own, or inside braces or parentheses.
  /^\s*(?:(?:readonly|static|override|async|get|set) )*\*?([\w$]+)\??(?::|\([^)]*\)(?::| \{))/gm,
  /[{;,(]\s*(?:readonly )?(?!each\b)([\w$]+)\??:/g,
]

/** The names that a source declares and that contain a vague word. */
function vagueNames(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
  const declared = DECLARATIONS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!))
  const isVague = (name: string): boolean =>
    name.split(/_|(?<=[a-z\d])(?=[A-Z])/).some((part) => VAGUE.has(part.toLowerCase()))
  return [...new Set(declared.filter(isVague))]
}

describe('names and comments', () => {
  it('have no comment line wider than 110 columns', () => {
    const wide = files.flatMap(({ name, text }) => wideComments(text).map((line) => `${name}:${line}`))
    expect(wide).toEqual([])
  })

  it('have no name made of words that say nothing', () => {
    const vague = files
      .filter(({ name }) => name.startsWith('src/') && !name.endsWith('.test.ts'))
      .flatMap(({ name, text }) => vagueNames(text).map((each) => `${name}: ${each}`))
    expect(vague.sort()).toEqual(Object.keys(EXCEPTIONS).sort())
  })

  it('are checked in every kind of declaration', () => {
    expect(vagueNames('interface SecretPlace {\n  readonly wasTold?: boolean\n}')).toEqual([
      'SecretPlace',
      'wasTold',
    ])
    expect(vagueNames('export const PLACES_OF = 1\nfunction* placeOf() {}')).toEqual(['placeOf', 'PLACES_OF'])
    expect(vagueNames('const { line }: { keptRows: number } = rows')).toEqual(['keptRows'])
    expect(vagueNames('class Store {\n  createKept(name: string): void {}\n}')).toEqual(['createKept'])
    expect(vagueNames("const placeholder = replace('told: all', (each) => each) // said: all")).toEqual([])
    expect(wideComments(`/**\n * ${'x '.repeat(60)}\n */\nconst wide = '${'x '.repeat(60)}'`)).toEqual([2])
  })
})
