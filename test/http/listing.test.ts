import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import type {
  ChoicesAnswer,
  FacetsAnswer,
  ListingAnswer,
  SessionsAnswer,
  StatsAnswer,
} from '../../ui/api/ask.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'
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
      // The page has no use for the short id, which depends on all others.
      expect([...first.sessions, ...next.sessions]).toEqual(whole.sessions.map(({ short: _, ...row }) => row))
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

  it('has, for an hour of the week on the clock of the reader, the sessions with a message in it', async () => {
    for (const timezone of ['UTC', 'Asia/Tokyo']) {
      const { weekHours } = await answered<StatsAnswer>(`stats?timezone=${timezone}`)
      const cells = weekHours.flatMap((hours, day) =>
        hours.map((count, hour) => ({ count, name: `${day + 1}-${String(hour).padStart(2, '0')}` })),
      )
      const wanted = [...cells.filter(({ count }) => count > 0), ...cells.filter((_, at) => at % 24 === 3)]
      expect(wanted.length).toBeGreaterThan(20)
      for (const { count, name } of wanted) {
        const { sessions } = await answered<ListingAnswer>(
          `listing?all=true&kind=all&hour=${name}&timezone=${timezone}&limit=0`,
        )
        expect([name, sessions.length <= count, sessions.length > 0]).toEqual([name, true, count > 0])
      }
    }
  })

  it('takes the language of the search: words of a message or a title, and filters', async () => {
    const all = await answered<ListingAnswer>('listing?all=true&limit=0')
    const rows = async (query: string): Promise<ListingAnswer> =>
      answered(`listing?all=true&limit=0&query=${encodeURIComponent(query)}`)
    const titled = all.sessions.find(({ title }) => title !== null)!
    expect(ids(await rows(`"${titled.title}"`))).toContain(titled.id)
    const [model] = all.sessions.flatMap((row) => row.model ?? [])
    const expected: Record<string, (row: ListingAnswer['sessions'][number]) => boolean> = {
      'agent:codex': ({ agent }) => agent === 'codex',
      'kind:cron': ({ kind }) => kind === 'cron',
      'kind:cron kind:program': ({ kind }) => kind === 'cron' || kind === 'program',
      [`model:${model}`]: (row) => row.model?.includes(model!) === true,
      'project:web -kind:human': ({ project, kind }) => project === 'web' && kind !== 'human',
      'after:2026-11-06T00:00Z before:2026-11-08T00:00Z': ({ startedAt, lastActivityAt }) =>
        lastActivityAt! >= '2026-11-06' && startedAt! < '2026-11-08',
    }
    for (const [query, isMeant] of Object.entries(expected))
      expect([query, ids(await rows(query))]).toEqual([
        query,
        ids({ sessions: all.sessions.filter(isMeant) }),
      ])
    const inMessages = await rows('who:human "one rounding per order"')
    expect(inMessages.total).toBe(1)
    expect((await rows('kind:nonsense')).total).toBe(0)
    expect((await rows('projekt:web')).remarks.join()).toContain('project:')
  })

  it('means a project by its whole name where there is one of that name', async () => {
    const home = temporaryHome()
    for (const [index, folder] of ['/srv/shop', '/srv/shop-notes'].entries())
      putClaude(home, uuid(index), [
        claude.user(index + 1, `A plum tree ${index}`, { cwd: folder, sessionId: uuid(index) }),
      ])
    const { ask } = await pageServer({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const total = async (path: string): Promise<number> =>
      (JSON.parse((await ask(`/api/${path}`)).text) as { total: number }).total
    for (const [query, many] of [
      ['project:shop', 1],
      ['project:SHOP plum', 1],
      ['project:sho', 2],
      ['-project:shop', 1],
    ] as const) {
      const asked = encodeURIComponent(query)
      expect([query, await total(`listing?all=true&query=${asked}`)]).toEqual([query, many])
      if (query !== '-project:shop')
        expect([query, await total(`search?query=${asked}`)]).toEqual([query, many])
    }
  })

  it('counts for each filter what each of its values would leave', async () => {
    const facets = await answered<FacetsAnswer>(`facets?all=true&query=${encodeURIComponent('project:api')}`)
    expect(facets.total).toBeGreaterThan(0)
    for (const facet of ['agent', 'kind', 'model', 'tag'] as const)
      for (const { value, sessions } of facets[facet]) {
        const query = encodeURIComponent(`project:api ${facet}:"${value}"`)
        const { total } = await answered<ListingAnswer>(`listing?all=true&limit=1&query=${query}`)
        expect([facet, value, total]).toEqual([facet, value, sessions])
      }
    // The others stay to be chosen.
    expect(facets.project.length).toBeGreaterThan(2)
  })

  it('counts what a click leaves, also of names that contain or spell others', async () => {
    const home = temporaryHome()
    const reply = (number: number, model: string) => {
      const made = claude.reply(number, [])
      return { ...made, message: { ...made.message, model, content: [{ type: 'text', text: 'Moss.' }] } }
    }
    for (const [index, model] of ['fern-5', 'fern-5', 'fern-5-20270101', 'Fern-5', 'reed'].entries())
      putClaude(home, uuid(index + 1), [
        claude.user(10 * index, `Water moss ${index}`),
        reply(10 * index + 1, model),
      ])
    putOpenclaw(home, 'a.jsonl', [openclaw.header('a'), openclaw.user(60, 'Good morning')], 'claude')
    const flags = {
      claudeDir: [join(home, '.claude')],
      openclawDir: [join(home, '.openclaw')],
    } as GlobalFlags
    const { ask } = await pageServer(flags, { data: join(home, 'data') })
    const asked = async <Answer>(path: string): Promise<Answer> =>
      JSON.parse((await ask(`/api/${path}`)).text) as Answer
    const facets = await asked<FacetsAnswer>('facets?all=true')
    expect(facets.model.map(({ value, sessions }) => [value.toLowerCase(), sessions])).toEqual([
      ['fern-5', 3],
      ['fern-5-20270101', 1],
      ['reed', 1],
    ])
    for (const facet of ['agent', 'project', 'kind', 'model', 'tag'] as const)
      for (const { value, sessions } of facets[facet]) {
        const query = encodeURIComponent(`${facet}:"${value}"`)
        const { total } = await asked<ListingAnswer>(`listing?all=true&query=${query}`)
        expect([facet, value, total]).toEqual([facet, value, sessions])
      }
    const count = async (query: string) =>
      (await asked<ListingAnswer>(`listing?all=true&query=${encodeURIComponent(query)}`)).total
    expect([await count('model:fern'), await count('kind:all'), await count('-kind:all')]).toEqual([4, 6, 0])
    const listed = async (model: string) =>
      (await asked<SessionsAnswer>(`sessions?all=true&model=${model}`)).total
    expect([await listed('fern-5'), await listed('fern')]).toEqual([3, 4])
  })

  it('says of a name that no session has what there is, as a search does', async () => {
    const { remarks } = await answered<ListingAnswer>('listing?all=true&query=agent:nosuch')
    expect(remarks).toEqual([expect.stringMatching(/^agent:nosuch: no such agent in any session\. Known: /)])
    const { remarks: ofTools } = await answered<ListingAnswer>('listing?all=true&query=tool:nosuch')
    expect(ofTools).toEqual([expect.stringMatching(/^tool:nosuch: no such tool in any session\./)])
    const narrowed = await answered<ListingAnswer>('listing?all=true&agent=codex&query=agent:claude')
    expect(narrowed).toMatchObject({ total: 0, remarks: [] })
  })

  it('has the days of the reader, with their sessions, messages and costs', async () => {
    for (const timezone of ['UTC', 'Pacific/Auckland']) {
      const { groups, sessions, total } = await answered<ListingAnswer>(
        `listing?all=true&group=day&costs=true&limit=0&timezone=${timezone}`,
      )
      const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
      const byDay = Map.groupBy(sessions, ({ lastActivityAt, modifiedAt }) =>
        dayOf.format(Date.parse(lastActivityAt ?? modifiedAt!)),
      )
      expect(groups.map(({ key, sessions: many, messages }) => [key, many, messages])).toEqual(
        [...byDay].map(([day, rows]) => [
          day,
          rows.length,
          rows.reduce((sum, { messages }) => sum + messages.human + messages.agent, 0),
        ]),
      )
      for (const { key, cost } of groups) {
        const costs = byDay.get(key!)!.map((row) => row.cost)
        expect([key, cost?.toFixed(6)]).toEqual([
          key,
          costs.every((each) => each === null)
            ? undefined
            : costs.reduce<number>((sum, each) => sum + (each ?? 0), 0).toFixed(6),
        ])
      }
      expect(groups.reduce((sum, each) => sum + each.sessions, 0)).toBe(total)
    }
  })

  it('refuses an hour and a time zone that do not exist', async () => {
    const { ask } = await demoServer()
    for (const wrong of ['hour=8-01', 'hour=5-24&timezone=UTC', 'hour=5-09&timezone=Nowhere'])
      expect([wrong, (await ask(`/api/listing?all=true&${wrong}`)).status]).toEqual([wrong, 400])
  })

  it('can be narrowed down to every agent, model and branch that there is', async () => {
    const choices = await answered<ChoicesAnswer>('choices')
    expect(choices.agents).toEqual([
      'claude',
      'cline',
      'codex',
      'continue',
      'copilot',
      'gemini',
      'kilo',
      'kimi',
      'main',
      'opencode',
      'ops',
      'pi',
      'qwen',
    ])
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

  it('finds the words that a fork shares with its original, where the fork alone is asked for', async () => {
    const home = temporaryHome()
    const shared = [claude.user(1, 'What is it?'), claude.reply(2, [text('A plum tree')])]
    for (const [index, words] of ['Water it', 'Prune it'].entries())
      putClaude(home, uuid(index + 1), [...shared, claude.user(index + 3, words)])
    const { ask } = await pageServer({ claudeDir: [join(home, '.claude')] } as GlobalFlags, {
      data: join(home, 'data'),
    })
    const asked = async <Answer>(path: string): Promise<Answer> =>
      JSON.parse((await ask(`/api/${path}`)).text) as Answer
    for (const id of [uuid(1), uuid(2)])
      for (const query of [`plum session:${id}`, `session:${id}`]) {
        const rows = await asked<ListingAnswer>(`listing?all=true&query=${encodeURIComponent(query)}`)
        expect([query, ids(rows)]).toEqual([query, [id]])
      }
  })

  it('asks which session is meant by an id that two agents have, and takes the path', async () => {
    const home = temporaryHome()
    const paths = [
      putClaude(home, uuid(1), [claude.user(1, 'A plum tree')]),
      putOpenclaw(home, `${uuid(1)}.jsonl`, [openclaw.header(uuid(1)), openclaw.user(2, 'A plum stone')]),
    ]
    const flags = {
      claudeDir: [join(home, '.claude')],
      openclawDir: [join(home, '.openclaw')],
    } as GlobalFlags
    const { ask } = await pageServer(flags, { data: join(home, 'data') })
    const { status, text: answer } = await ask(`/api/outline?session=${uuid(1)}`)
    expect([status, JSON.parse(answer).matches.sort()]).toEqual([409, paths.sort()])
    for (const path of paths)
      expect((await ask(`/api/outline?session=${encodeURIComponent(path)}`)).status).toBe(200)
  })
})
