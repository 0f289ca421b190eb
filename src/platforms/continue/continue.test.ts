import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import type { Artifact, Environment } from '../../model/artifact.ts'
import { fileEdits } from '../../sync/read/file-edits.ts'
import { createDetails } from '../../sync/read/read-detail.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { ownUsage } from './copies.ts'
import { continueCli } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/continue')
const id = (number: number): string => `c3000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function artifactsIn(environment: Environment) {
  return continueCli.files
    .roots(environment)
    .filter(({ found }) => found)
    .flatMap((root) => continueCli.files.discover(root, environment).artifacts)
}

/** The sessions of a home by their ids. */
const sessionsIn = (home: string, variables: Environment['variables'] = {}) =>
  new Map(artifactsIn({ home, variables }).map((artifact) => [artifact.sessionId, readSession(artifact)]))
const fixture = (name: string) => sessionsIn(join(folder, name))
const shown = (name: string): Record<string, string[]> =>
  Object.fromEntries([...fixture(name)].map(([session, { items }]) => [session, items.map(readableItem)]))

describe('a session of Continue', () => {
  it('has what a person typed or chose when the agent asked, as theirs', () => {
    expect(shown('asked')).toMatchInlineSnapshot(`
      {
        "c3000000-0000-4000-8000-000000000071": [
          "human: Clear the old pots.",
          "agent: I have questions.",
          "tool: AskQuestion Which pot goes?",
          "tool: AskQuestion Which colour?",
          "tool: AskQuestion How deep?",
          "human (answer): The cracked one.",
          "human (answer): Green",
          "human (answer): Knee "deep".",
          "agent: I look at it.",
          "tool: camera_show pot",
          "agent: It is gone.",
        ],
      }
    `)
  })

  it('names a picture that a tool returned, in the place of its bytes', () => {
    const [artifact] = artifactsIn({ home: join(folder, 'asked'), variables: {} }) as [Artifact]
    const { items } = readSession(artifact, { keep: 'full' })
    const outputs = items.filter(({ holds }) => holds === 'output')
    const details = createDetails(artifact)
    expect(outputs.map((item) => details.of(item))).toMatchInlineSnapshot(`
      [
        "User answered: "The cracked one."",
        "User selected option 2: "Green"",
        "User provided custom answer: "Knee "deep"."",
        "A cracked pot
      [image]",
      ]
    `)
    details.close()
  })

  it('has words, calls with what the client keeps of their ends, and denials', () => {
    expect(shown('words')).toMatchInlineSnapshot(`
      {
        "c3000000-0000-4000-8000-000000000001": [
          "human: Which fern is dry?",
          "agent: I look at the list.",
          "tool: Bash cat ferns.csv",
          "tool: Read /home/ann/garden/wet.csv",
          "tool: Bash test -f moss",
          "tool: Bash rm ferns.csv",
          "tool: Bash rm -rf /",
          "error: (Read /home/ann/garden/wet.csv) File does not exist: wet.csv",
          "error: (Bash test -f moss) Error (exit code 3): no moss here",
          "marker: · denial (Bash rm ferns.csv)",
          "error: (Bash rm -rf /) Command blocked by security policy",
          "agent: The one at the wall.",
          "human: <system-reminder>The gate is open</system-reminder> Who says so? [image]",
          "agent: You.",
        ],
        "c3000000-0000-4000-8000-000000000002": [
          "human: How deep is the pond?",
          "agent: Two feet.",
        ],
      }
    `)
  })

  it('has the commands that a person typed as theirs, and not among the calls of the agent', () => {
    expect(shown('typed')[id(51)]).toEqual([
      'human: Count the pots',
      'tool: Bash ls pots',
      'agent: One.',
      'human: !cat pots',
      'human: !cat moss',
      'error: (Bash) Error (exit code 1): no moss here',
    ])
    expect(fixture('typed').get(id(51))!.session).toMatchObject({ toolCalls: 1, errors: 1 })
  })

  it('has the input without the cache, whose meaning differs between providers', () => {
    const found = fixture('words')
    expect(found.get(id(1))!.session).toMatchObject({
      ...{ title: 'Dry ferns', model: 'fern-1', cwds: [['/home/ann/garden', 1]] },
      usage: { input: 40 + 40 + 10, output: 30, cacheRead: 300, cacheWrite: 0, reasoning: 5 },
    })
    expect(found.get(id(2))!.session).toMatchObject({
      ...{ title: 'How deep is the pond?', cwds: [['/home/ann/old garden', 1]] },
      usage: { input: 12, output: 3, cacheRead: 40, cacheWrite: 7 },
    })
  })

  it('has no time but that of its beginning, which the list of sessions has', () => {
    const { session, items } = fixture('words').get(id(1))!
    expect([session.startedMs, session.lastActivityMs]).toEqual([1_794_214_860_000, 1_794_214_860_000])
    expect(items.every(({ at }) => at === undefined)).toBe(true)
  })

  it('has the summary of a compaction, and what was used before and for it', () => {
    expect(shown('compacted')).toMatchInlineSnapshot(`
      {
        "c3000000-0000-4000-8000-000000000011": [
          "marker: · compaction a summary of 20 characters",
          "human: And how many are blue?",
          "agent: Four.",
        ],
      }
    `)
    expect(fixture('compacted').get(id(11))!.session.usage).toMatchObject({ input: 73, output: 9 })
  })

  it('has in a fork all that was said, as its client shows it, and leads to its original, which its total tells', () => {
    expect(shown('forked')).toMatchInlineSnapshot(`
      {
        "c3000000-0000-4000-8000-000000000021": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the red one?",
          "agent: Taken.",
        ],
        "c3000000-0000-4000-8000-000000000022": [
          "human: Which pot is free?",
          "agent: The blue one.",
          "human: And the green one?",
          "agent: Cracked.",
        ],
      }
    `)
    const found = fixture('forked')
    expect(found.get(id(22))!.session).toMatchObject({ parentSessionId: id(21), usage: { input: 74 } })
    expect(found.get(id(21))!.session.usage).toMatchObject({ input: 75 })
  })

  it('knows that a file which it wrote is new', () => {
    const [artifact] = artifactsIn({ home: join(folder, 'tokens'), variables: {} })
    expect(fileEdits(artifact!)).toMatchObject([{ path: '/home/ann/garden/pots.txt', original: null }])
  })

  it('has the input without the cache in each form of a provider, and the whole cost', () => {
    const { session } = fixture('tokens').get(id(41))!
    expect(session.usage).toMatchObject({
      ...{ input: 500 + 600 + 700 + 800, cacheRead: 3000 + 4000 + 5000, cost: 0.015332 },
    })
  })

  it('has a malformed line for a document that is damaged, and unknown entries where they are', () => {
    const found = fixture('damaged')
    expect(found.get(id(31))!.session.accounting.unknown).toEqual({ '(untyped)': 1, 'message:leafage': 1 })
    expect(found.get(id(32))!.session.accounting.malformed).toBe(1)
  })

  it('goes on in a copy, in the folder that a variable names', () => {
    const environment = {
      home: '/nowhere',
      variables: { CONTINUE_GLOBAL_DIR: join(folder, 'forked/.continue') },
    }
    const { session } = sessionsIn('/nowhere', environment.variables).get(id(21))!
    expect(continueCli.resume(session, environment)).toEqual({
      ...{ words: ['cn', '--fork='], id: id(21), variables: {} },
      directories: ['/home/ann/garden'],
    })
  })
})

describe('what a session used itself', () => {
  const reply = (prompt_tokens: number): object => ({ message: { usage: { prompt_tokens } } })
  const total = (promptTokens: number): Record<string, unknown> => ({ promptTokens, completionTokens: 0 })

  it('is what its total leaves of the latest replies', () => {
    expect(ownUsage([reply(5), {}, reply(6), reply(7)], total(13))).toEqual({ copied: 1 })
    expect(ownUsage([reply(5), reply(6)], total(20))).toMatchObject({
      ...{ copied: 0, further: { prompt_tokens: 9, completion_tokens: 0 } },
    })
  })

  it('is all of it if there is no total, as in documents of editors', () => {
    expect(ownUsage([reply(5)], undefined)).toEqual({ copied: 0 })
    expect(ownUsage([reply(5)], total(0))).toEqual({ copied: 0 })
  })
})
