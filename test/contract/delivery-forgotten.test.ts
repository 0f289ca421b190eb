import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Envelope } from '../../src/model/delivery.ts'
import { asArray, asObject } from '../../src/model/json.ts'
import { deliveredTo } from '../deliveries.ts'
import { type Json, json, run } from '../program.ts'
import { temporaryHome } from '../records.ts'
import { shareOf } from '../share.ts'

const FIXTURES = resolve(import.meta.dirname, '../fixtures')

const homes = readdirSync(FIXTURES).flatMap((platform) =>
  readdirSync(join(FIXTURES, platform))
    .map((trap) => `${platform}/${trap}`)
    .filter((name) => statSync(join(FIXTURES, name)).isDirectory()),
)
/** Every n-th of them, so that all platforms have a part in a share. */
const step = Math.round(homes.length / shareOf(homes.length))
const chosen = homes.filter((_, index) => index % step === 0)

/** Kinds whose records are about one session each, so that they have it. */
const OF_ONE = new Set([
  'transcript',
  'session-index',
  'subagent-meta',
  'subagent-runs',
  'todo',
  'tool-result',
])
/** Kinds that are of no session, and prompts that name none: the guide says so. */
const OF_NONE = new Set(['memory', 'persona', 'cron-jobs', 'cron-runs', 'prompt-history', 'plan'])
/** Shorter texts are names of tools and roles. */
const SHORTEST = 6

function* textsIn(value: unknown): Generator<string> {
  const left = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each === 'string') yield each
    const fields = asObject(each)
    if (fields) for (const name of Object.keys(fields)) yield name
    for (const inner of asArray(each) ?? Object.values(fields ?? {})) left.push(inner)
  }
}

const isDamaged = ({ malformed, raw }: Envelope): boolean =>
  malformed === true || typeof raw === 'string' || raw === null

const mainSessions = (home: string): Json[] =>
  json(home, 'sessions', '--all', '--kind', 'all', '--limit', '0').sessions.filter(
    // What is in histories only is of no session.
    ({ parent, id }: Json) => !parent && id.length > 3 && !/[/\\:]/.test(id) && id !== 'prompt-history',
  )

const stateOf = (home: string): string =>
  readdirSync(join(home, '.local/share/scrollback'))
    .filter((name) => name.startsWith('collect.sqlite'))
    .map((name) => readFileSync(join(home, '.local/share/scrollback', name), 'latin1'))
    .join('\n')

describe('after a session was forgotten', () => {
  it.each(chosen)(
    'no archive and no state has a word, a title or a folder of it, and nothing is delivered again: %s',
    (name) => {
      const home = temporaryHome()
      cpSync(join(FIXTURES, name), home, { recursive: true })
      const archive = join(home, 'archive')
      run(['collect', `file:${archive}`, '--history', 'all', '--tool-results'], home)
      if (!existsSync(archive)) return
      const before = deliveredTo(archive)
      for (const record of before) {
        if (OF_NONE.has(record.kind) || isDamaged(record)) continue
        expect(OF_ONE.has(record.kind), record.kind).toBe(true)
        expect(
          record.session,
          `${record.kind} ${record.path} ${JSON.stringify(record.raw).slice(0, 200)}`,
        ).toBeTruthy()
      }
      const [session] = mainSessions(home)
      if (!session) return
      const receipt = json(home, 'forget', session.id, '--archive', archive, '--yes')
      const ids = new Set<string>(receipt.sessions.map(({ id }: Json) => id))
      const after = deliveredTo(archive)
      // What another session says, too, is not of this one alone.
      const said = after
        .filter(({ session: own, kind }) => own !== null && !ids.has(own) && OF_ONE.has(kind))
        .map((record) => `${record.path}\n${[...textsIn(record.raw)].join('\n')}`)
        .join('\n')
      const own = new Set<string>(ids)
      for (const record of before)
        if (record.session !== null && ids.has(record.session))
          for (const text of [...textsIn(record.raw), record.project ?? '']) own.add(text)
      for (const text of [session.title, session.cwd, session.directory])
        if (typeof text === 'string') own.add(text)
      const secrets = [...own].filter((text) => text.trim().length >= SHORTEST && !said.includes(text))
      const check = (records: readonly Envelope[], where: string): void => {
        for (const record of records) {
          expect(ids.has(record.session ?? ''), `${where}: ${record.kind} ${record.path}`).toBe(false)
          if (OF_NONE.has(record.kind)) continue
          const text = [...textsIn(record.raw), record.path, record.project ?? ''].join('\n')
          expect(
            secrets.filter((secret) => text.includes(secret)),
            `${where}: ${record.kind} ${record.path}`,
          ).toEqual([])
        }
      }
      check(after, 'in the archive')
      const state = stateOf(home)
      for (const text of [...ids, session.title, session.cwd])
        if (typeof text === 'string' && secrets.includes(text))
          expect(state.includes(text), `the state has ${text}`).toBe(false)
      const again = run(['collect', 'stdout:', '--history', 'all', '--tool-results'], home).stdout
      check(
        again.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Envelope))),
        'delivered again',
      )
    },
  )
})
