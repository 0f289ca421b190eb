import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { readSpawns } from '../../sync/read/read-spawns.ts'
import { cline } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/cline')

function artifactsIn(environment: Environment) {
  return cline.files
    .roots(environment)
    .filter(({ found }) => found)
    .flatMap((root) => cline.files.discover(root, environment).artifacts)
}

/** The sessions of a home, oldest first. */
const sessionsIn = (home: string, variables: Environment['variables'] = {}) =>
  artifactsIn({ home, variables }).map((artifact) => ({ artifact, ...readSession(artifact) }))
const fixture = (name: string) => sessionsIn(join(folder, name))
const shown = (name: string): string[][] => fixture(name).map(({ items }) => items.map(readableItem))

/** A copy of a fixture that may be changed. */
function copyOf(name: string): string {
  const home = mkdtempSync(join(tmpdir(), 'scrollback-cline-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  cpSync(join(folder, name), home, { recursive: true })
  return home
}

describe('a session of Cline', () => {
  it('has what was typed without tags, notices and files, each command of a call, and failures', () => {
    expect(shown('words')).toMatchInlineSnapshot(`
      [
        [
          "human: Which fern is dry?",
          "agent: I look at the list.",
          "tool: run_commands cat ferns.csv; test -f moss",
          "tool: read_files /home/ann/garden/wet.csv",
          "error: (run_commands cat ferns.csv; test -f moss) no moss here",
          "error: (read_files /home/ann/garden/wet.csv) Error reading file: ENOENT: no such file",
          "agent: The one at the wall.",
          "human: <system-reminder>The gate is open</system-reminder> Who says so?",
          "agent: You.",
          "human: /review",
          "tool: run_commands rm ferns.csv",
          "marker: · denial (run_commands rm ferns.csv)",
          "error: 400 The list is too long.",
        ],
      ]
    `)
  })

  it('has the figures of each reply, whose input includes the cache, and the title of a person', () => {
    const [{ session }] = fixture('words') as [ReturnType<typeof fixture>[number]]
    expect(session).toMatchObject({
      ...{ title: 'Dry ferns', branches: ['main'], version: '3.0.65', cwds: [['/home/ann/garden', 1]] },
      usage: { input: 35 + 40 + 10 + 10, output: 33, cacheRead: 450, cacheWrite: 5 },
    })
  })

  it('was interrupted if the client was ended', () => {
    expect(shown('ended')).toMatchInlineSnapshot(`
      [
        [
          "human: Count slowly.",
          "marker: · interruption",
        ],
      ]
    `)
  })

  it('has the summary of a compaction where it was made', () => {
    expect(shown('compacted')).toMatchInlineSnapshot(`
      [
        [
          "human: How many pots?",
          "agent: Nine.",
          "marker: · compaction a summary of 20 characters",
          "human: And how many are blue?",
          "agent: Four.",
        ],
      ]
    `)
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      [
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
      ]
    `)
    const [original, fork] = fixture('forked')
    expect(fork!.session).toMatchObject({
      parentSessionId: original!.session.id,
      usage: { input: 30 + 44 },
      forked: true,
    })
  })

  it('has subagents of its own, whose usage no sum contains', () => {
    expect(shown('subagents')).toMatchInlineSnapshot(`
      [
        [
          "human: Count the pots with a helper.",
          "agent: A helper counts.",
          "tool: spawn_agent Count the blue pots.",
          "agent: Four.",
        ],
        [
          "program (subagent): Count the blue pots.",
          "tool: run_commands ls pots | wc -l",
          "agent: Four.",
        ],
      ]
    `)
    const found = fixture('subagents')
    const child = found.find(({ session }) => session.kind === 'subagent')!
    const parent = found.find(({ session }) => session.kind !== 'subagent')!
    expect(child.session).toMatchObject({
      ...{ id: `${parent.session.id}__${child.session.id.split('__')[1]}` },
      ...{ parentSessionId: parent.session.id, usage: { input: 16, output: 5 } },
    })
    expect(parent.session.usage).toMatchObject({ input: 190 })
    expect(readSpawns(parent.artifact)).toMatchObject([{ callId: 'call_h', prompt: 'Count the blue pots.' }])
  })

  it('has malformed lines for a document that is damaged, and unknown roles where they are', () => {
    expect(shown('damaged')).toMatchInlineSnapshot(`
      [
        [
          "human: Is it torn?",
          "agent: A little.",
          "marker: · note a block of unknown kind, leafage",
        ],
        [],
      ]
    `)
    expect(fixture('damaged').map(({ session }) => session.accounting)).toMatchObject([
      { malformed: 0, unknown: { 'message:agent': 1 } },
      { malformed: 4, unknown: {} },
    ])
  })

  it('is read again if one of its documents changes, and has the state with which it was listed', () => {
    const home = copyOf('compacted')
    const listed = () => artifactsIn({ home, variables: {} })[0]!
    const seen = new Set([listed().identity])
    for (const name of readdirSync(join(listed().path, '..'))) {
      const path = join(listed().path, '..', name)
      writeFileSync(path, `${readFileSync(path, 'utf8')}\n`)
      seen.add(listed().identity)
    }
    expect(seen.size).toBe(4)
    const { bytes, modifiedMs, identity } = listed()
    const source = cline.files.open!(listed())!
    expect(source.state()).toEqual({ size: bytes, mtimeMs: modifiedMs, identity })
    source.close()
  })

  it('is found where variables and a flag point to, and resumed there by its id', () => {
    const data = join(folder, 'ended/.cline/data')
    for (const [variables, pointed] of [
      [{ CLINE_DIR: join(folder, 'ended/.cline') }, {}],
      [{ CLINE_DATA_DIR: data }, { CLINE_DIR: join(folder, 'ended/.cline') }],
      [
        { CLINE_SESSION_DATA_DIR: join(data, 'sessions') },
        { CLINE_SESSION_DATA_DIR: join(data, 'sessions') },
      ],
    ] as const) {
      const environment = { home: '/nowhere', variables }
      const [{ session }] = sessionsIn('/nowhere', variables) as [ReturnType<typeof fixture>[number]]
      expect(cline.resume(session, environment)).toEqual({
        ...{ words: ['cline', '-i', '--id='], id: session.id, variables: pointed },
        directories: ['/home/ann/garden'],
      })
    }
    for (const given of [join(folder, 'ended'), join(folder, 'ended/.cline'), data])
      expect(artifactsIn({ home: '/nowhere', variables: {}, dirs: { cline: [given] } })).toHaveLength(1)
  })
})
