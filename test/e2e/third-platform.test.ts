import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFollowing } from '../follow/following.ts'
import { checkout, type Json, run, sourceProgram, variablesOf } from '../program.ts'
import { append, put, temporaryHome } from '../records.ts'
import { fern } from '../third-platform/records.ts'
import { REGISTER, REGISTERED } from '../third-platform/registered.ts'
import { connectWith } from '../tool-client.ts'

/** A home with the transcripts of a fixture. */
function fernwoodHome(trap = 'spent'): string {
  const home = temporaryHome()
  cpSync(join(checkout, 'test/fixtures/fernwood', trap), home, { recursive: true })
  return home
}

const ask = (home: string, ...args: string[]) => run(args, home, { env: REGISTERED })
const json = (home: string, ...args: string[]): Json => JSON.parse(ask(home, ...args, '--json').stdout)

const WORDS = ['Water the moss', 'Watered the moss.', 'Now the pond', 'Filled.']

/** Runs a script with the platform, and parses the JSON that it prints. */
function script(home: string, code: string): unknown {
  const source = code.replace("'agent-scrollback'", `'${pathToFileURL(join(checkout, 'src/index.ts'))}'`)
  const path = put(join(temporaryHome(), 'script.mjs'), source)
  const env = variablesOf(home)
  // As a flag of Node it also holds for the thread of the library.
  const args = ['--import', REGISTER, path]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('a platform that was added as a folder', () => {
  it('is found, indexed, read, searched, counted and checked', () => {
    const home = fernwoodHome()
    expect(ask(home, 'sessions', '--all').stdout).toContain('fernwood')
    const { sessions } = json(home, 'sessions', '--all')
    expect(sessions).toMatchObject([
      {
        ...{ id: 'moss-1', platform: 'fernwood', agent: 'fern', project: 'garden', title: 'Moss care' },
        ...{ messages: { human: 2, agent: 2 }, accounting: { events: 14, unknown: { wind: 1 } } },
      },
    ])
    expect(ask(home, 'read', 'moss-1').stdout).toContain('Fernwood')
    const { items } = json(home, 'read', 'garden')
    const said = items.filter(({ who }: Json) => who === 'human' || who === 'agent')
    expect(said.map(({ text }: Json) => text)).toEqual(WORDS)
    expect(json(home, 'search', 'moss').total).toBe(3)
    expect(json(home, 'search', 'moss', '--platform', 'fernwood').total).toBe(3)
    expect(json(home, 'stats', '--all', '--by', 'model')).toMatchObject({
      totals: { inputTokens: 450, outputTokens: 60, toolCalls: 1 },
      rows: [
        { key: 'claude-opus-4-1', inputTokens: 200 },
        { key: 'claude-sonnet-4-6', inputTokens: 250 },
      ],
    })
    expect(json(home, 'projects').projects).toMatchObject([{ name: 'garden', platforms: ['fernwood'] }])
    expect(ask(home).stdout).toContain('Fernwood')
    expect(ask(home, 'doctor', '--deep')).toMatchObject({ code: 0 })
    expect(ask(home, 'export', 'moss-1', '--out', '-').stdout).toContain('Fernwood')
  })

  it('has its own flag, and a name for the general one', () => {
    const home = fernwoodHome()
    const elsewhere = temporaryHome()
    for (const flags of [
      ['--fernwood-dir', join(home, '.fernwood')],
      ['--dir', `fernwood=${join(home, '.fernwood')}`],
    ])
      expect(json(elsewhere, 'sessions', '--all', ...flags).sessions).toHaveLength(1)
    // No shell expands a tilde after `=`.
    expect(json(home, 'sessions', '--all', '--dir', 'fernwood=~/.fernwood').sessions).toHaveLength(1)
    expect(ask(home, 'help', 'sources').stdout).toContain('--fernwood-dir <dir>')
    const { code, stderr } = ask(home, 'sessions', '--dir', 'oak=/x')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--dir: invalid value "oak=/x"')])
  })

  it('is recognized in a file outside its folder', () => {
    const path = join(fernwoodHome(), '.fernwood/logs/moss-1.jsonl')
    expect(ask(temporaryHome(), 'read', path).stdout).toMatch(/Fernwood[\s\S]*Water the moss/)
  })

  it('is resumed with its own command', () => {
    expect(ask(fernwoodHome(), 'resume', 'moss-1').stdout).toContain('fernwood again moss-1')
  })

  it('is available to the MCP tools', async () => {
    await using server = await connectWith(REGISTERED, sourceProgram, fernwoodHome())
    const { body: listed } = await server.ask('sessions', {})
    expect(listed.sessions).toMatchObject([{ session: expect.stringContaining('moss-1') }])
    const { body: found } = await server.ask('search', { query: 'pond' })
    expect(found.hits).toHaveLength(1)
    const { body } = await server.ask('read', { target: 'moss-1' })
    expect(body.items.flatMap(({ text }) => text ?? [])).toEqual(expect.arrayContaining(WORDS))
  })

  it('is available to the library', () => {
    const found = script(
      fernwoodHome(),
      `import { findSessions, openStore, readSession } from 'agent-scrollback'
      const sessions = await Array.fromAsync(findSessions({}))
      const items = await Array.fromAsync(readSession('moss-1', {}))
      using store = await openStore({ storePath: ':memory:' })
      const { total } = await store.search('moss')
      const { totals } = await store.stats()
      console.log(JSON.stringify({ ids: sessions.map(({ id }) => id), texts: items.map(({ text }) => text), total, totals }))`,
    )
    expect(found).toMatchObject({ ids: ['moss-1'], texts: expect.arrayContaining(WORDS), total: 3 })
  })

  it('is followed while it is written', async () => {
    const home = fernwoodHome()
    const screen = await startFollowing(home, [], () => {}, REGISTERED)
    onTestFinished(screen.kill)
    const more = [fern.round(8), fern.person(8, 'And the ivy?'), fern.reply(9, '9', 'Ivy too.')]
    append(join(home, '.fernwood/logs/moss-1.jsonl'), ...more)
    await screen.until(() => screen.stdout().includes('Ivy too.'))
    expect(screen.stdout()).toMatch(/And the ivy\?[\s\S]*Ivy too\./)
    expect(screen.stdout()).not.toContain('Filled.')
  })

  it('is delivered, restored and read from an archive', () => {
    const home = fernwoodHome('forked')
    expect(ask(home, 'collect', '--history', 'all').stdout).toContain('Delivered 30 records')
    expect(ask(home, 'collect').stdout).not.toContain('Delivered 30')
    const archive = join(home, '.local/share/scrollback/archive')
    const { sessions } = json(temporaryHome(), 'sessions', '--all', '--from', archive)
    expect(sessions.map(({ id }: Json) => id).sort()).toEqual(['moss-1', 'moss-4', 'moss-5'])
    expect(ask(home, 'collect', '--list').stdout).toContain('logs/*.jsonl')
  })

  it('provides the folder and session of its records, and states that an id is not unique', () => {
    const home = fernwoodHome('forked')
    const lines = ask(home, 'collect', 'stdout:', '--history', 'all').stdout.trimEnd().split('\n')
    const records = lines.map((line): Json => JSON.parse(line))
    const names = records.filter(({ kind }) => kind === 'session-index')
    expect(names.map(({ session, raw }) => [session, raw.name])).toEqual([
      ['moss-1', 'Moss'],
      ['moss-1', 'Mosses'],
      ['moss-4', 'Fork'],
    ])
    expect(names[2]).toMatchObject({ at: '2026-11-01T10:23:00.000Z' })
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    const transcripts = records.filter(({ kind }) => kind === 'transcript')
    expect(new Set(transcripts.map(({ session, project }) => `${session} ${project}`))).toEqual(
      new Set(['moss-1', 'moss-4', 'moss-5'].map((id) => `${id} /home/ann/garden`)),
    )
  })
})
