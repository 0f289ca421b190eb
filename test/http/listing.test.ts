import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import type { ChoicesAnswer, ListingAnswer, SessionsAnswer } from '../../ui/api/ask.ts'
import { openclaw, put, temporaryHome, uuid } from '../records.ts'
import { demoServer, pageServer } from './page-server.ts'

async function answered<Answer>(path: string): Promise<Answer> {
  const { ask } = await demoServer()
  const { status, text } = await ask(`/api/${path}`)
  expect([path, status]).toEqual([path, 200])
  return JSON.parse(text) as Answer
}

const ids = ({ sessions }: Pick<ListingAnswer, 'sessions'>): string[] => sessions.map(({ id }) => id)

describe('the list of sessions, asked for in parts', () => {
  it('has the rows of the command, from one position on', async () => {
    for (const query of [
      'all=true&kind=all',
      'all=true&sort=cost',
      'all=true&kind=human,cron',
      'project=web&kind=all',
    ]) {
      const whole = await answered<SessionsAnswer>(`sessions?${query}&limit=0`)
      const first = await answered<ListingAnswer>(`listing?${query}&limit=3`)
      const next = await answered<ListingAnswer>(`listing?${query}&from=3&limit=0`)
      expect([query, first.total, next.from]).toEqual([query, whole.total, 3])
      expect([...first.sessions, ...next.sessions]).toEqual(whole.sessions)
    }
  })

  it('keeps the sessions of a project together', async () => {
    const { groups, sessions } = await answered<ListingAnswer>('listing?all=true&group=project&limit=0')
    const expected = groups.flatMap(({ key, sessions: many }) => Array.from({ length: many }, () => key))
    expect(sessions.map(({ project }) => project)).toEqual(expected)
    expect(groups.length).toBeGreaterThan(2)
    const part = await answered<ListingAnswer>('listing?all=true&group=project&from=4&limit=2')
    expect(ids(part)).toEqual(ids({ sessions }).slice(4, 6))
  })

  it('takes an hour of the week on the clock of the reader', async () => {
    const all = await answered<ListingAnswer>('listing?all=true&limit=0')
    const { startedAt } = all.sessions.find(({ kind }) => kind === 'human')!
    const start = new Date(startedAt!)
    const hourAt = (offset: number): string => {
      const clock = new Date(start.getTime() + offset * 3_600_000)
      return `${((clock.getUTCDay() + 6) % 7) + 1}-${String(clock.getUTCHours()).padStart(2, '0')}`
    }
    const inUtc = await answered<ListingAnswer>(`listing?all=true&hour=${hourAt(0)}&timezone=UTC&limit=0`)
    const inTokyo = await answered<ListingAnswer>(
      `listing?all=true&hour=${hourAt(9)}&timezone=Asia/Tokyo&limit=0`,
    )
    expect(inUtc.total).toBeGreaterThan(0)
    expect(inUtc.total).toBeLessThan(all.total)
    expect(ids(inTokyo)).toEqual(ids(inUtc))
  })

  it('refuses an hour and a time zone that do not exist', async () => {
    const { ask } = await demoServer()
    for (const wrong of ['hour=8-01', 'hour=5-24&timezone=UTC', 'hour=5-09&timezone=Nowhere'])
      expect([wrong, (await ask(`/api/listing?all=true&${wrong}`)).status]).toEqual([wrong, 400])
  })

  it('can be narrowed down to every agent, model and branch that there is', async () => {
    const choices = await answered<ChoicesAnswer>('choices')
    expect(choices.agents).toEqual(['claude', 'codex', 'copilot', 'gemini', 'main', 'opencode', 'ops', 'pi'])
    for (const [name, values] of Object.entries({ agent: choices.agents, model: choices.models })) {
      expect(values.length).toBeGreaterThan(1)
      for (const value of values) {
        const { total } = await answered<ListingAnswer>(`listing?all=true&${name}=${value}&limit=1`)
        expect([name, value, total > 0]).toEqual([name, value, true])
      }
    }
  })

  it('has deleted sessions and backups for the questions that ask for them, and no others', async () => {
    const home = temporaryHome()
    const folder = join(home, '.openclaw/agents/main/sessions')
    const lines = (id: string, words: string): object[] => [openclaw.header(id), openclaw.user(1, words)]
    put(join(folder, `${uuid(1)}.jsonl`), lines(uuid(1), 'A plum tree'))
    put(join(folder, `${uuid(2)}.jsonl.deleted.2026-11-02T10-00-00.000Z`), lines(uuid(2), 'A plum stone'))
    const flags = { openclawDir: [join(home, '.openclaw')] } as GlobalFlags
    const { ask } = await pageServer(flags, { data: join(home, 'data') })
    const total = async (path: string): Promise<number> =>
      (JSON.parse((await ask(`/api/${path}`)).text) as { total: number }).total
    for (const path of ['listing?all=true', 'sessions?all=true', 'search?query=plum']) {
      expect([path, await total(path)]).toEqual([path, 1])
      expect([path, await total(`${path}&deleted=true`)]).toEqual([path, 2])
      expect([path, await total(path)]).toEqual([path, 1])
    }
  })
})
