import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { Artifact, Environment } from '../../src/model/artifact.ts'
import { closeConnections } from '../../src/platforms/openclaw/database/connection.ts'
import { openclaw } from '../../src/platforms/openclaw/index.ts'
import { readSlices } from '../../src/sync/read/read-session.ts'
import { type AgentDatabase, agentDatabase } from '../agent-databases.ts'
import { type SchemaVersion, VERSIONS } from '../agent-schemas.ts'
import { put, openclaw as records, temporaryHome } from '../records.ts'
import { fileContent, keep, storedContent } from '../stores.ts'
import { namedEngines } from './engines.ts'
import { fixtures } from './subjects.ts'

afterEach(closeConnections)

/** The lines of a transcript as in a database: without blank ones, and in UTF-8. */
function linesOf({ path }: Artifact): string[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8')
  return text.split('\n').filter((line) => line.trim() !== '' && !line.includes('\0'))
}

const discovered = (home: string, deleted = true): Artifact[] => {
  const environment: Environment = { home, variables: {}, dirs: { openclaw: [home] }, deleted }
  const root = { platform: 'openclaw', path: home, reason: 'test', found: true } as const
  const { artifacts, notices } = openclaw.files.discover(root, environment)
  expect(notices).toEqual([])
  return artifacts
}

type Content = ReturnType<typeof fileContent>

/** Without its location and its size there. */
const withoutLocation = ({ session, messages }: Content) => {
  const { path, bytes, modifiedMs, state, ...others } = session
  return { session: others, messages }
}

/** A session of a database has the same content as a file of the same lines with the same hints. */
function both(found: Artifact, lines: readonly string[]): [fromDatabase: Content, fromFile: Content] {
  const path = put(join(temporaryHome(), 'x.jsonl'), lines.map((line) => `${line}\n`).join(''))
  const { database, ...hints } = found
  return [fileContent(found), fileContent({ ...hints, path })]
}

function same(found: Artifact, lines: readonly string[]): void {
  const [ours, theirs] = both(found, lines)
  expect(withoutLocation(ours)).toEqual(withoutLocation(theirs))
  expect(ours.session.bytes).toBe(Buffer.byteLength(lines.map((line) => `${line}\n`).join('')))
  // Through the store, at once and in slices, and as printed.
  for (const [, engine] of namedEngines)
    for (const slice of [undefined, 200]) {
      const store = engine.open()
      keep(store, found, { slice })
      expect(withoutLocation(storedContent(store, found.path)), engine.name).toEqual(withoutLocation(theirs))
      store.close()
    }
  const printed = [...readSlices(found, { slice: 300 })].flatMap(({ items }) => items)
  expect(printed.map(({ line, text }) => [line, text ?? null])).toEqual(
    theirs.messages.map(({ line, text }) => [line, text ?? null]),
  )
}

/** A closed database, with one session of these lines. */
function closed(
  version: SchemaVersion,
  lines: readonly string[],
  then?: (made: AgentDatabase) => void,
): string {
  const home = temporaryHome()
  const made = agentDatabase(home, version)
  made.session('moss', lines, { key: 'agent:main:main', label: 'Moss' })
  then?.(made)
  made.close()
  return home
}

const talk = (count: number, words = 'water the moss'): string[] =>
  [
    records.header('moss'),
    ...Array.from({ length: count }, (_, index) =>
      index % 2 === 0
        ? records.user(index + 1, `${words} ${index}`)
        : records.reply(index + 1, [{ type: 'text', text: `Watered ${'it '.repeat(index % 40)}${index}.` }]),
    ),
  ].map((entry) => JSON.stringify(entry))

const transcripts = fixtures('openclaw').map(({ name, artifact }) => [name, artifact] as const)

