import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  findSessions,
  openStore,
  readSession,
  ScrollbackError,
  type SearchOptions,
  type SessionFilter,
} from '../../src/index.ts'
import { installed } from '../installed.ts'
import { checkout, program, variablesOf } from '../program.ts'
import { append, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const source = join(checkout, 'src')
/** The library as it is installed. */
const library = join(installed().folder, 'node_modules/agent-scrollback/dist')

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
  .replace("'agent-scrollback'", `'${join(library, 'index.js')}'`)
  .replace("'agent-scrollback/parse'", `'${join(library, 'parse.js')}'`)
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
    const env = variablesOf(home)
    const { stderr, status } = spawnSync(process.execPath, [all], { encoding: 'utf8', cwd: home, env })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  })
})

const guide = readFileSync(join(checkout, 'docs/guides/library.md'), 'utf8')
const examplesOfLibrary = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

/** The import of a user. */
const fromPackage = (code: string): string =>
  code
    .replace("'agent-scrollback'", `'${pathToFileURL(join(library, 'index.js'))}'`)
    .replace("'agent-scrollback/parse'", `'${pathToFileURL(join(library, 'parse.js'))}'`)

const run = (file: string, args: readonly string[], cwd: string) => {
  const env = variablesOf(cwd)
  const { stdout, stderr, status } = spawnSync(file, args, { cwd, encoding: 'utf8', env })
  expect([status, stderr], stdout).toEqual([0, ''])
  return stdout
}

describe('the library', () => {
  it('runs every example of its guide, with the frozen output', async () => {
    expect(examplesOfLibrary.length).toBeGreaterThan(5)
    const home = temporaryHome()
    const outputs = examplesOfLibrary.map((code, index) => {
      const path = put(join(home, `example-${index}.mjs`), fromPackage(code))
      return `example ${index + 1}\n${run(process.execPath, [path], home)}`
    })
    await expect(outputs.join('\n')).toMatchFileSnapshot('output/library-examples.txt')
  })

  it('has the frozen interface, which needs no other package', async () => {
    const folder = join(temporaryHome(), 'types')
    const tsc = join(checkout, 'node_modules/.bin/tsc')
    run(tsc, ['-p', join(checkout, 'tsconfig.types.json'), '--outDir', folder], checkout)
    run(process.execPath, [join(checkout, 'scripts/prune-types.ts'), folder], checkout)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
    const whole = files.map((path) => `// ${relative(folder, path)}\n${readFileSync(path, 'utf8')}`)
    // The names of every platform are in it, which decide nothing but the names of options.
    const declared = whole.join('\n').replace(/^(declare const IDENTITIES): [\s\S]*?\n\}\];\n/m, '$1;\n')
    await expect(declared).toMatchFileSnapshot('output/api.txt')
  })

  it('indexes new records, returns messages, and counts them', async () => {
    const home = temporaryHome()
    const secret = `AKIA${'Z7QX2MPL4RTW9VKB'}`
    const path = putClaude(home, uuid(1), [claude.user(1, `Water the beds, ${secret}`)])
    const roots = { claudeDirs: [join(home, '.claude')], openclawDirs: [] }
    using store = await openStore({ ...roots, storePath: join(home, 'own.sqlite') })
    const titles = async () => (await Array.fromAsync(store.sessions())).map(({ title }) => title)
    expect(await titles()).toEqual(['Water the beds, [REDACTED:aws-access-key-id]'])
    append(path, claude.reply(2, [text('Done.')]))
    await store.refresh()
    const items = await Array.fromAsync(store.messages(uuid(1)))
    expect(items.map(({ who, text }) => [who, text])).toEqual([
      ['human', 'Water the beds, [REDACTED:aws-access-key-id]'],
      ['agent', 'Done.'],
    ])
    const { total, hits } = await store.search('done', { limit: 5 })
    expect([total, (await Array.fromAsync(hits))[0]?.line]).toEqual([1, 2])
    expect((await store.stats()).totals.messages).toEqual({ human: 1, agent: 1 })
    const direct = await Array.fromAsync(readSession(uuid(1).slice(0, 20), roots))
    expect(direct.map((item) => item.text)).toEqual([items[0]!.text, 'Done.'])
    expect(await Array.fromAsync(readSession(path))).toHaveLength(2)
  })

  it('accepts times as text and as dates, and returns hits in the requested order', async () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'fern fern fern'), claude.user(2, 'moss')])
    putClaude(home, uuid(2), [claude.user(30, `a fern among ${'other words '.repeat(30)}`)])
    using store = await openStore({
      claudeDirs: [join(home, '.claude')],
      openclawDirs: [],
      storePath: ':memory:',
    })
    const lines = async (options: SearchOptions): Promise<string[]> => {
      const { total, hits } = await store.search('fern', options)
      const found = await Array.fromAsync(hits)
      expect(found).toHaveLength(total)
      return found.map(({ session }) => session.slice(-1))
    }
    expect(await lines({ sort: 'relevance' })).toEqual(['1', '2'])
    expect(await lines({ sort: 'newest' })).toEqual(['2', '1'])
    expect(await lines({})).toEqual(['1', '2'])
    const between = new Date('2026-11-01T10:15:00Z')
    for (const time of [between, between.toISOString()]) {
      expect(await lines({ since: time })).toEqual(['2'])
      expect(await lines({ until: time })).toEqual(['1'])
    }
    const ids = async (filter: SessionFilter): Promise<string[]> =>
      (await Array.fromAsync(store.sessions(filter))).map(({ id }) => id.slice(-1))
    expect(await ids({ since: between })).toEqual(['2'])
    expect(await ids({ until: between })).toEqual(['1'])
    expect((await store.stats({ since: between })).totals.messages).toEqual({ human: 1, agent: 0 })
    await expect(store.search('fern', { since: new Date(Number.NaN) })).rejects.toMatchObject({
      code: 'bad-time',
    })
  })

  it('throws errors with a code and a way out', async () => {
    const home = temporaryHome()
    const roots = { claudeDirs: [home], openclawDirs: [] }
    const store = await openStore({ ...roots, storePath: ':memory:' })
    const failures: [code: string, work: () => Promise<unknown>][] = [
      ['no-session', () => Array.fromAsync(store.messages('nobody'))],
      ['no-project', () => Array.fromAsync(store.sessions({ project: 'nothing' }))],
      ['bad-time', () => store.search('x', { since: 'whenever' })],
      ['bad-option', () => store.search('')],
      ['no-session', () => readSession('abc', roots).next()],
      ['bad-option', () => readSession('/etc/hostname', roots).next()],
      ['bad-option', () => openStore({ claudeDirs: [join(home, 'missing')] })],
    ]
    for (const [code, work] of failures) {
      const error = await work().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error, code).toBeInstanceOf(ScrollbackError)
      expect(error).toMatchObject({ code, wayOut: expect.any(String) })
    }
    store.close()
    await expect(store.stats()).rejects.toThrow('closed')
  })
})

