import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout } from '../program.ts'
import { put, temporaryHome } from '../records.ts'

const source = join(checkout, 'src')

/** A name that the package exports, and where it is declared. */
interface Public {
  name: string
  file: string
}

/** The exports of a file, followed to the files that declare them. */
function publicNames(file: string): Public[] {
  const code = readFileSync(file, 'utf8')
  const own = [...code.matchAll(/^export (?:async )?(?:function\*?|interface|class|type|const) (\w+)/gm)].map(
    ([, name]) => ({ name: name!, file }),
  )
  const others = [...code.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, list, from]) =>
      list!
        .split(',')
        .map((name) => name.replace(/\btype\b/, '').trim())
        .filter((name) => name !== '')
        .map((name) => ({ name, file: resolve(dirname(file), from!) })),
  )
  return [...own, ...others]
}

const names = ['index.ts', 'parse.ts'].flatMap((file) => publicNames(join(source, file)))

interface Declared extends Public {
  /** `type` for an alias, which is a list of words. */
  kind: string
  comment: string
}

function declared({ name, file }: Public): Declared {
  const code = readFileSync(file, 'utf8')
  const found = new RegExp(
    `^export (?:async )?(function\\*?|interface|class|type|const) ${name}\\b`,
    'm',
  ).exec(code)
  if (!found) throw new Error(`${name} is not declared in ${file}`)
  const before = code.slice(0, found.index).trimEnd()
  const comment = before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : ''
  return { name, file, kind: found[1]!, comment }
}

interface Example {
  /** The file and the line of its tag. */
  at: string
  code: string
}

function examplesIn(file: string): Example[] {
  const code = readFileSync(file, 'utf8')
  return [...code.matchAll(/^ *\* @example\n((?: *\*(?!\/).*\n)+)/gm)].map((found) => ({
    at: `${file.slice(checkout.length + 1)}:${code.slice(0, found.index).split('\n').length}`,
    code: found[1]!.replace(/^ *\* ?/gm, ''),
  }))
}

const files = [...new Set(names.map(({ file }) => file))]
const examples = files.flatMap(examplesIn)

/** The example as a module that compares each value with the comment after it. */
const asModule = ({ at, code }: Example): string => `import { inspect, isDeepStrictEqual } from 'node:util'
${code
  .replace("'agent-scrollback'", `'${join(source, 'index.ts')}'`)
  .replace("'agent-scrollback/parse'", `'${join(source, 'parse.ts')}'`)
  .replace(/^(.*?) \/\/ => (.*)$/gm, 'compare($1, $2)')}
function compare(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) throw new Error(\`${at}: \${inspect(value)}\`)
}
`

/** All differences are reported, not only the first. */
const REPORT = 'function report({ message }) { console.error(message) }'

/** The files are checked in place, and import sources. */
const ALONE = {
  ...{ noEmit: true, allowImportingTsExtensions: true, rewriteRelativeImportExtensions: false },
  noUnusedLocals: false,
}

describe('the public interface', () => {
  it('has an example for everything except types', () => {
    expect(names.length).toBeGreaterThan(30)
    const without = names
      .map(declared)
      .filter(({ kind, comment }) => kind !== 'type' && !comment.includes('@example'))
      .map(({ name }) => name)
    expect(without).toEqual([])
  })

  it('has examples that match its types, run, and state their output', () => {
    expect(examples.length).toBeGreaterThan(30)
    expect(examples.filter(({ code }) => code.includes('// =>')).length).toBeGreaterThan(30)
    // Without semicolons such a line would continue the previous one.
    for (const { at, code } of examples) expect(code, at).not.toMatch(/^[[(`]/m)
    const home = temporaryHome()
    const paths = examples.map((example, index) => put(join(home, `example-${index}.mts`), asModule(example)))
    put(join(home, 'package.json'), '{"type":"module"}')
    const { compilerOptions } = JSON.parse(readFileSync(join(checkout, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: object
    }
    const types = [join(checkout, 'node_modules/@types')]
    const options = { ...compilerOptions, typeRoots: types, ...ALONE }
    put(
      join(home, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: options,
        files: paths,
      }),
    )
    const checked = spawnSync(join(checkout, 'node_modules/.bin/tsc'), ['-p', home], { encoding: 'utf8' })
    expect(checked.stdout).toBe('')
    const all = put(
      join(home, 'all.mts'),
      paths.map((path) => `await import('${path}').catch(report)\n`).join('') + REPORT,
    )
    const env = { HOME: home, TZ: 'UTC', PATH: process.env.PATH }
    const { stderr, status } = spawnSync(process.execPath, [all], { encoding: 'utf8', cwd: home, env })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  })
})
