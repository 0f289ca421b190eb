import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { qwenCode } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/qwen-code')
const id = (number: number): string => `a1000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** The sessions of a home by their ids. */
function sessionsIn(home: string, variables: Environment['variables'] = {}) {
  const environment = { home, variables }
  const artifacts = qwenCode.files
    .roots(environment)
    .filter(({ found }) => found)
    .flatMap((root) => qwenCode.files.discover(root, environment).artifacts)
  return new Map(artifacts.map((artifact) => [artifact.sessionId, readSession(artifact)]))
}
const fixture = (name: string) => sessionsIn(join(folder, name))
const shown = (name: string): Record<string, string[]> =>
  Object.fromEntries([...fixture(name)].map(([session, { items }]) => [session, items.map(readableItem)]))

describe('a session of Qwen Code', () => {
  it('has what a person typed as they typed it, calls, and failures that no status tells', () => {
    expect(shown('words')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000001": [
          "human: Which fern is dry?",
          "agent: I look at the list.",
          "tool: run_shell_command cat ferns.csv",
          "tool: read_file /home/ann/garden/wet.csv",
          "error: (read_file /home/ann/garden/wet.csv) File not found: /home/ann/garden/wet.csv",
          "tool: run_shell_command test -f moss.csv",
          "tool: read_file /home/ann/garden/log.txt",
          "tool: write_file /home/ann/garden/new.txt",
          "error: (run_shell_command test -f moss.csv) no moss here",
          "marker: · denial (write_file /home/ann/garden/new.txt)",
          "agent: The one at the wall.",
          "human: <system-reminder>The gate is open</system-reminder> Who says so?",
          "agent: You",
          "marker: · local-command /rename Dry ferns",
          "human: Read @ferns.csv please",
          "error: 400 The list is too long.",
          "program (notification): The watering has ended.",
          "agent: Good.",
        ],
      }
    `)
  })

  it('has each reply and each request of the client once, although both are recorded twice', () => {
    const { session } = fixture('words').get(id(1))!
    expect(session).toMatchObject({ title: 'Dry ferns', version: '0.24.4', branches: ['main'] })
    expect(session.usage).toEqual({ input: 360, output: 45, cacheRead: 450, cacheWrite: 0, reasoning: 5 })
  })

  it('has the summary of a compaction and both of its requests, and what was asked for it after it ended', () => {
    expect(shown('cleared')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000011": [
          "human: Name the pond.",
          "agent: Moss Pond.",
          "marker: · compaction a summary of 22 characters",
          "human: Is it deep?",
          "agent: Two feet.",
        ],
        "a1000000-0000-4000-8000-000000000012": [
          "human: Name the hedge.",
          "agent: Thorn Row.",
        ],
      }
    `)
    const usages = [...fixture('cleared').values()].map(({ session }) => session.usage?.input)
    expect(usages).toEqual([50 + 61 + 62 + 70, 80 + 40])
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000021": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        "a1000000-0000-4000-8000-000000000022": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
      }
    `)
    expect(fixture('forked').get(id(22))!.session).toMatchObject({
      parentSessionId: id(21),
      usage: { input: 30 + 35 + 44 },
      forked: true,
    })
  })

  it('leads to the call that started it, and has the usage of replies that are two records', () => {
    const found = fixture('subagents')
    expect(shown('subagents')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000031": [
          "human: Count the pots with a helper.",
          "agent: A helper counts.",
          "tool: agent count pots",
          "agent: Four.",
        ],
        "general-purpose-call_h": [
          "program (subagent): Count the blue pots.",
          "tool: run_shell_command ls pots | wc -l",
          "agent: Four.",
        ],
      }
    `)
    expect(found.get('general-purpose-call_h')!.session).toMatchObject({
      kind: 'subagent',
      parentSessionId: id(31),
      parentCallId: 'call_h',
      subagent: { type: 'general-purpose', description: 'count pots' },
      usage: { input: 46, output: 5 },
    })
    expect(found.get(id(31))!.session.usage).toMatchObject({ input: 190, output: 14 })
  })

  it('has what was taken back as an abandoned branch', () => {
    expect(shown('rewound')).toMatchInlineSnapshot(`
      {
        "a1000000-0000-4000-8000-000000000041": [
          "human: Name the garden.",
          "agent: How?",
          "human (abandoned): Moss Court.",
          "agent (abandoned): Moss Court it is.",
          "human: Fern Court.",
          "agent: It is.",
        ],
        "a1000000-0000-4000-8000-000000000042": [
          "human (abandoned): Name the shed.",
          "agent (abandoned): Old Shed.",
        ],
      }
    `)
  })

  it('belongs to the directory in its records, which shares its folder with others', () => {
    const places = [...fixture('one-folder').values()].map(({ session }) => session.cwds[0]![0])
    expect(places).toEqual(['/home/ann/bee log', '/home/ann/bee-log', '/home/ann/bee.log'])
  })

  it('has a malformed line and unknown records where they are', () => {
    const { session, items } = fixture('damaged').get(id(61))!
    expect(items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: Is it torn?",
        "agent: A little.",
        "marker: · note a block of unknown kind, leafage",
      ]
    `)
    expect(session.accounting).toMatchObject({ malformed: 1, unknown: { 'system:leafage': 1 } })
  })

  it('is resumed by its id in the folder that a variable names, unless it is a subagent', () => {
    const environment = { home: '/nowhere', variables: { QWEN_HOME: join(folder, 'subagents/.qwen') } }
    const found = sessionsIn('/nowhere', environment.variables)
    expect(qwenCode.resume(found.get(id(31))!.session, environment)).toEqual({
      words: ['qwen', '--resume='],
      id: id(31),
      variables: {},
      directories: ['/home/ann/garden'],
    })
    expect(qwenCode.resume(found.get('general-purpose-call_h')!.session, environment)).toEqual({
      impossible: `a subagent can only be resumed in its parent: ${id(31)}`,
    })
  })
})
