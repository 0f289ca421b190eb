import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentDatabase } from '../agent-databases.ts'
import { VERSIONS } from '../agent-schemas.ts'
import { answer, type Json, json, run } from '../program.ts'
import { openclaw, put, putOpenclaw, putSessionIndex, temporaryHome, uuid } from '../records.ts'

const DIRECT = 'agent:main:telegram:direct:5550100'
const INDEX = {
  [DIRECT]: {
    sessionId: uuid(1),
    chatType: 'direct',
    lastAccountId: 'default',
    origin: { label: 'Dev (@dev_at_home) id:5550100', provider: 'telegram', from: 'telegram:5550100' },
    model: 'claude-opus-4-5',
    inputTokens: 10,
    outputTokens: 120,
    totalTokens: 45_000,
    contextTokens: 200_000,
  },
  'agent:main:discord:group:1234567890': { sessionId: uuid(2), subject: 'moss friends' },
  'agent:main:subagent:7f': { sessionId: uuid(3), spawnedBy: DIRECT, status: 'running' },
  'agent:main:cron:1:run:x': { sessionId: uuid(4) },
}

const write = putSessionIndex

/** A home with a session for each of these entries, and one without an entry. */
function talkingHome(): string {
  const home = temporaryHome()
  for (const number of [1, 2, 3, 4, 5])
    putOpenclaw(home, `${uuid(number)}.jsonl`, [
      openclaw.header(uuid(number)),
      openclaw.user(number, `words ${number}`),
    ])
  write(home, INDEX)
  return home
}

const rowsOf = (home: string, ...args: string[]): Map<string, Json> =>
  new Map(json(home, 'sessions', '--all', ...args).sessions.map((row: Json) => [row.id, row]))

