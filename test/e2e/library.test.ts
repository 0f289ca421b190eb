import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openStore, readSession, ScrollbackError } from '../../src/index.ts'
import { checkout } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const guide = readFileSync(join(checkout, 'docs/guides/library.md'), 'utf8')
const examples = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

/** What a user imports, as it stands in the sources. */
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
  it('runs every example of its guide, which say this', async () => {
    expect(examples.length).toBeGreaterThan(5)
    const home = temporaryHome()
    const told = examples.map((code, index) => {
      const path = put(join(home, `example-${index}.mjs`), fromSources(code))
      return `example ${index + 1}\n${run(process.execPath, [path], home)}`
    })
    await expect(told.join('\n')).toMatchFileSnapshot('output/library-examples.txt')
  })

  it('has the interface that is frozen, which needs no other package', async () => {
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

  it('reads on, tells what was said, and counts it', async () => {
    const home = temporaryHome()
    const secret = `AKIA${'Z7QX2MPL4RTW9VKB'}`
    const path = putClaude(home, uuid(1), [claude.user(1, `Water the beds, ${secret}`)])
    const places = { claudeDirs: [join(home, '.claude')], openclawDirs: [] }
    using store = await openStore({ ...places, storePath: join(home, 'own.sqlite') })
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
    const direct = await Array.fromAsync(readSession(uuid(1).slice(0, 20), places))
    expect(direct.map((item) => item.text)).toEqual([items[0]!.text, 'Done.'])
    expect(await Array.fromAsync(readSession(path))).toHaveLength(2)
  })

  it('fails with a code and a way out', async () => {
    const home = temporaryHome()
    const places = { claudeDirs: [home], openclawDirs: [] }
    const store = await openStore({ ...places, storePath: ':memory:' })
    const failures: [code: string, work: () => Promise<unknown>][] = [
      ['no-session', () => Array.fromAsync(store.messages('nobody'))],
      ['no-project', () => Array.fromAsync(store.sessions({ project: 'nothing' }))],
      ['bad-time', () => store.search('x', { since: 'whenever' })],
      ['bad-option', () => store.search('')],
      ['no-session', () => readSession('abc', places).next()],
      ['bad-option', () => readSession('/etc/hostname', places).next()],
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