describe.each(VERSIONS.map((version) => [version]))('a database of schema %i', (version) => {
  it.each(transcripts)('has the same content as a file of the same records: %s', (_, artifact) => {
    const lines = linesOf(artifact)
    if (lines.length === 0) return
    const [found] = discovered(closed(version, lines))
    same(found!, lines)
  })

  it('records the kind, state, title and parent of a session', () => {
    const home = temporaryHome()
    const made = agentDatabase(home, version, 'garden')
    made.session('old', talk(2), { key: 'agent:garden:main', label: 'Moss' })
    made.session('moss', talk(2), { key: 'agent:garden:main', label: 'Moss' })
    made.session('sub', talk(2), { key: 'agent:garden:subagent:1', spawner: 'agent:garden:main' })
    made.session('job', talk(2), { key: 'agent:garden:cron:water' })
    made.session('nothing', [], { key: 'agent:garden:other' })
    // Starts after the one that started it.
    made.session('new', talk(2), { key: 'agent:garden:main', label: 'Moss' })
    // Schema 4 has no labels, only names to display.
    expect(discovered(home).some(({ titleHintByHand }) => titleHintByHand === true)).toBe(version > 4)
    const facts = discovered(home).map(({ sessionId, agent, state, kindHint, titleHint, parentSessionId }) =>
      [sessionId, agent, state, kindHint, titleHint, parentSessionId].map((each) => each ?? '-').join(' '),
    )
    expect(facts.sort()).toEqual([
      'job garden live cron - -',
      'moss garden reset human Moss -',
      'new garden live human Moss -',
      'old garden reset human Moss -',
      `sub garden live subagent - ${version === 4 ? '-' : 'moss'}`,
    ])
    made.close()
  })

  it('preserves the line numbers if records are missing', () => {
    const lines = talk(6)
    const home = closed(version, lines, (made) => {
      made.append('moss', [JSON.stringify(records.user(9, 'after the gap'))], 3)
    })
    same(discovered(home)[0]!, [...lines, '', '', '', JSON.stringify(records.user(9, 'after the gap'))])
  })

  it('yields a record that is spread over lines as if it were on one', () => {
    const pretty = JSON.stringify(records.user(1, 'a\nb'), null, 2)
    const home = closed(version, [...talk(0), pretty])
    expect(fileContent(discovered(home)[0]!).messages.map(({ text }) => text)).toEqual(['a\nb'])
  })
})

describe('a database of the newest schema', () => {
  it.each(transcripts)('has the same content if its records are compressed: %s', (_, artifact) => {
    const lines = linesOf(artifact)
    if (lines.length === 0) return
    const [found] = discovered(closed(23, lines, (made) => made.pack('moss')))
    same(found!, lines)
  })

  it.each(['file', 'sqlite'] as const)(
    'has the same content if a session was moved to a cold %s',
    (storage) => {
      const lines = talk(200)
      const [found, ...others] = discovered(closed(23, lines, (made) => made.freeze('moss', storage)))
      expect(others).toEqual([])
      same(found!, lines)
    },
  )

  it.each(['identity', 'zstd'] as const)(
    'yields reset sessions, and deleted ones on request: %s',
    (encoding) => {
      const lines = talk(30)
      const home = closed(23, lines, (made) => {
        made.archive('moss', 'reset', encoding)
        made.session('fern', lines, { key: 'agent:main:fern' })
        made.archive('fern', 'deleted', encoding)
      })
      const found = discovered(home)
      expect(found.map(({ sessionId, state }) => `${sessionId} ${state}`)).toEqual([
        'moss reset',
        'fern deleted',
      ])
      for (const each of found) same(each, lines)
      expect(discovered(home, false).map(({ sessionId }) => sessionId)).toEqual(['moss'])
    },
  )

  it('counts a frame that cannot be unpacked as a damaged line, and yields the rest', () => {
    const home = closed(23, talk(4), (made) => {
      made.pack('moss')
      made.database.exec("UPDATE transcript_events SET event_zstd = x'010203' WHERE seq = 2")
    })
    const { session, messages } = fileContent(discovered(home)[0]!)
    expect(session.accounting.malformed).toBe(1)
    expect(messages.map(({ line }) => line)).toEqual([2, 4, 5])
  })
})