describe('the facts of a session in the session index of OpenClaw', () => {
  it('are shown with people shortened, and complete on request', () => {
    const home = talkingHome()
    const short = rowsOf(home)
    expect(short.get(uuid(1))).toMatchObject({
      sessionKey: 'agent:main:telegram:direct:55…00',
      entry: {
        ...{ surface: 'direct', channel: 'telegram', account: 'default', peer: '55…00' },
        ...{ model: 'claude-opus-4-5', origin: 'Dev (@d…me) id:55…00' },
        tokens: { input: 10, output: 120, total: 45_000, context: 200_000 },
      },
    })
    expect(short.get(uuid(2))?.entry).toEqual({
      ...{ surface: 'group', channel: 'discord', peer: '12…90', name: 'moss friends' },
    })
    expect(short.get(uuid(3))?.entry).toEqual({
      ...{ surface: 'subagent', status: 'running', spawnedBy: 'agent:main:telegram:direct:55…00' },
    })
    expect(short.get(uuid(5))?.entry).toBeUndefined()
    expect(JSON.stringify([...short.values()])).not.toMatch(/5550100|1234567890|dev_at_home/)

    const whole = rowsOf(home, '--identities')
    expect(whole.get(uuid(1))).toMatchObject({
      sessionKey: DIRECT,
      entry: { peer: '5550100', origin: 'Dev (@dev_at_home) id:5550100' },
    })
    expect(whole.get(uuid(3))?.entry?.spawnedBy).toBe(DIRECT)
  })

  it('are in the listing, above a transcript, and in the JSON of read', () => {
    const home = talkingHome()
    expect(run(['sessions', '--all'], home).stdout).toMatch(
      /KIND\tCHANNEL\t.*\n(?:.*\n)*.*\ttelegram direct 55…00\t/,
    )
    expect(run(['sessions', '--all', '--identities'], home).stdout).toContain('\ttelegram direct 5550100\t')
    for (const more of [[], ['--full'], ['--budget', '9k'], ['--no-redact']]) {
      const read = (...others: string[]) => run(['read', uuid(1), ...more, ...others], home).stdout
      expect(read()).toContain(' · telegram direct 55…00 · ')
      expect(read()).not.toContain('5550100')
      expect(read('--identities')).toContain(' · telegram direct 5550100 · ')
      expect(read('--json')).not.toContain('5550100')
      expect(read('--json', '--identities')).toContain(`"sessionKey":"${DIRECT}"`)
    }
  })

  it('have no column if no session has any, or if the screen is narrow', async () => {
    const home = talkingHome()
    const listed = async (columns: number): Promise<string> =>
      (
        await answer(
          'sessions',
          { all: true },
          { home, variables: {} },
          { screen: { columns, terminal: true } },
        )
      ).text
    expect(await listed(140)).toContain('CHANNEL')
    expect(await listed(139)).not.toContain('CHANNEL')
    rmSync(join(home, '.openclaw/agents/main/sessions/sessions.json'))
    expect(await listed(140)).not.toContain('CHANNEL')
  })

  it('select sessions', () => {
    const home = talkingHome()
    const chosen = (kinds: string): string[] => [...rowsOf(home, '--kind', kinds).keys()].sort()
    expect(chosen('direct')).toEqual([uuid(1)])
    expect(chosen('group,cron-run')).toEqual([uuid(2), uuid(4)])
    expect(chosen('cron')).toEqual([uuid(4)])
    expect(chosen('thread')).toEqual([])
    expect(run(['sessions', '--all', '--kind', 'threads'], home).stderr).toContain('cron-run')
  })

  it('are the same from the store and from the files', () => {
    const home = talkingHome()
    const files = rowsOf(home, '--no-redact')
    expect([...rowsOf(home)]).toEqual([...files])
  })

  it('are stored if nothing else has changed', () => {
    const home = talkingHome()
    const index = () => json(home, 'index')
    expect(index().readBytes).toBeGreaterThan(0)
    write(home, { ...INDEX, [DIRECT]: { ...INDEX[DIRECT], status: 'failed', totalTokens: 46_000 } })
    expect(index()).toMatchObject({ read: 1, unchanged: 4 })
    expect(rowsOf(home).get(uuid(1))?.entry).toMatchObject({ status: 'failed', tokens: { total: 46_000 } })
    expect(index()).toMatchObject({ read: 0, unchanged: 5 })
    expect(run(['doctor', '--deep'], home).code).toBe(0)
  })

  it('remain known after the session index drops them, and in the archive of the session', () => {
    const home = talkingHome()
    const before = rowsOf(home).get(uuid(1))?.entry
    write(home, {})
    expect(rowsOf(home).get(uuid(1))?.entry).toEqual(before)
    const sessions = join(home, '.openclaw/agents/main/sessions')
    put(join(sessions, `${uuid(1)}.jsonl.reset.2026-11-02T10-00-00.000Z`), [
      openclaw.header(uuid(1)),
      openclaw.user(1, 'words 1'),
    ])
    rmSync(join(sessions, `${uuid(1)}.jsonl`))
    expect(rowsOf(home).has(uuid(1))).toBe(true)
  })

  it('give a session without messages its title, shortened as well', () => {
    const home = talkingHome()
    putOpenclaw(home, `${uuid(1)}.jsonl`, [openclaw.header(uuid(1))])
    expect(rowsOf(home).get(uuid(1))?.title).toBe('Dev (@d…me) id:55…00')
    expect(rowsOf(home, '--identities').get(uuid(1))?.title).toBe('Dev (@dev_at_home) id:5550100')
  })

  it('contain no secrets, nor does the store', () => {
    const home = talkingHome()
    const key = `sk-ant-api03-${'Q7vXk2LmZp9RtYw4Nc8J'.repeat(4)}`
    putOpenclaw(home, `${uuid(4)}.jsonl`, [openclaw.header(uuid(4))])
    write(home, {
      [DIRECT]: { ...INDEX[DIRECT], origin: { label: `Dev ${key}` } },
      'agent:main:cron:1': { sessionId: uuid(4), label: `Job ${key}` },
    })
    const rows = rowsOf(home, '--identities')
    expect(rows.get(uuid(1))?.entry?.origin).toMatch(/^Dev \[REDACTED/)
    expect(rows.get(uuid(4))?.title).toMatch(/^Job \[REDACTED/)
    expect(run(['read', uuid(4), '--json', '--identities'], home).stdout).not.toContain(key)
    const folder = join(home, '.local/share/scrollback')
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain(key)
  })
})

it.each(VERSIONS)(
  'the facts of a session in a database come from its columns and named fields of the entry, never from the prompts there: schema %i',
  (version) => {
    const home = temporaryHome()
    const made = agentDatabase(join(home, '.openclaw'), version)
    made.session('moss', [openclaw.header('moss'), openclaw.user(1, 'water the moss')], { key: DIRECT })
    const table = version === 4 ? 'sessions' : 'session_windows'
    const set = (values: string) => {
      made.database.exec(`UPDATE ${table} SET ${values} WHERE session_id = 'moss'`)
    }
    set(
      "chat_type = 'direct', channel = 'telegram', account_id = 'default', model = 'opus', status = 'running'",
    )
    const cliSessionIds = { 'claude-cli': uuid(9) }
    const facts = { origin: { label: 'Dev (@dev_at_home)' }, totalTokens: 7, cliSessionIds }
    const prompts = { skillsSnapshot: { prompt: 'a canary' }, systemPromptReport: { x: 'canary' } }
    const stored = JSON.stringify({ ...prompts, ...facts })
    if (version > 4) made.database.prepare('UPDATE session_nodes SET entry_json = ?').run(stored)
    else made.database.prepare("INSERT INTO session_entries VALUES (?, 'moss', ?, 0)").run(DIRECT, stored)
    const entry = {
      ...{ surface: 'direct', channel: 'telegram', account: 'default', peer: '55…00', model: 'opus' },
      ...{ origin: 'Dev (@d…me)', tokens: { total: 7 }, runtimeSessions: [uuid(9)] },
    }
    expect(rowsOf(home).get('moss')?.entry).toEqual({ ...entry, status: 'running' })
    set("status = 'done'")
    expect(json(home, 'index')).toMatchObject({ read: 1 })
    const { stdout } = run(['sessions', '--all', '--json', '--identities'], home)
    const whole = { ...entry, peer: '5550100', origin: facts.origin.label, status: 'done' }
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ sessionKey: DIRECT, entry: whole }] })
    expect(stdout).not.toContain('canary')
    const table4 = version === 4 ? 'session_entries' : 'session_nodes'
    made.database.exec(`UPDATE ${table4} SET entry_json = '{"origin":'`)
    expect(rowsOf(home).get('moss')?.entry).not.toHaveProperty('tokens')
    made.close()
  },
)

