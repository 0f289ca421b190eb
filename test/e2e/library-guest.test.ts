import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findSessions, openStore, readSession } from '../../src/index.ts'
import { checkout, program } from '../program.ts'
import { claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'

const FILES = 300
/** If the work runs in the host's own thread, the event loop has two or three turns during an operation. */
const MANY_TURNS = 100
const BIG = uuid(9999)

/** Many files, and a large one. */
function bigHome(): string {
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
    Array.from({ length: 12_000 }, (_, index) => claude.user(index + 1, `${index} ${words}`)),
  )
  return home
}

/** Counts the turns of the event loop during some work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
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
    const home = bigHome()
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

  const library = pathToFileURL(join(checkout, 'src/index.ts')).href
  /** Runs a script in a separate process, and returns its output. */
  function printed(
    home: string,
    code: string,
    env: NodeJS.ProcessEnv = {},
    flags: readonly string[] = [],
  ): string {
    const script = put(join(home, 'host.mjs'), code.replace('agent-scrollback', library))
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
    const home = bigHome()
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
