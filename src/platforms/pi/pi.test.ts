import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { agentName, shortAgent } from '../identity.ts'
import { piIdentity } from './identity.ts'
import { pi } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/pi')
const nowhere: Environment = { home: '/nowhere', variables: {} }

/** What is found in a fixture. */
const found = (name: string, environment = nowhere) =>
  pi.files.discover(
    { platform: 'pi', path: join(folder, name, '.pi/agent'), reason: 'test', found: true },
    environment,
  )

/** The sessions of a fixture, in the order of their names. */
const fixture = (name: string) =>
  found(name)
    .artifacts.toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1))
    .map((artifact) => ({ artifact, ...readSession(artifact) }))

const shown = (name: string): string[][] => fixture(name).map(({ items }) => items.map(readableItem))

describe('a session of pi', () => {
  it('has the words of a person without files and skills, their commands, and failures as they are stated', () => {
    expect(shown('words')[0]).toMatchInlineSnapshot(`
      [
        "human: Which fern is this? [fern.png list.txt]",
        "agent: I look at the list.",
        "tool: bash cat ferns.csv",
        "tool: read wet.csv",
        "error: (read wet.csv) ENOENT: no such file or directory",
        "agent: A lady fern.",
        "human: !ls pots",
        "human: !!cat secret-pot",
        "error: (bash) cat: secret-pot: No such file or directory",
        "human: /skill:watering the blue pot",
        "agent: Half a cup is",
        "marker: · interruption Operation aborted",
        "human: Go on.",
        "agent: Half a cup is in the blue pot.",
        "marker: · compaction a summary of 17 characters",
        "human: Thank you.",
        "agent: You are welcome.",
      ]
    `)
  })

  it('is that of a subagent by its name, and the task is not a person’s', () => {
    const [{ session, items }] = fixture('named-subagent') as [ReturnType<typeof fixture>[0]]
    expect(session).toMatchObject({ kind: 'subagent', human: 0, title: 'subagent-fern-reader-a1b2c3d4-2' })
    expect(items.map(readableItem)).toEqual([
      'program (subagent): Read the list of ferns.',
      'agent: Three are dry.',
    ])
  })

  it('has subagents in a folder beside it, also those of subagents, and of a session that is gone', () => {
    const root = join(folder, 'nested-subagents/.omp/agent')
    const { artifacts } = pi.files.discover(
      { platform: 'pi', path: root, reason: 'test', found: true },
      nowhere,
    )
    const PARENT = '019f0000-0000-7000-8000-000000000041'
    const read = artifacts.map((artifact) => readSession(artifact).session)
    const rows = read.map(({ id, kind, human, parentSessionId, title, usage }) => [
      ...[id, kind, human, parentSessionId, title, usage?.input],
    ])
    expect(rows.toSorted()).toEqual([
      [PARENT, 'human', 1, undefined, 'Ferns', 10],
      [`FernCounter.${PARENT}`, 'subagent', 0, PARENT, 'FernCounter', 20],
      [
        ...['FernCounter.019f0000-0000-7000-8000-000000000044', 'subagent', 0],
        ...['019f0000-0000-7000-8000-000000000044', 'FernCounter', 40],
      ],
      [`PotReader.FernCounter.${PARENT}`, 'subagent', 0, `FernCounter.${PARENT}`, 'PotReader', 30],
    ])
  })

  it('has the tokens of replies, of tools, of summaries and of warming the cache', () => {
    const [{ session }] = fixture('words') as [ReturnType<typeof fixture>[0]]
    expect(session).toMatchObject({ title: 'Watering the ferns', model: 'claude-fern-1', errors: 2 })
    expect(session.usage).toMatchObject({ input: 124, output: 28, cacheRead: 180, cacheWrite: 8 })
  })

  it('shows each failed attempt, and what was interrupted before its first word', () => {
    const [{ session, items }] = fixture('retries') as [ReturnType<typeof fixture>[0]]
    expect(items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Is the water running?",
        "error: 429 Try again.",
        "error: Connection error.",
        "agent: It runs.",
        "human: Water all of them at once.",
        "error: 400 The request is too long.",
        "human: Only the fern.",
        "marker: · interruption Request was aborted.",
      ]
    `)
    expect(session).toMatchObject({ id: 'oven_night.7', errors: 3, usage: { input: 18 } })
  })

  it('has the calls that a script of the agent made, their failures, changes and tokens', () => {
    const [{ artifact, items, session }] = fixture('scripts') as [ReturnType<typeof fixture>[0]]
    expect(items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Write down the wet beds.",
        "tool: codemode const beds = await tools.read({path: 'beds.txt'}) await Promise.allSettled([tools.write({path: 'wet.txt', content: beds}), tools.edit({path: 'dry.txt', edits: []}), tools.bash({command: 'sort wet.txt'})])",
        "tool: read beds.txt",
        "tool: write wet.txt",
        "tool: edit dry.txt",
        "tool: bash",
        "error: (edit dry.txt) Could not edit file: dry.txt. Error code: ENOENT.",
        "agent: Two beds are wet.",
      ]
    `)
    expect(fileEdits(artifact).map(({ path }) => path)).toEqual(['wet.txt'])
    expect(session.usage).toMatchObject({ input: 28, output: 18 })
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      [
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "tool: bash ls pots",
          "error: (bash ls pots) no pots",
          "marker: · compaction a summary of 5 characters",
          "agent: None is.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "tool: bash ls pots",
          "error: (bash ls pots) no pots",
          "marker: · compaction a summary of 5 characters",
          "agent: None is.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "tool: bash ls pots",
          "error: (bash ls pots) no pots",
          "marker: · compaction a summary of 5 characters",
          "agent: None is.",
          "human: And the green one?",
          "agent: Cracked.",
          "human: Glue it.",
          "agent: Glued.",
        ],
      ]
    `)
    const [parent, fork, second] = fixture('forked').map(({ session }) => session)
    expect(fork).toMatchObject({
      parentSessionId: parent!.id,
      toolCalls: 1,
      errors: 1,
      forked: true,
      forkedMs: fork!.startedMs,
    })
    expect(fork!.startedMs).toBeGreaterThan(parent!.startedMs!)
    expect(second).toMatchObject({ parentSessionId: fork!.id, forked: true })
    expect([parent!.title, fork!.title]).toEqual(['Free pots', 'Free pots'])
  })

  it('has the changes of files that a fork copied, too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'scrollback-pi-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const writes = (second: number, path: string): string =>
      JSON.stringify({
        type: 'message',
        id: `0000000${second}`,
        timestamp: `2026-11-03T10:00:0${second}.000Z`,
        message: {
          role: 'assistant',
          content: [{ type: 'toolCall', id: path, name: 'write', arguments: { path, content: 'fern' } }],
        },
      })
    const header = {
      type: 'session',
      id: 'fork',
      timestamp: '2026-11-03T10:00:05.000Z',
      cwd: '/home/ann',
      parentSession: '/home/ann/parent.jsonl',
    }
    const lines = [JSON.stringify(header), writes(1, 'copied.txt'), writes(6, 'own.txt')]
    mkdirSync(join(folder, 'sessions'))
    writeFileSync(join(folder, 'sessions/fork.jsonl'), lines.join('\n'))
    writeFileSync(join(folder, 'sessions/parent.jsonl'), writes(1, 'copied.txt'))
    const root = { platform: 'pi', path: folder, reason: 'test', found: true }
    const artifact = pi.files
      .discover(root, nowhere)
      .artifacts.find(({ path }) => path.endsWith('fork.jsonl'))
    expect(fileEdits(artifact!).map(({ path }) => path)).toEqual(['copied.txt', 'own.txt'])
  })

  it('shows as abandoned what a person left through the tree', () => {
    expect(shown('branches')[0]).toMatchInlineSnapshot(`
      [
        "human: Name the garden.",
        "agent: What should it be called?",
        "human (abandoned): Moss Court.",
        "agent (abandoned): Moss Court it is.",
        "marker: · branch a summary of 25 characters",
        "human: Fern Court.",
        "agent: Fern Court it is.",
      ]
    `)
  })

  it('is read in its first version, without ids', () => {
    expect(shown('first-version')).toMatchInlineSnapshot(`
      [
        [
          "human: Name a moss.",
          "agent: Cushion moss.",
          "marker: · compaction a summary of 17 characters",
        ],
        [
          "human: Name a moss.",
          "agent: Cushion moss.",
          "human: Another one.",
          "agent: Peat moss.",
        ],
      ]
    `)
  })

  it('has types and roles of other programs as unknown, and torn lines as malformed', () => {
    const [{ session }] = fixture('damaged') as [ReturnType<typeof fixture>[0]]
    expect(session.accounting).toMatchObject({
      malformed: 2,
      unknown: { teleport: 1, 'message:gardener': 1 },
    })
  })
})

describe('the files of pi', () => {
  it('are transcripts below sessions, and copies on request', () => {
    const names = (environment: Environment) =>
      found('damaged', environment).artifacts.map(({ sessionId, state }) => `${sessionId} ${state}`)
    const id = '01a1f1be-0000-7000-8000-000000000011'
    expect(names(nowhere).sort()).toEqual([`${id} live`, 'notes live'])
    expect(names({ ...nowhere, backups: true }).sort()).toEqual([`${id} backup`, `${id} live`, 'notes live'])
    expect(found('damaged').unread).toMatchObject([{ copy: true }])
  })

  it('are recognized outside of the roots by their names, with the program that wrote them', () => {
    const { isOwn, isOwnName, facts } = pi.files.given!
    expect(isOwnName!('2026-11-03T10-00-00-000Z_oven_night.7.jsonl')).toBe(true)
    expect(isOwnName!('01a1f1be-0000-7000-8000-000000000011.jsonl')).toBe(false)
    expect(isOwn({ type: 'session' })).toBe(false)
    expect(facts('/home/ann/.omp/agent/sessions/x/a.jsonl')).toEqual({ agent: 'omp', state: 'live' })
    expect(facts('/home/ann/a.jsonl')).toEqual({ agent: 'pi', state: 'live' })
  })
})

describe('the programs that are pi under another name', () => {
  function homeWith(...folders: string[]): string {
    const home = mkdtempSync(join(tmpdir(), 'scrollback-pi-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    for (const each of folders) mkdirSync(join(home, each), { recursive: true })
    return home
  }
  const rootsIn = (home: string, more: Partial<Environment> = {}): string[] =>
    pi.files
      .roots({ home, variables: {}, ...more })
      .map(({ path, reason }) => `${relative(home, path)} (${reason})`)

  it('have a root each if they are there', () => {
    expect(rootsIn(homeWith())).toEqual(['.pi/agent (default)'])
    expect(rootsIn(homeWith('.omp/agent', '.prime/agent'))).toEqual([
      '.pi/agent (default)',
      '.omp/agent (default)',
      '.prime/agent (default)',
    ])
  })

  it('have variables of their own for their folder and for sessions elsewhere', () => {
    const variables = { PI_CODING_AGENT_DIR: '~/agents/pi', OMP_CODING_AGENT_SESSION_DIR: '~/talks' }
    expect(rootsIn(homeWith('.omp/agent'), { variables })).toEqual([
      'agents/pi (PI_CODING_AGENT_DIR)',
      '.omp/agent (default)',
      'talks (OMP_CODING_AGENT_SESSION_DIR)',
    ])
  })

  it('are found below a home directory or a folder of the client that was given', () => {
    const home = homeWith('.pi/agent/sessions')
    for (const given of ['', '.pi', '.pi/agent'])
      expect(rootsIn(home, { dirs: { pi: [join(home, given)] } })).toEqual(['.pi/agent (--pi-dir)'])
  })

  it('are agents with names of their own', () => {
    expect([agentName(piIdentity, 'pi'), agentName(piIdentity, 'prime')]).toEqual(['pi', 'Prime Agent'])
    expect([shortAgent(piIdentity, 'pi'), shortAgent(piIdentity, 'omp')]).toEqual(['pi', 'omp'])
  })

  it('resume their sessions with a flag of their own, in their folder', () => {
    const [{ session }] = fixture('retries') as [ReturnType<typeof fixture>[0]]
    const resumed = (root: string, variables = {}) =>
      pi.resume({ ...session, root }, { home: '/home/ann', variables })
    expect(resumed('/home/ann/.pi/agent')).toMatchObject({
      words: ['pi', '--session'],
      id: 'oven_night.7',
      variables: {},
      directories: ['/home/ann/Ofen Übersicht'],
    })
    expect(resumed('/home/ann/.omp/agent')).toMatchObject({ words: ['omp', '--resume'] })
    expect(resumed('/talks', { SENPI_CODING_AGENT_SESSION_DIR: '/talks' })).toMatchObject({
      words: ['senpi', '--session'],
      variables: { SENPI_CODING_AGENT_SESSION_DIR: '/talks' },
    })
    expect(resumed('/old/.pi/agent')).toMatchObject({ variables: { PI_CODING_AGENT_DIR: '/old/.pi/agent' } })
  })
})
