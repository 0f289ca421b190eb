import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Artifact, Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { netChanges } from '../../sync/read/net-changes.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { readSpawns } from '../../sync/read/read-spawns.ts'
import { kimiCode } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/kimi-code')
const id = (number: number): string => `session_b2000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function artifactsIn(home: string, variables: Environment['variables'] = {}): Artifact[] {
  const environment = { home, variables }
  return kimiCode.files
    .roots(environment)
    .filter(({ found }) => found)
    .flatMap((root) => kimiCode.files.discover(root, environment).artifacts)
}

/** The sessions of a home by their ids. */
const sessionsIn = (home: string, variables: Environment['variables'] = {}) =>
  new Map(artifactsIn(home, variables).map((artifact) => [artifact.sessionId, readSession(artifact)]))
const fixture = (name: string) => sessionsIn(join(folder, name))
const shown = (name: string): Record<string, string[]> =>
  Object.fromEntries([...fixture(name)].map(([session, { items }]) => [session, items.map(readableItem)]))

describe('a session of Kimi Code', () => {
  it('has answers to the agent, why a person rejected a call, and the hook that makes the agent go on', () => {
    expect(shown('asked')).toMatchInlineSnapshot(`
      {
        "session_b2000000-0000-4000-8000-000000000061": [
          "human: Clear the old pots.",
          "agent: I have a question.",
          "tool: AskUserQuestion Which pot goes?",
          "human (answer): The cracked one. / Green",
          "agent: It is gone.",
          "program (hook): Count the pots, too.",
          "agent: Nine.",
          "human: And the others?",
          "agent: I remove them.",
          "human (answer): Keep the blue one.",
          "tool: Bash rm -rf pots",
          "marker: · denial (Bash rm -rf pots)",
          "tool: Bash rm -rf shed",
          "marker: · denial (Bash rm -rf shed)",
          "agent: They stay.",
        ],
      }
    `)
  })

  it('has prompts once, which stand in three records, and replies, which stand in two', () => {
    expect(shown('words')).toMatchInlineSnapshot(`
      {
        "session_b2000000-0000-4000-8000-000000000001": [
          "human: Which fern is dry?",
          "agent: I look at the list.",
          "tool: Bash cat ferns.csv",
          "tool: Read /home/ann/garden/wet.csv",
          "error: (Read /home/ann/garden/wet.csv) "/home/ann/garden/wet.csv" does not exist.",
          "tool: Bash test -f moss",
          "error: (Bash test -f moss) no moss here",
          "tool: Bash rm ferns.csv",
          "marker: · denial (Bash rm ferns.csv)",
          "agent: The one at the wall.",
          "human: <system-reminder>The gate is open</system-reminder> Who says so?",
          "agent: You.",
          "human: And be short.",
          "human: /review the moss",
          "agent: Done.",
          "human: !ls < pots",
          "error: (Bash) pots: No such file",
          "program (notification): The watering has ended.",
          "agent: Good.",
          "human: Look at this. [image]",
          "marker: · retry 429 Slow down.",
          "error: 400 The picture is too large.",
          "human: Count slowly.",
          "agent: One. Tw",
          "marker: · interruption",
        ],
      }
    `)
  })

  it('has the figures of each request once, which stand in three records, and the model of the request', () => {
    const { session } = fixture('words').get(id(1))!
    expect(session).toMatchObject({ title: 'Dry ferns', model: 'fern-1', cwds: [['/home/ann/garden', 1]] })
    expect(session.usage).toEqual({
      ...{ input: 100 + 40 + 10 + 11 + 12, output: 20 + 8 + 2 + 2 + 2 },
      ...{ cacheRead: 60 + 90 + 100, cacheWrite: 5 },
    })
  })

  it('has the usage of each request of a compaction, whose scope is called the session', () => {
    expect(shown('compacted')).toMatchInlineSnapshot(`
      {
        "session_b2000000-0000-4000-8000-000000000021": [
          "human: How many pots?",
          "agent: Nine.",
          "marker: · compaction a summary of 20 characters",
          "human: And how many are blue?",
          "agent: Four.",
        ],
      }
    `)
    expect(fixture('compacted').get(id(21))!.session.usage).toMatchObject({ input: 20 + 30 + 31 + 22 })
  })

  it('is called as its model called it, and not after the first prompt', () => {
    expect(fixture('compacted').get(id(21))!.session.title).toBe('Blue pots counted')
  })

  it('has what a person took back as an abandoned branch, whose tokens count', () => {
    expect(shown('undone')).toMatchInlineSnapshot(`
      {
        "session_b2000000-0000-4000-8000-000000000011": [
          "human: Name the garden.",
          "agent: How?",
          "human (abandoned): Moss Court.",
          "agent (abandoned): Moss Court it is.",
          "human: Fern Court.",
          "agent: It is.",
        ],
      }
    `)
    expect(fixture('undone').get(id(11))!.session.usage).toMatchObject({ input: 39 })
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      {
        "session_b2000000-0000-4000-8000-000000000031": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        "session_b2000000-0000-4000-8000-000000000032": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
        "session_b2000000-0000-4000-8000-000000000033": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
          "human: Glue it.",
          "agent: Glued.",
        ],
      }
    `)
    const facts = [...fixture('forked').values()].map(({ session }) => [
      session.parentSessionId,
      session.usage?.input,
    ])
    expect(facts).toEqual([
      [undefined, 75],
      [id(31), 30 + 44],
      [id(32), 30 + 44 + 50],
    ])
  })

  it('has subagents of its own, whose usage the parent states once more', () => {
    expect(shown('subagents')).toMatchInlineSnapshot(`
      {
        "agent-0.session_b2000000-0000-4000-8000-000000000041": [
          "program (subagent): Count the blue pots.",
          "tool: Bash ls pots | wc -l",
          "agent: Four.",
        ],
        "session_b2000000-0000-4000-8000-000000000041": [
          "human: Count the pots with a helper.",
          "agent: A helper counts.",
          "tool: Agent count pots",
          "agent: Four.",
        ],
      }
    `)
    const found = fixture('subagents')
    expect(found.get(`agent-0.${id(41)}`)!.session).toMatchObject({
      ...{ kind: 'subagent', parentSessionId: id(41), subagent: { type: 'coder' } },
      usage: { input: 16, output: 5 },
    })
    expect(found.get(id(41))!.session.usage).toMatchObject({ input: 190, output: 14 })
  })

  it('says by the results of its calls how its subagents ended', () => {
    const parent = artifactsIn(join(folder, 'subagents')).find(({ sessionId }) => sessionId === id(41))!
    expect(readSpawns(parent)).toMatchObject([
      { callId: 'call_h', prompt: 'Count the blue pots.' },
      { callId: 'call_h', status: 'ok' },
    ])
    const { spawns } = kimiCode.subagents!
    const result = (output: string, isError?: boolean) =>
      spawns({ event: { type: 'tool.result', toolCallId: 'c', result: { output, isError } } })
    expect(result('agent_id: agent-1\nstatus: running\n')).toEqual([{ callId: 'c', status: 'running' }])
    expect(result('agent_id: agent-1\n\nstatus: completed\n')).toEqual([])
    expect(result('No such agent.', true)).toEqual([{ callId: 'c', status: 'error' }])
  })

  it('has what became of a task in the background, which no record of a prompt repeats, without its frame', () => {
    expect(shown('background')).toMatchInlineSnapshot(`
      {
        "session_b2000000-0000-4000-8000-000000000061": [
          "human: Water the ferns and keep a log.",
          "tool: Write /home/ann/garden/log.txt",
          "tool: Write /home/ann/garden/log.txt",
          "tool: Bash water",
          "program (notification): Title: Background process completed / The watering has ended.",
          "agent: All ferns are wet.",
          "tool: Bash water pots",
          "error: (Bash water pots) Command killed by timeout (60s)",
        ],
      }
    `)
  })

  it('changes a file at its end by a call that appends', () => {
    const artifact = artifactsIn(join(folder, 'background'))[0]!
    const [file] = netChanges(fileEdits(artifact).map((edit) => ({ ...edit, session: 'one' })))
    expect(file).toMatchObject({
      edits: 2,
      pieces: [{ before: '', after: 'ferns: begun\nferns: watered\n' }],
    })
  })

  it('has a malformed line and unknown records where they are', () => {
    const { session, items } = fixture('damaged').get(id(51))!
    expect(items.map(readableItem)).toEqual(['human: Is it torn?', 'agent: A little.'])
    expect(session.accounting).toMatchObject({ malformed: 1, unknown: { leafage: 1 } })
  })

  it('is resumed by its id in the folder that a variable names, unless it is a subagent', () => {
    const environment = {
      home: '/nowhere',
      variables: { KIMI_CODE_HOME: join(folder, 'subagents/.kimi-code') },
    }
    const found = sessionsIn('/nowhere', environment.variables)
    expect(kimiCode.resume(found.get(id(41))!.session, environment)).toEqual({
      ...{ words: ['kimi', '--session='], id: id(41), variables: {} },
      directories: ['/home/ann/garden'],
    })
    expect(kimiCode.resume(found.get(`agent-0.${id(41)}`)!.session, environment)).toEqual({
      impossible: `a subagent can only be resumed in its parent: ${id(41)}`,
    })
  })
})
