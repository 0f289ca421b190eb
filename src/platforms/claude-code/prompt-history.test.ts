import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fixture,
  fixtureRoot,
  humanWords,
  readableItem,
  readFixture,
  rootAt,
} from '../../../test/claude-code-fixtures.ts'
import { temporaryHome } from '../../../test/records.ts'
import { keep, storedContent } from '../../../test/stores.ts'
import { IN_MEMORY, openSqliteStore } from '../../store/sqlite/open.ts'
import { readSession, readSlices } from '../../sync/read/read-session.ts'
import { discover } from './discover.ts'
import { typedForms } from './prompt-history.ts'

const NAME = 'side-question-in-history'

describe('side questions that only the prompt history contains', () => {
  it('are shown where they were asked, and the last one after all messages', () => {
    expect(readFixture(NAME)).toEqual([
      'human: warm the pot',
      'human (side question): /btw is it hot?',
      'human (side question): /btw and how hot?',
      'agent: Warm.',
      'human: pour it',
      'agent: Poured.',
      'human (side question): /btw what is / left?',
    ])
  })

  it('are shown once if a version also writes a transcript of them', () => {
    expect(humanWords(NAME, 1)).toEqual(['count the cups'])
    expect(humanWords(NAME, 2)).toEqual(['which cups?'])
  })

  it('are the same in slices', () => {
    const [artifact] = fixture(NAME)
    const whole = readFixture(NAME)
    const slices = [...readSlices(artifact!, { slice: 1 })].flatMap(({ items }) => items)
    expect(slices.map(readableItem)).toEqual(whole)
    expect(readSession(artifact!).session.human).toBe(5)
  })

  it('are found if only the history grew, and stay where they are if the transcript grows', () => {
    const claude = join(temporaryHome(), '.claude')
    cpSync(fixtureRoot(NAME).path, claude, { recursive: true })
    const found = () => discover(rootAt(claude)).artifacts.find(({ sessionId }) => sessionId.endsWith('21'))!
    const { store } = openSqliteStore(IN_MEMORY, 0)
    keep(store, found())
    const before = found().besideMs
    const [session, at] = [found().sessionId, Date.parse('2026-11-20T10:00:00Z')]
    const line = {
      display: '/btw who drinks it?',
      timestamp: at,
      project: '/srv/eastore',
      sessionId: session,
    }
    appendFileSync(join(claude, 'history.jsonl'), `${JSON.stringify(line)}\n`)
    expect(found().besideMs).toBeGreaterThan(before!)
    const words = () =>
      storedContent(store, found().path).messages.flatMap(({ who, text }) => (who === 'human' ? [text] : []))
    keep(store, found())
    expect(words().slice(-2)).toEqual(['/btw what is\nleft?', '/btw who drinks it?'])
    const later = { type: 'user', message: { role: 'user', content: 'we all' }, uuid: 'later-1' }
    appendFileSync(found().path, `${JSON.stringify({ ...later, timestamp: '2026-11-20T10:00:05Z' })}\n`)
    keep(store, found())
    expect(words().slice(-2)).toEqual(['/btw who drinks it?', 'we all'])
    store.close()
  })
})

it('a prompt has the forms in which a transcript may have it: as words, or as a command', () => {
  const forms = (display: string): string[] => typedForms({ display })
  expect(forms('Turn the soil')).toEqual(['Turn the soil'])
  expect(forms('! ls -la beds')).toEqual(['! ls -la beds', '<bash-input>ls -la beds</bash-input>'])
  expect(forms('/review the moss')).toContain(
    '<command-name>/review</command-name> <command-message>review</command-message> <command-args>the moss</command-args>',
  )
  expect(forms('/compact')).toEqual([])
})