describe('one session', () => {
  const known = {
    updatedAt: Date.UTC(2026, 10, 1, 12),
    model: { provider: 'acme', model: 'fern-2' },
    tokenCounts: { inputTokens: 40, outputTokens: 12, totalTokens: 52 },
    skills: [{ name: 'notes', filePath: '/x', description: 'long' }, { name: 'weather' }],
    systemPromptReport: { injectedWorkspaceFiles: ['SOUL.md'], toolSchemas: 18, totalSize: 45000 },
  }
  const newer = {
    modelProvider: 'acme',
    model: 'fern-2',
    skillsSnapshot: { skills: [{ name: 'tmux' }] },
    systemPromptReport: {
      systemPrompt: { chars: 900 },
      injectedWorkspaceFiles: [{ name: 'SOUL.md', rawChars: 90, injectedChars: 80 }],
      tools: { listChars: 10, schemaChars: 20, entries: [{}, {}] },
      skills: { promptChars: 30 },
    },
  }
  const homeWith = (entries: object): string => {
    const home = temporaryHome()
    putOpenclaw(home, `${uuid(1)}.jsonl`, [openclaw.header(uuid(1)), openclaw.user(1, 'Water the ferns')])
    putSessionIndex(home, entries)
    return home
  }

  it('is shown with all its facts in the session index, as text and JSON', () => {
    const home = homeWith({ [DIRECT]: { sessionId: uuid(1), ...known } })
    expect(json(home, 'session', uuid(1)).sessions[0].entry).toMatchObject({
      updatedAt: '2026-11-01T12:00:00.000Z',
      ...{ provider: 'acme', model: 'fern-2', skills: ['notes', 'weather'] },
      tokens: { input: 40, output: 12, total: 52 },
      prompt: { total: 45000, tools: 18, files: [{ name: 'SOUL.md' }] },
    })
    const { stdout } = run(['session', uuid(1).slice(0, 8)], home)
    expect(stdout).toContain('First     Water the ferns')
    expect(stdout).toContain('Next      acme/fern-2')
    expect(stdout).toContain('45,000 characters in the system prompt, 18 tools')
    expect(stdout).not.toContain('5550100')
    const later = homeWith({ [DIRECT]: { sessionId: uuid(1), ...newer } })
    expect(json(later, 'session', 'latest').sessions[0].entry).toMatchObject({
      ...{ provider: 'acme', model: 'fern-2', skills: ['tmux'] },
      prompt: {
        total: 900,
        tools: 2,
        toolCharacters: 30,
        skillCharacters: 30,
        files: [{ name: 'SOUL.md', characters: 80 }],
      },
    })
  })

  it('is listed if only the session index names it', () => {
    const home = homeWith({
      'agent:main:main': { sessionId: uuid(1) },
      [DIRECT]: { sessionId: 'bbbbbbbb-0000-4000-8000-000000000000', label: 'Ferns', ...known },
    })
    const { named, sessions } = json(home, 'sessions', '--all')
    expect(sessions).toHaveLength(1)
    expect(named).toMatchObject([{ agent: 'main', title: 'Ferns', updatedAt: '2026-11-01T12:00:00.000Z' }])
    expect(named[0].sessionKey).not.toContain('5550100')
    expect(run(['sessions', '--all'], home).stdout).toContain(
      '1 more session is in the session index without a transcript',
    )
    const shown = run(['session', 'bbbbbbbb'], home).stdout
    expect(shown).toContain('named by ~/.openclaw/agents/main/sessions/sessions.json, no transcript here')
    expect(shown).toContain('2: notes, weather')
    expect(run(['session', 'cccccccc'], home).code).not.toBe(0)
    expect(run(['session'], home).code).toBe(2)
  })

  it('is listed with its first and last message, if there is room or on request', async () => {
    const home = temporaryHome()
    putOpenclaw(home, `${uuid(1)}.jsonl`, [
      openclaw.header(uuid(1)),
      openclaw.user(1, 'Water the ferns'),
      openclaw.user(2, 'And the roses'),
    ])
    const long = run(['sessions', '--all', '--long'], home).stdout
    expect(long).toContain('first: Water the ferns\n')
    expect(long).toContain('last:  And the roses\n')
    expect(run(['sessions', '--all'], home).stdout).not.toContain('last:  And')
  })
})
