import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  openStore,
  readSession,
  ScrollbackError,
  type SearchOptions,
  type SessionFilter,
} from '../../src/index.ts'
import { checkout } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const guide = readFileSync(join(checkout, 'docs/guides/library.md'), 'utf8')
const examples = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

/** The import of a user, from the sources. */
const fromSources = (code: string): string =>
  code
    .replace("'agent-scrollback'", `'${pathToFileURL(join(checkout, 'src/index.ts'))}'`)
    .replace("'agent-scrollback/parse'", `'${pathToFileURL(join(checkout, 'src/parse.ts'))}'`)

const run = (file: string, args: readonly string[], cwd: string) => {
  const env = { HOME: cwd, TZ: 'UTC', PATH: process.env.PATH }
  const { stdout, stderr, status } = spawnSync(file, args, { cwd, encoding: 'utf8', env })
  expect([status, stderr], stdout).toEqual([0, ''])
  return stdout
}

describe('the library', () => {
  it('runs every example of its guide, with the frozen output', async () => {
    expect(examples.length).toBeGreaterThan(5)
    const home = temporaryHome()
    const outputs = examples.map((code, index) => {
      const path = put(join(home, `example-${index}.mjs`), fromSources(code))
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
    await expect(whole.join('\n')).toMatchFileSnapshot('output/api.txt')
  })

  it('indexes new records, returns messages, and counts them', async () => {
    const home = temporaryHome()
    const secret = `AKIA${'Z7QX2MPL4RTW9VKB'}`
    const path = putClaude(home, uuid(1), [claude.user(1, `Water the beds, ${secret}`)])
    const roots = { claudeDirs: [join(home, '.claude')], openclawDirs: [] }
    using store = await openStore({ ...roots, storePath: join(home, 'own.sqlite') })
    const titles = async () => (await Array.fromAsync(store.sessions())).map(({ title }) => title)
    expect(await titles()).toEqual(['Water the beds, [REDACTED:aws-access-key-id]'])
    appendFileSync(path, `${JSON.stringify(claude.reply(2, [text('Done.')]))}\n`)
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
