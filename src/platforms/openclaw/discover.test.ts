import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { agentDatabase } from '../../../test/agent-databases.ts'
import { entriesOf, fixture, fixtureRoot, readableDrafts } from '../../../test/openclaw-fixtures.ts'
import { openclaw as records, temporaryHome } from '../../../test/records.ts'
import { opened } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import { discover } from './discover.ts'

/** The middle of an invented id names the fixture file. */
const short = (text: string): string => text.replace(/7c1e(\d\d)a0-5b2d-4f3a-9c8e-0d1f2a3b4c5d/g, 'U$1')
const facts = ({
  sessionId,
  agent,
  state,
  kindHint,
  titleHint,
  parentSessionId,
  updatedMs,
}: Artifact): string =>
  short(
    [sessionId, agent, state, kindHint, titleHint, parentSessionId && `from ${parentSessionId}`, updatedMs]
      .filter((fact) => fact)
      .join(' · '),
  )
const found = (name: string, deleted = false): string[] =>
  [...fixture(name, deleted).files.values()].map(facts)

it('names a database of a later schema, and tables that it does not know beside those that it does', () => {
  const state = temporaryHome()
  const made = agentDatabase(state, 23)
  made.session('moss', [records.header('moss'), records.user(1, 'water it')])
  const told = () => {
    const { artifacts, notices } = discover(
      { platform: 'openclaw', path: state, reason: 'test', found: true },
      { home: '/nowhere', variables: {} },
    )
    return [artifacts.length, notices.map(({ message }) => message.split(':')[0])]
  }
  expect(told()).toEqual([1, []])
  const database = new DatabaseSync(made.path)
  database.exec('PRAGMA user_version = 24')
  expect(told()).toEqual([1, ['a database with schema 24, and this version knows those up to 23']])
  database.exec('PRAGMA user_version = 23; CREATE TABLE session_windows_v2 (id TEXT)')
  database.close()
  const tables = 'tables that this version does not know (session_windows_v2)'
  expect(told()).toEqual([1, [`a database with ${tables}`]])
  made.close()
})

afterEach(() => {
  opened.listener = undefined
})

describe('discovering a state directory', () => {
  it('finds every transcript and no copies', () => {
    expect(found('archive-names')).toMatchInlineSnapshot(`
      [
        "2026-02-03T09-00-00-000Z_U36 · main · live",
        "U31 · main · live",
        "U31 · main · reset",
        "U33 · main · reset",
        "U34 · main · reset",
        "U35-topic-1712345678.123 · main · live",
        "U37 · main · archived",
        "probe-garden.one · main · live",
      ]
    `)
  })

  it('includes deleted sessions only on request', () => {
    expect(found('archive-names', true).filter((each) => each.includes('deleted'))).toMatchInlineSnapshot(`
      [
        "U31 · main · deleted",
        "U32 · main · deleted",
      ]
    `)
  })

  it('reads a compressed archive like any other', () => {
    const packed = [...fixture('archive-names').files].find(([path]) => path.endsWith('.zst'))![1]
    expect(readableDrafts(packed)).toEqual(['session', 'human: packed words'])
  })

  it('takes hints from the session index: kind, title, parent session and surface', () => {
    expect(found('session-index-flat')).toMatchInlineSnapshot(`
      [
        "U10 · main · live",
        "U11 · main · live · human · Ferns · 1770109700000",
        "U12-topic-5 · main · live · human · telegram:g-fern-club",
        "U13 · main · live · subagent · count trays · from U11",
        "U14 · main · live · cron · Cron: Water · 1770109800000",
        "U15 · main · live · cron",
        "U16 · main · live · heartbeat",
        "U17 · main · live · hook",
        "U18 · main · live · program",
        "U19 · main · live · human · explicit one",
      ]
    `)
    expect(found('session-index-wrapped')).toMatchInlineSnapshot(`
      [
        "U21 · main · live · human",
      ]
    `)
  })

  it('works without the session index if that is damaged, and reports it', () => {
    const { files, notices } = fixture('session-index-broken')
    expect(files.size).toBe(1)
    expect(notices.map((notice) => notice.message)).toEqual([expect.stringContaining('cannot be read')])
  })

  it('includes the history that a migration moved', () => {
    expect(found('import-archive')).toMatchInlineSnapshot(`
      [
        "U43 · garden · archived · cron",
        "U41 · garden · archived · human · Old garden · 1789999999000",
        "plain-name · garden · archived · human",
        "U42-topic-1774524773.177779 · garden · archived · human",
        "U44 · garden · reset",
      ]
    `)
  })

  it('includes the folder of the first versions', () => {
    expect(found('first-version')).toMatchInlineSnapshot(`
      [
        "U51 · main · live",
      ]
    `)
  })

  it('opens no file except transcripts and the session index', () => {
    const paths: string[] = []
    opened.listener = (path) => paths.push(path)
    const { root, files } = fixture('secrets', true)
    for (const artifact of files.values()) entriesOf(artifact)
    expect(paths.map((path) => short(path.slice(root.path.length)))).toEqual([
      '/agents/main/sessions/U74.jsonl',
    ])
  })

  it('stops at links that leave the directory, and reports them', () => {
    const outside = temporaryHome()
    const home = temporaryHome()
    const path = join(home, '.openclaw')
    cpSync(fixtureRoot('header-missing').path, path, { recursive: true })
    writeFileSync(join(outside, 'x.jsonl'), '{}\n')
    mkdirSync(join(outside, 'agent', 'sessions'), { recursive: true })
    const sessions = join(path, 'agents/main/sessions')
    symlinkSync(join(outside, 'x.jsonl'), join(sessions, 'leaving.jsonl'))
    symlinkSync(join(sessions, 'nowhere'), join(sessions, 'broken.jsonl'))
    symlinkSync(join(outside, 'agent'), join(path, 'agents/other'))
    symlinkSync(join(sessions), join(path, 'agents/main/alias'))
    const { artifacts, notices } = discover(
      { platform: 'openclaw', path, reason: 'default', found: true },
      { home, variables: {} },
    )
    expect(artifacts.map((artifact) => short(artifact.sessionId))).toEqual(['U52'])
    expect(notices.map((notice) => notice.path.slice(path.length)).sort()).toEqual([
      '/agents/main/sessions/broken.jsonl',
      '/agents/main/sessions/leaving.jsonl',
      '/agents/other',
    ])
  })

  it('finds nothing in an empty or missing directory', () => {
    const path = temporaryHome()
    for (const each of [path, join(path, 'gone')])
      expect(
        discover(
          { platform: 'openclaw', path: each, reason: 'default', found: true },
          { home: '/', variables: {} },
        ),
      ).toEqual({
        artifacts: [],
        notices: [],
        unread: [],
        named: [],
      })
  })
})
