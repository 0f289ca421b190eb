import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/model/artifact.ts'
import { answer, run } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')

/** The homes of all fixtures. */
const homes = ['claude-code', 'openclaw'].flatMap((platform) =>
  readdirSync(join(FIXTURES, platform)).map((name) => ({
    name: `${platform}/${name}`,
    home: join(FIXTURES, platform, name),
  })),
)

interface Way {
  store: string
  redact: boolean
}

interface Line {
  who: string
  line: number
  label?: string
  marker?: string
  session: string
}

interface Row {
  id: string
  path: string
  kind: string | null
  messages: { human: number; agent: number }
}

const environmentOf = (home: string): Environment => ({ home, variables: {} })

async function sessionsOf(home: string, way: Way): Promise<Row[]> {
  const given = { all: true, limit: 0, kind: 'all' }
  const { text } = await answer('sessions', given, environmentOf(home), { ...way, json: true })
  const { sessions } = JSON.parse(text) as { sessions: Row[] }
  return sessions.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Who says what, in the order of the file. Texts differ if secrets are shown. */
async function speakersOf(home: string, target: string, way: Way): Promise<string[]> {
  const given = { target: [target], format: 'jsonl', kind: 'all' }
  const { text } = await answer('read', given, environmentOf(home), way)
  return (
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
      // By its id, other files of the session are named, too.
      .filter(({ marker }) => marker !== 'note')
      .map(({ who, line, label = '', marker = '' }) => `${line} ${who} ${label} ${marker}`.trim())
  )
}

const facts = ({ id, path, kind, messages: { human, agent } }: Row) => ({ id, path, kind, human, agent })

describe('a record has one speaker, one owner and one kind', () => {
  it.each(homes)('in $name, however one asks', ({ home }) => expectOneAnswer(home))

  it('where another session sent the prompt, and where a fork repeats its original', async () => {
    const home = temporaryHome()
    const words = 'Water the ferns in the north bed and say how dry they were.'
    putOpenclaw(home, `${uuid(1)}.jsonl`, [
      openclaw.header(uuid(1)),
      openclaw.user(1, 'See that the ferns get water'),
      openclaw.reply(2, [call('c1', 'sessions_send', { sessionKey: 'agent:garden:main', message: words })]),
    ])
    putOpenclaw(home, `${uuid(2)}.jsonl`, [openclaw.header(uuid(2)), openclaw.user(3, words)], 'garden')
    const original = [claude.user(1, 'Say good morning.'), claude.reply(2, [text('Good morning.')])]
    const copies = original.map((each) => ({
      ...each,
      forkedFrom: { sessionId: uuid(30), messageUuid: each.uuid },
    }))
    putClaude(home, uuid(30), original)
    putClaude(home, uuid(20), [...copies, claude.user(3, 'Say it in the branch.')])
    await expectOneAnswer(home)
    const { text: shown } = await answer(
      'read',
      { target: [], all: true, format: 'jsonl' },
      environmentOf(home),
      {
        store: join(home, 'store.sqlite'),
        redact: true,
      },
    )
    const lines = shown.split('\n').filter((line) => line.includes('Say '))
    expect(lines.map((line) => (JSON.parse(line) as Line).session)).toEqual([uuid(30), uuid(20)])
    expect(shown).toMatch(/"who":"program"[^\n]*Water the ferns/)
  })

  async function expectOneAnswer(home: string): Promise<void> {
    const folder = temporaryHome()
    const way = { store: join(folder, 'one.sqlite'), redact: true }
    const secrets = { store: join(folder, 'two.sqlite'), redact: false }
    const rows = await sessionsOf(home, way)
    expect((await sessionsOf(home, secrets)).map(facts)).toEqual(rows.map(facts))
    // A second store, which is filled by reading one session.
    const later = { store: join(folder, 'three.sqlite'), redact: true }
    const ids = Map.groupBy(rows, ({ id }) => id)
    for (const { id, path } of rows) {
      if (!existsSync(path)) continue
      const speakers = await speakersOf(home, path, way)
      expect(await speakersOf(home, path, later), path).toEqual(speakers)
      expect(await speakersOf(home, path, secrets), path).toEqual(speakers)
      if (ids.get(id)!.length === 1 && !/[/\\:]/.test(id))
        expect(await speakersOf(home, id, way), id).toEqual(speakers)
    }
  }

  it('in the demo and in an archive of it', () => {
    const home = temporaryHome()
    const archive = join(home, 'archive')
    expect(run(['collect', `file:${archive}`, '--history', 'all', '--demo'], home).code).toBe(0)
    const read = (...args: string[]): string[] =>
      run(['read', '--all', '--kind', 'all', '--format', 'jsonl', ...args], home)
        .stdout.split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line)
        .map(({ session, line, who, label = '' }) => `${session} ${line} ${who} ${label}`)
    const own = read('--demo')
    expect(own.length).toBeGreaterThan(100)
    expect(read('--from', archive)).toEqual(own)
  })
})
