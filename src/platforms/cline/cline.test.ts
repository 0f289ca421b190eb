import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { netChanges } from '../../sync/read/net-changes.ts'
import { createDetails } from '../../sync/read/read-detail.ts'
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
  it('has what a person answered to the agent, and no answer that the client gave where nobody was', () => {
    expect(shown('asked')).toMatchInlineSnapshot(`
      [
        [
          "human: Clear the old pots.",
          "agent: I ask.",
          "tool: ask_question Which pot goes?",
          "human (answer): The cracked one.",
          "agent: It goes.",
        ],
        [
          "human: Clear the shed.",
          "agent: I ask.",
          "tool: ask_question Which pot goes?",
          "agent: It goes.",
        ],
      ]
    `)
  })

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

  it('says by the results of its calls how its subagents ended', () => {
    const { spawns } = cline.subagents!
    const result = (content: string, is_error?: boolean) =>
      spawns({ content: [{ type: 'tool_result', name: 'spawn_agent', tool_use_id: 'c', content, is_error }] })
    expect(result('{"text":"Six.","finishReason":"completed"}')).toEqual([{ callId: 'c', status: 'ok' }])
    expect(result('{"text":"","finishReason":"aborted"}')).toEqual([{ callId: 'c', status: 'aborted' }])
    expect(result('{"success":false,"error":"no model"}')).toEqual([{ callId: 'c', status: 'error' }])
    expect(result('rain', true)).toEqual([{ callId: 'c', status: 'error' }])
    expect(result('Six.')).toEqual([])
  })

  it('has the tasks of teammates, without what was copied from the task before', () => {
    expect(shown('teammates')).toMatchInlineSnapshot(`
      [
        [
          "human: Let Ben count.",
          "tool: team_spawn_teammate ben.r",
          "tool: team_run_task Count the ferns.",
          "tool: team_run_task And the pots?",
          "agent: Six ferns, nine pots.",
        ],
        [
          "program (subagent): Count the ferns.",
          "tool: run_commands ls ferns",
          "agent: Six.",
        ],
        [
          "program (subagent): And the pots?",
          "agent: Nine.",
        ],
      ]
    `)
    const found = fixture('teammates')
    const [parent] = found.filter(({ session }) => session.kind !== 'subagent')
    const [first, second] = found.filter(({ session }) => session.kind === 'subagent')
    const id = (task: string): string => `${parent!.session.id}__teamtask__ben.r__${task}`
    const common = { parentSessionId: parent!.session.id, subagent: { type: 'ben.r' } }
    expect(first!.session).toMatchObject({ ...common, id: id('0b8-xu'), usage: { input: 27 } })
    expect(second!.session).toMatchObject({ ...common, id: id('mR_MVe'), usage: { input: 15 } })
    expect(readSpawns(parent!.artifact)).toMatchObject([
      { callId: 'call_t', prompt: 'Count the ferns.' },
      { callId: 'call_u', prompt: 'And the pots?' },
    ])
    const { fileOf } = cline.delivery
    const unpacked = [first!, second!].map(({ session }) => fileOf!('', 'transcript', session.id))
    expect(unpacked.map((path) => path!.join('/'))).toEqual([
      'sessions/1794129970000_moss51/ben.r__0b8-xu.jsonl',
      'sessions/1794129970000_moss51/ben.r__mR_MVe.jsonl',
    ])
  })

  it('has all of a task of a teammate if the one that it goes on from is gone', () => {
    const home = copyOf('teammates')
    const second = () => sessionsIn(home).find(({ session }) => session.id.endsWith('mR_MVe'))!
    expect(second().items).toHaveLength(2)
    rmSync(join(second().artifact.path, '../ben.r__0b8-xu.messages.json'))
    expect(second().items).toHaveLength(5)
  })

  it('knows of an outcome that is text, of labels, and of a command in words of its own', () => {
    expect(shown('outcomes')).toMatchInlineSnapshot(`
      [
        [
          "human: List the pots.",
          "tool: editor /home/ann/garden/pots.txt",
          "tool: editor /home/ann/garden/pots.txt",
          "error: (editor /home/ann/garden/pots.txt) Editor operation failed: No replacement performed: multiple occurrences of text found in /home/ann/garden/pots.txt.",
          "tool: editor /home/ann/garden/pots.txt",
          "tool: run_commands cat moss -n",
          "tool: run_commands cat fern; cat moss",
          "tool: read_files",
          "error: (run_commands cat moss -n) cat: moss: no such file",
          "error: (run_commands cat fern; cat moss) cat: moss: no such file",
          "error: (read_files) ✖ Invalid input",
          "agent: Four pots.",
        ],
      ]
    `)
  })

  it('has the names of mentioned files, results that a server calls an error, and what is not text in others', () => {
    const [{ artifact }] = fixture('servers') as [ReturnType<typeof fixture>[number]]
    const { items } = readSession(artifact, { keep: 'full' })
    expect(items.filter(({ holds }) => holds !== 'input').map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Look at @reed.png and @pond.pdf [reed.png pond.pdf]",
        "tool (output): well_pump__draw_0a1b2c3d tin",
        "tool (output): well_pump__pour_1b2c3d4e tin",
        "error: (well_pump__pour_1b2c3d4e tin) The bucket leaks",
        "tool (output): read_files /home/ann/garden/reed.png",
        "agent: It leaks.",
      ]
    `)
    const details = createDetails(artifact)
    onTestFinished(() => details.close())
    const outputs = items.filter(({ holds }) => holds === 'output').map(details.of)
    expect(outputs.slice(1)).toEqual([
      '[image]\nThe bucket leaks\nat its seam',
      'Successfully read image\n[image]',
    ])
  })

  it('believes no change that failed, and knows new files, and lines that were inserted as the client does', () => {
    const [{ artifact }] = fixture('outcomes') as [ReturnType<typeof fixture>[number]]
    const edits = fileEdits(artifact).map((edit) => ({ ...edit, session: 'a' }))
    expect(netChanges(edits)).toMatchObject([
      { edits: 2, whole: { first: null, last: 'blue\nwhite\n\nred\nblue\n' } },
    ])
    // Without the state before, it is lines as well.
    expect(netChanges(edits.slice(1))).toMatchObject([{ pieces: [{ before: '', after: 'white\n\n' }] }])
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