const FILES = 300
/** If the work runs in the host's own thread, the event loop has two or three turns during an operation. */
const MANY_TURNS = 100
const BIG = uuid(9999)

/** Many files, and a large one. */
function bigHome(messages = 12_000): string {
  const home = temporaryHome()
  for (let number = 1; number <= FILES; number++)
    putClaude(home, uuid(number), [
      claude.user(number, `fern ${number}`),
      claude.reply(number + 1, [text('ok')]),
    ])
  const words = 'fern moss pump '.repeat(40)
  putClaude(
    home,
    BIG,
    Array.from({ length: messages }, (_, index) => claude.user(index + 1, `${index} ${words}`)),
  )
  return home
}

/** Counts the turns of the event loop during some work, until there are many: each keeps a core busy. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone && turns <= MANY_TURNS) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}

describe('the library in a host program', () => {
  it('does not block the event loop while it reads, indexes and searches', async () => {
    const home = bigHome()
    const roots = { claudeDirs: [join(home, '.claude')], openclawDirs: [] }
    const options = { ...roots, storePath: join(home, 'own.sqlite') }
    let store: Awaited<ReturnType<typeof openStore>> | undefined
    const turns = {
      open: await turnsDuring(async () => {
        store = await openStore(options)
      }),
      sessions: await turnsDuring(async () =>
        expect(await Array.fromAsync(store!.sessions())).toHaveLength(FILES + 1),
      ),
      messages: await turnsDuring(async () =>
        expect(await Array.fromAsync(store!.messages(BIG))).toHaveLength(12_000),
      ),
      search: await turnsDuring(async () => {
        const { hits } = await store!.search('fern moss', { limit: 0 })
        expect((await Array.fromAsync(hits)).length).toBeGreaterThan(5000)
      }),
      stats: await turnsDuring(() => store!.stats()),
      readSession: await turnsDuring(async () =>
        expect(await Array.fromAsync(readSession(BIG, roots))).toHaveLength(12_000),
      ),
      findSessions: await turnsDuring(async () =>
        expect(await Array.fromAsync(findSessions(roots))).toHaveLength(FILES + 1),
      ),
    }
    await store!.close()
    for (const [name, count] of Object.entries(turns)) expect(count, name).toBeGreaterThan(MANY_TURNS)
  })

  it('supports leaving an iteration, and aborts running work when it is closed', async () => {
    const home = bigHome(3000)
    const options = { claudeDirs: [join(home, '.claude')], openclawDirs: [], storePath: ':memory:' }
    const store = await openStore(options)
    for await (const item of store.messages(BIG)) {
      expect(item.line).toBe(1)
      break
    }
    const running = store.stats()
    const outcome = running.then(
      () => 'done',
      (error: Error) => error.message,
    )
    await store.close()
    expect(['done', 'The store was closed.']).toContain(await outcome)
    await expect(store.refresh()).rejects.toMatchObject({
      code: 'bad-option',
      message: 'The store was closed.',
    })
  })

  const own = pathToFileURL(join(library, 'index.js')).href
  /** Runs a script in a separate process, and returns its output. */
  function printed(
    home: string,
    code: string,
    env: NodeJS.ProcessEnv = {},
    flags: readonly string[] = [],
  ): string {
    const script = put(join(home, 'host.mjs'), code.replace('agent-scrollback', own))
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, script], {
      cwd: home,
      encoding: 'utf8',
      env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, ...env },
    })
    expect(stderr).toBe('')
    return stdout
  }

  it('reads no environment variable unless one is given', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'of the home')])
    put(join(home, 'other/projects/-x', `${uuid(2)}.jsonl`), [claude.user(2, 'of the variable')])
    const env = { CLAUDE_CONFIG_DIR: join(home, 'other'), SCROLLBACK_HOME: join(home, 'ours') }
    const output = printed(
      home,
      `
      const reads = []
      const real = process.env
      // Node reads this one when it loads a module.
      const known = ['WATCH_REPORT_DEPENDENCIES']
      const get = (from, name) => (known.includes(name) || reads.push(name), from[name])
      const watched = new Proxy(real, { get })
      Object.defineProperty(process, 'env', { value: watched })
      const { findSessions, openStore } = await import('agent-scrollback')
      const titles = async (options) => (await Array.fromAsync(findSessions(options))).map(({ title }) => title)
      const none = await titles()
      const store = await openStore()
      await store.close()
      console.log(JSON.stringify({ none, reads, all: await titles({ env: real }) }))
      `,
      env,
    )
    expect(JSON.parse(output)).toEqual({
      none: ['of the home'],
      reads: [],
      all: expect.arrayContaining(['of the variable']),
    })
    expect(existsSync(join(home, '.local/share/scrollback/store.sqlite'))).toBe(true)
    expect(existsSync(join(home, 'ours'))).toBe(false)
    printed(
      home,
      `const { openStore } = await import('agent-scrollback')\nawait openStore({ env: process.env })`,
      env,
    )
    expect(existsSync(join(home, 'ours/store.sqlite'))).toBe(true)
  })

  it('sets no flag of V8 in its host, unlike the program', () => {
    const home = bigHome(3000)
    const watch = put(
      join(home, 'watch.cjs'),
      `
      const v8 = require('node:v8')
      const set = v8.setFlagsFromString
      v8.setFlagsFromString = (flag) => {
        require('node:fs').appendFileSync(${JSON.stringify(join(home, 'flags'))}, flag + '\\n')
        set(flag)
      }
      require('node:module').syncBuiltinESMExports()
      `,
    )
    const flags = ['--require', watch]
    const code = `
      const { findSessions, openStore, readSession } = await import('agent-scrollback')
      const store = await openStore()
      await Array.fromAsync(store.messages('${BIG}'))
      await store.search('fern')
      await store.close()
      await Array.fromAsync(findSessions())
      await Array.fromAsync(readSession('${BIG}'))`
    printed(home, code, {}, flags)
    expect(existsSync(join(home, 'flags'))).toBe(false)
    const env = { HOME: home, SCROLLBACK_HOME: join(home, 'ours'), PATH: process.env.PATH }
    spawnSync(process.execPath, [...flags, program, 'index'], { env })
    expect(readFileSync(join(home, 'flags'), 'utf8')).toContain('--semi-space-growth-factor')
  })

  it('does not prevent its host from exiting', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    const code = `
      const { openStore } = await import('agent-scrollback')
      const store = await openStore()
      console.log((await Array.fromAsync(store.sessions())).length)`
    expect(printed(home, code)).toBe('1\n')
  })
})
