import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/index.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { runSources, sourceProgram, variablesOf } from '../program.ts'
import { call, claude, put, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { connectWith } from '../tool-client.ts'
import { emptyServer, hasServer } from './engines.ts'
import { addressOf, CHOSEN, sendAs, team } from './team.ts'

/** A secret, which is assembled here so that no scanner finds it in this file. */
const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

/** The page over a team store, as the command line starts it. Returns what it answers. */
async function pageOver({ at, password, home }: Pick<ReturnType<typeof team>, 'at' | 'password' | 'home'>) {
  const child = spawn(process.execPath, [sourceProgram, 'serve', '--store', at, '--no-open', '--port', '0'], {
    cwd: home,
    env: {
      ...variablesOf(home),
      SCROLLBACK_STORE_PASSWORD: password,
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece
    })
  onTestFinished(async () => {
    child.kill('SIGINT')
    if (child.exitCode === null) await once(child, 'exit')
  })
  while (!/http:\S+/.test(printed) && child.exitCode === null) await once(child.stdout, 'data')
  const url = new URL(/http:\S+/.exec(printed)![0])
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
  return {
    printed: () => printed,
    async ask(address: string) {
      const response = await fetch(`${url.origin}/api/${address}`, { headers })
      return { status: response.status, text: await response.text() }
    },
  }
}

describe.runIf(hasServer)('a team store', () => {
  it('is what the page shows, which names the machine where it needs the file', async () => {
    const { path, ...given } = team()
    const { ask, printed } = await pageOver(given)
    expect((await ask('sessions?all=true')).text).toContain(`oak:${path}`)
    expect((await ask('search?query=hedge')).text).toContain('Cut the hedge')
    expect((await ask('stats?by=person')).text).toContain('bob')
    const session = encodeURIComponent(`elm:${path}`)
    expect((await ask(`items?session=${session}`)).text).toContain('Cut the hedge')
    expect((await ask(`outline?session=${session}`)).status).toBe(200)
    for (const address of [`record?session=${session}&line=2`, `changes?session=${session}`])
      expect(await ask(address)).toEqual({
        status: expect.any(Number),
        text: expect.stringContaining('on elm'),
      })
    // What is about this machine would be another answer.
    for (const address of ['doctor', 'secrets?all=true', 'cron', 'collector', 'vanishing']) {
      const { status, text } = await ask(address)
      expect([address, status >= 400, text]).toEqual([
        address,
        true,
        expect.stringContaining('"error":"This is only known on'),
      ])
    }
    expect(printed()).not.toContain(given.password)
  }, 600_000)

  it('lists the subagents of all machines under their parents, and says where memory is searched', () => {
    const { server, at, password, home } = team()
    const folder = join(temporaryHome(), 'claude')
    const project = join(folder, 'projects/-home-ann-garden')
    put(join(project, `${uuid(5)}.jsonl`), [
      claude.user(61, 'Prune the roses', { sessionId: uuid(5) }),
      claude.reply(62, [call('t5', 'Agent', { prompt: 'Find the shears' })], { sessionId: uuid(5) }),
    ])
    const helper = { isSidechain: true, agentId: 'a1', sessionId: uuid(5) }
    put(join(project, uuid(5), 'subagents/agent-a1.jsonl'), [
      claude.user(63, 'Find the shears', helper),
      claude.reply(64, [text('In the shed.')], helper),
    ])
    sendAs('ash', 'eve', folder, server)
    const ask = (...words: string[]) =>
      runSources([...words, '--store', at], home, { SCROLLBACK_STORE_PASSWORD: password })
    const { stdout, stderr, code } = ask('runs', '--all', '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      total: 1,
      runs: [
        { task: 'Find the shears', parent: { session: uuid(5), line: null }, child: { session: 'agent-a1' } },
      ],
    })
    expect(ask('runs', uuid(5)).stdout).toContain('Find the shears')
    expect(ask('memory', '--recall', 'shears')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/on its own machine.*scrollback search who:memory/s),
    })
  }, 600_000)

  it('answers the tools of agents', async () => {
    const { at, password, home, path } = team()
    await using server = await connectWith(
      { SCROLLBACK_STORE_PASSWORD: password },
      sourceProgram,
      home,
      '--store',
      at,
    )
    const { body } = await server.ask('search', { query: 'hedge person:bob' })
    expect(body.hits[0]).toMatchObject({ who: 'human', snippet: expect.stringContaining('Cut the hedge') })
    expect(JSON.stringify((await server.ask('sessions', {})).body)).toContain('Water the fern')
    expect((await server.ask('read', { target: `elm:${path}` })).text).toContain('Cut the hedge')
    expect((await server.ask('stats', { by: 'device' })).text).toContain('elm')
    expect(server.stderr()).not.toContain(password)
  }, 600_000)

  it('answers programs through the library', async () => {
    const { at, password, path } = team()
    await using store = await openStore({ store: at, storePassword: password })
    const sessions = await Array.fromAsync(store.sessions())
    expect(sessions.map((each) => [each.device, each.path, each.person])).toContainEqual([
      'oak',
      `oak:${path}`,
      'ann',
    ])
    const { hits } = await store.search('hedge')
    expect(await Array.fromAsync(hits)).toMatchObject([{ who: 'human' }])
    await expect(openStore({ store: at, storePassword: 'wrong-password' })).rejects.toThrow(
      expect.not.stringContaining('wrong-password'),
    )
  }, 600_000)

  it('never has a secret, wherever one was', () => {
    const server = emptyServer()
    const at = addressOf(server)
    const home = temporaryHome()
    const said = `Use ${SECRET}`
    putClaude(
      home,
      uuid(1),
      [
        { type: 'custom-title', customTitle: said, sessionId: uuid(0) },
        claude.user(1, said, { cwd: `/home/ann/${SECRET}`, gitBranch: SECRET }),
        claude.reply(2, [text(said), call('toolu_1', 'Bash', { command: `curl -H ${SECRET}` })]),
        claude.result(3, 'toolu_1', `denied: ${SECRET}`, true),
        claude.reply(4, [call('toolu_2', 'Edit', { file_path: `/home/ann/${SECRET}.txt` })]),
      ],
      `-home-ann-${SECRET}`,
    )
    put(join(home, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), said)
    const ask = (...words: string[]) =>
      runSources(words, home, { SCROLLBACK_STORE_PASSWORD: server.password })
    const { stdout, code } = ask('collect', at, ...CHOSEN)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Delivered [5-9] messages/)])
    const archive = join(home, 'archive')
    expect(ask('collect', archive, '--history', 'all', '--redact', 'off').code).toBe(0)
    expect(ask('store', 'copy', archive, at, '--device', 'elm')).toMatchObject({ code: 0 })
    const connection = connect(server)
    const tables = connection.select<[string]>('SHOW TABLES').map(([name]) => name)
    expect(tables).toContain('item')
    for (const table of tables)
      expect([table, JSON.stringify(connection.select(`SELECT * FROM ${table}`))]).toEqual([
        table,
        expect.not.stringContaining(SECRET.slice(8, 24)),
      ])
    connection.close()
  }, 600_000)

  it('answers session, export, devlog and memory on the command line', () => {
    const { ask, path } = team()
    expect(ask('session', `oak:${path}`)).toMatchObject({ stderr: '' })
    expect(ask('session', `oak:${path}`).stdout).toContain('Water the fern')
    expect(ask('export', `oak:${path}`, '--format', 'md', '--out', '-').stdout).toContain('Water the fern')
    expect(ask('devlog', 'garden', '--yes').stdout).toContain('garden')
    // There is no memory here.
    expect(ask('memory').code).toBe(1)
    expect(ask('read', uuid(3)).stdout).toContain('Sweep the path')
  }, 600_000)
})
