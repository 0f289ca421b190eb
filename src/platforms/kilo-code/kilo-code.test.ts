import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import { writeKiloCodeFixtures } from '../../../test/opencode-fixtures.ts'
import type { Environment } from '../../model/artifact.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { kiloCode } from './index.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/kilo-code')

function sessionsIn(environment: Environment) {
  const artifacts = kiloCode.files
    .roots(environment)
    .filter(({ found }) => found)
    .flatMap((root) => kiloCode.files.discover(root, environment).artifacts)
  return new Map(artifacts.map((artifact) => [artifact.sessionId, readSession(artifact)]))
}

const words = { home: join(folder, 'words'), variables: {} }

it('a session of Kilo Code has what was typed, without the quotes of `kilo run` and what the client adds', () => {
  const found = sessionsIn(words)
  expect(found.get('ses_kilo1')!.items.map(readableItem)).toMatchInlineSnapshot(`
    [
      "human: Which "moss" is wet?",
      "agent: I look.",
      "tool: bash cat moss.csv",
      "error: (bash cat moss.csv) none",
      "human: Also the fern.",
      "agent: Both are dry.",
      "marker: · compaction a summary of 11 characters",
      "human: And the pond?",
      "agent: <system-reminder> is a tag.",
      "human: <system-reminder>Keep this</system-reminder> as I typed it.",
      "agent: I keep it.",
    ]
  `)
  expect(found.get('ses_kilo1')!.session).toMatchObject({
    platform: 'kilo-code',
    agent: 'kilo',
    version: '7.8.1',
  })
  expect(found.get('ses_kilo2')!.session).toMatchObject({ kind: 'subagent', parentSessionId: 'ses_kilo1' })
  expect(found.get('prompt-history')!.items.map(readableItem)).toEqual(['human: Who left the gate open?'])
})

it('has prompts of programs where a time that the agent set, or something in the background, began a turn', () => {
  const { items, session } = sessionsIn(words).get('ses_kilo3')!
  expect(items.map(readableItem)).toMatchInlineSnapshot(`
    [
      "human: Wake up at nine.",
      "agent: I will.",
      "program (wakeup): [scheduled wakeup] Look at the pots /  / (No user is present. You scheduled this wakeup yourself.)",
      "agent: They are warm.",
      "program (notification): Background task completed: Count pots / Seven pots.",
      "agent: Seven.",
      "agent: I have none.",
    ]
  `)
  expect(session).toMatchObject({ kind: 'human', human: 1 })
})

it('is resumed by its own program, where a variable names its folder, too', () => {
  const environment = { home: '/nowhere', variables: { XDG_DATA_HOME: join(folder, 'words/.local/share') } }
  const { session } = sessionsIn(environment).get('ses_kilo1')!
  expect(kiloCode.resume(session, environment)).toMatchObject({
    words: ['kilo', '--session='],
    id: 'ses_kilo1',
    variables: {},
  })
})

it('is found by the database that a variable names', () => {
  const path = join(folder, 'words/.local/share/kilo/kilo.db')
  expect([...sessionsIn({ home: '/nowhere', variables: { KILO_DB: path } }).keys()]).toEqual([
    'ses_kilo1',
    'ses_kilo2',
    'ses_kilo3',
  ])
})

it('the database in the fixtures is the one that its script writes', () => {
  const made = mkdtempSync(join(tmpdir(), 'scrollback-kilo-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  writeKiloCodeFixtures(made)
  const [own, written] = [folder, made].map((at) => {
    const database = new DatabaseSync(join(at, 'words/.local/share/kilo/kilo.db'), { readOnly: true })
    const rows = ['session', 'message', 'part'].map((table) =>
      database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all(),
    )
    database.close()
    return rows
  })
  expect(own).toEqual(written)
})
