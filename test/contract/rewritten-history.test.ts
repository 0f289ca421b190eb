import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Artifact, Environment } from '../../src/model/artifact.ts'
import { discover } from '../../src/platforms/openclaw/discover.ts'
import { openclaw, putOpenclaw, temporaryHome, text } from '../records.ts'
import { fileContent, keep, storedContent } from '../stores.ts'
import { namedEngines } from './engines.ts'

/** One turn. A copy has the same text and time, but other ids. */
const asked = (words: string, at: number) => ({ role: 'user', content: [text(words)], timestamp: at })
const answered = (words: string, responseId: string) => ({
  role: 'assistant',
  stopReason: 'stop',
  model: 'gpt-6',
  responseId,
  content: [text(words)],
})
const record = (id: string, parentId: string | null, message: object) => ({
  ...openclaw.message(1, {}),
  id,
  parentId,
  message,
})

const turn = (name: string, parent: string | null) => [
  record(`${name}-1`, parent, asked('water it', 1000)),
  record(`${name}-2`, `${name}-1`, answered('Watered.', 'resp_1')),
]
/** A history whose first turn was rewritten as another branch, which then continued. */
const REWRITTEN = [
  openclaw.header('moss'),
  record('start', null, asked('good morning', 500)),
  ...turn('once', 'start'),
  ...turn('again', 'start'),
  record('next', 'again-2', asked('and the fern', 2000)),
]

function artifactOf(lines: readonly object[]): Artifact {
  const home = temporaryHome()
  putOpenclaw(home, 'moss.jsonl', lines)
  const root = { platform: 'openclaw', path: join(home, '.openclaw'), reason: 'test', found: true } as const
  const environment: Environment = { home, variables: {} }
  return discover(root, environment).artifacts[0]!
}
const words = ({ messages }: ReturnType<typeof fileContent>) =>
  messages.map(({ who, text }) => `${who}: ${text}`)

describe('a history that was rewritten in the same file', () => {
  it('is shown once, without an abandoned branch', () => {
    const expected = fileContent(artifactOf(REWRITTEN))
    expect(words(expected)).toEqual([
      'human: good morning',
      'human: water it',
      'agent: Watered.',
      'human: and the fern',
    ])
    expect(expected.messages.filter(({ offBranch }) => offBranch)).toEqual([])
    expect(expected.session).toMatchObject({ human: 3, agentMessages: 1 })
  })

  it.each(namedEngines)('is the same on %s wherever the reading was interrupted', (_, engine) => {
    const expected = fileContent(artifactOf(REWRITTEN))
    for (let slice = 50; slice < 1500; slice += 150) {
      const store = engine.open()
      const artifact = artifactOf(REWRITTEN)
      keep(store, artifact, { slice })
      expect(words(storedContent(store, artifact.path))).toEqual(words(expected))
      store.close()
    }
  })

  it('retains a message that somebody sent twice', () => {
    const twice = [...REWRITTEN, record('more', 'next', asked('water it', 3000))]
    expect(words(fileContent(artifactOf(twice))).filter((each) => each === 'human: water it')).toHaveLength(2)
  })

  it('shows a turn as abandoned if no copy of it was continued', () => {
    const left = [...REWRITTEN.slice(0, 4), record('other', 'start', asked('dry it', 2000))]
    const off = fileContent(artifactOf(left)).messages.filter(({ offBranch }) => offBranch)
    expect(off.map(({ text }) => text)).toEqual(['water it', 'Watered.'])
  })
})
