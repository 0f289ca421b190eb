import { describe, expect, it } from 'vitest'
import type {
  AnswerTo,
  CollectorAnswer,
  Diagnosis,
  JobsAnswer,
  ListingAnswer,
  MemoryAnswer,
  ProjectsAnswer,
  RescueAnswer,
  SecretsAnswer,
  SessionRow,
  SessionsAnswer,
  StatsAnswer,
  TagAnswer,
} from '../../ui/api/ask.ts'
import { brief, bytes, costOrRecorded, count, counted, dollars, percent } from '../../ui/text/format.ts'
import { duration } from '../../ui/text/times.ts'
import { json } from '../program.ts'
import { claude, temporaryHome, text } from '../records.ts'
import {
  asked,
  expectNoTrouble,
  needs,
  openPage,
  openWindow,
  servedDemo,
  useBrowser,
  withoutBrowser,
} from './browser.ts'
import { servedGarden } from './garden-session.ts'

type RunsAnswer = AnswerTo<'runs'>

describe.skipIf(withoutBrowser)(`what pages say of the same${needs}`, () => {
  useBrowser()

  it('is one number of sessions, and one cost of each', async () => {
    const { origin } = await servedDemo()
    const opened = await openPage(origin)
    const { page } = opened
    const { total } = await asked<SessionsAnswer>(page, '/api/sessions?all=true&limit=1')
    await page.goto(origin)
    await page.locator('.page-subtitle').getByText(`${total} sessions of`).waitFor()
    await page.goto(`${origin}/sessions`)
    await page.locator('.total').getByText(`${total} sessions`, { exact: true }).waitFor()
    await page.goto(`${origin}/stats`)
    await page.locator('.figures dd').first().getByText(String(total)).first().waitFor()
    const { sessions } = await asked<SessionsAnswer>(page, '/api/sessions?all=true&sort=cost&limit=1')
    const [row] = sessions
    await page.goto(`${origin}/session/${row!.id}`)
    await page.locator('.session-facts').getByText(dollars(row!.cost), { exact: true }).waitFor()
    expectNoTrouble(opened)
  })

  it('is of the same days where a chart and a list are beside each other, however long ago', async () => {
    const { origin } = await servedGarden([
      { ...claude.user(21, 'Where do the ferns grow?'), timestamp: '2026-02-03T10:00:00.000Z' },
      { ...claude.reply(22, [text('In the shade.')]), timestamp: '2026-02-03T10:00:05.000Z' },
    ])
    const { page } = await openPage(origin)
    await page.goto(origin)
    const projects = page.getByRole('region', { name: 'Busiest projects' })
    await page.getByText(/Busiest projects/).waitFor()
    await page.locator('.bar-row').first().waitFor()
    expect(await page.getByText('Nothing in 90 days').count()).toBe(0)
    expect(await projects.count()).toBeLessThan(2)
  })

  it('is late where a job has not run when it should have', async () => {
    const { origin } = await servedDemo()
    const { page } = await openPage(origin)
    await page.goto(`${origin}/jobs`)
    const row = page.getByRole('row').filter({ hasText: 'Health of the API' })
    await row.getByText(/^overdue since /).waitFor()
  })

  it('is what the commands answer, in every row and figure', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    const textsOf = (selector: string): Promise<string[]> =>
      page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent.trim()))
    const timesOf = (selector: string): Promise<(string | null)[]> =>
      page.locator(`${selector} time`).evaluateAll((all) => all.map((each) => each.getAttribute('datetime')))
    /** The cells of a column of a table, row by row. */
    const column = (name: string): Promise<string[]> => textsOf(`tbody [data-label="${name}"]`)

    // The projects, and what `stats`, `sessions` and the page of each say of it.
    await page.goto(`${origin}/projects`)
    await page.locator('tbody tr').first().waitFor()
    const { projects } = await asked<ProjectsAnswer>(page, '/api/projects')
    expect(await column('Sessions')).toEqual(projects.map(({ sessions }) => count(sessions)))
    expect(await column('Messages')).toEqual(
      projects.map(({ messages }) => count(messages.human + messages.agent)),
    )
    expect(await column('Size')).toEqual(projects.map((each) => bytes(each.bytes)))
    expect(await timesOf('tbody')).toEqual(
      projects.flatMap(({ lastActivityAt }) =>
        lastActivityAt === null ? [] : [new Date(lastActivityAt).toISOString()],
      ),
    )
    for (const { name, sessions, messages, lastActivityAt } of projects) {
      const search = new URLSearchParams({ project: name })
      const stats = await asked<StatsAnswer>(page, `/api/stats?${search}`)
      const rows = await asked<SessionsAnswer>(page, `/api/sessions?${search}&limit=0&sort=cost&kind=all`)
      expect([name, stats.totals.sessions + (stats.silent ?? 0), rows.total]).toEqual([
        name,
        sessions,
        sessions,
      ])
      expect([name, stats.totals.messages]).toEqual([name, messages])
      const sum = (of: (row: SessionRow) => number): string =>
        rows.sessions.reduce((all, row) => all + of(row), 0).toFixed(6)
      expect([name, sum(({ cost }) => cost ?? 0)]).toEqual([name, (stats.totals.cost ?? 0).toFixed(6)])
      expect([name, sum(({ usage }) => usage?.cost ?? 0)]).toEqual([
        name,
        (stats.totals.recordedCost ?? 0).toFixed(6),
      ])
      const latest = rows.sessions
        .map((row) => row.lastActivityAt ?? '')
        .sort()
        .at(-1)
      expect([name, latest]).toEqual([name, lastActivityAt])
      await page.goto(`${origin}/project/${encodeURIComponent(name)}`)
      await page.locator('.figures dd').first().waitFor()
      const figures = (await textsOf('.figures dd')).map((text) => /^[^a-z ]+/.exec(text)?.[0])
      expect([name, ...figures.slice(0, 3)]).toEqual([
        name,
        ...[sessions, messages.human, messages.agent].map((value) =>
          expect.stringMatching(new RegExp(`^${count(value)}`)),
        ),
      ])
      expect(await page.locator('.figures').textContent()).toContain(dollars(stats.totals.cost))
    }

    // The list of sessions: its days and its rows.
    await page.goto(`${origin}/sessions`)
    await page.locator('.group-cost').first().getByText('$').waitFor()
    const list = await asked<ListingAnswer>(
      page,
      '/api/listing?all=true&group=day&costs=true&limit=0&timezone=UTC',
    )
    const headings = await textsOf('.group-figures')
    expect(headings.length).toBeGreaterThan(2)
    expect(headings).toEqual(
      list.groups
        .slice(0, headings.length)
        .map(
          ({ sessions, messages, cost }) =>
            `${sessions} ${sessions === 1 ? 'session' : 'sessions'}${messages} ${messages === 1 ? 'message' : 'messages'}${cost == null ? '' : dollars(cost)}`,
        ),
    )
    const drawn = await timesOf('.session-line')
    expect(drawn).toEqual(
      list.sessions
        .slice(0, drawn.length)
        .map(({ lastActivityAt, modifiedAt }) => new Date(lastActivityAt ?? modifiedAt!).toISOString()),
    )
    const all = await asked<StatsAnswer>(page, '/api/stats?all=true&timezone=UTC')
    const costs = list.groups.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
    expect(costs.toFixed(6)).toBe(all.totals.cost!.toFixed(6))

    // The jobs: what is overdue, and how long runs take, which may be less than a second.
    await page.goto(`${origin}/jobs`)
    await page.locator('tbody tr').first().waitFor()
    const { jobs } = await asked<JobsAnswer>(page, '/api/cron')
    expect((await column('State')).map((text) => /^(?:overdue|missed)/.test(text))).toEqual(
      jobs.map((job) => !job.gone && !job.failing && job.enabled && job.overdueSince !== null),
    )
    expect(await column('Duration')).toEqual(
      jobs.map(({ averageDurationMs }) => (averageDurationMs === null ? '–' : duration(averageDurationMs))),
    )
    expect(await column('Success')).toEqual(
      jobs.map(({ successRate }) => (successRate === null ? '–' : percent(successRate))),
    )

    // Subagents, tags, and what is deleted.
    await page.goto(`${origin}/runs`)
    await page.locator('tbody tr').first().waitFor()
    const { runs } = await asked<RunsAnswer>(page, '/api/runs?all=true')
    expect(await column('Took')).toEqual(
      runs.map(({ durationMs }) => (durationMs === null ? '–' : duration(durationMs))),
    )
    expect(await column('Calls')).toEqual(
      runs.map(({ toolCalls }) => (toolCalls === null ? '–' : count(toolCalls))),
    )
    await page.goto(`${origin}/tags`)
    await page.locator('.tag-line').first().waitFor()
    const { tags } = await asked<TagAnswer>(page, '/api/tags')
    expect(await textsOf('.tag-line > .note')).toEqual(
      tags.map(({ sessions }) => `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`),
    )
    await page.goto(`${origin}/rescue`)
    await page.getByText('What is kept, and where').waitFor()
    const rescue = await asked<RescueAnswer>(page, '/api/rescue')
    expect(await textsOf('[aria-label="What clients delete"] [data-label="Sessions"]')).toEqual(
      rescue.clients.map(({ sessions }) => count(sessions)),
    )
    const sum = rescue.clients.reduce((total, { sessions }) => total + sessions, 0)
    expect(sum + rescue.total).toBe(list.total)
    expectNoTrouble(opened)
  })

  it('is what the commands print as JSON: statistics, diagnosis, memory, secrets, collector', async () => {
    const { origin } = await servedDemo()
    const opened = await openWindow(origin)
    const { page } = opened
    const home = temporaryHome()
    const printed = <Answer>(...args: string[]) => json(home, ...args, '--demo') as unknown as Answer
    const textsOf = (selector: string): Promise<string[]> =>
      page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent.trim()))
    const some = (value: number): string => (value === 0 ? '' : count(value))

    // Every dimension of the statistics, row by row, with its sum.
    for (const by of ['day', 'month', 'model', 'project', 'session', 'tool', 'agent', 'platform']) {
      const stats = printed<StatsAnswer>('stats', '--all', '--by', by, '--timezone', 'UTC')
      await page.goto(`${origin}/stats?by=${by}`)
      const table = '[aria-label="In figures"] '
      await page.locator(`${table}tfoot`).waitFor()
      const titles = (await textsOf(`${table}thead th`)).slice(1)
      const figures: Record<string, (sums: StatsAnswer['rowsSum']) => string> = {
        Sessions: ({ sessions }) => some(sessions),
        You: ({ messages }) => some(messages.human),
        Agent: ({ messages }) => some(messages.agent),
        Calls: ({ toolCalls }) => some(toolCalls),
        Errors: ({ errors }) => some(errors),
        Input: ({ inputTokens }) => (inputTokens === 0 ? '' : brief(inputTokens)),
        Cache: ({ cacheReadTokens, cacheCreationTokens }) =>
          cacheReadTokens + cacheCreationTokens === 0 ? '' : brief(cacheReadTokens + cacheCreationTokens),
        Output: ({ outputTokens }) => (outputTokens === 0 ? '' : brief(outputTokens)),
        Reasoning: ({ reasoningTokens }) => (reasoningTokens === 0 ? '' : brief(reasoningTokens)),
        Cost: ({ cost }) => dollars(cost),
      }
      const cellsOf = (sums: StatsAnswer['rowsSum']): string[] => titles.map((title) => figures[title]!(sums))
      const rows = [...stats.rows].sort((one, other) => other.key.localeCompare(one.key))
      const drawn = await textsOf(`${table}tbody td`)
      const width = titles.length
      const lines = Array.from({ length: drawn.length / width }, (_, at) =>
        drawn.slice(at * width, (at + 1) * width),
      )
      expect([by, ...lines.map(String).sort()]).toEqual([
        by,
        ...rows
          .map(cellsOf)
          .map(String)
          .sort()
          .slice(0, stats.rowsTotal > 100 ? 100 : undefined),
      ])
      expect([by, await textsOf(`${table}tfoot td`)]).toEqual([by, cellsOf(stats.rowsSum)])
      const { totals, silent = 0 } = stats
      const [sessions, yours, agents] = await textsOf('.figures dd')
      expect(sessions).toMatch(
        new RegExp(`^${count(totals.sessions + silent)}${count(stats.ofPeople)} of people, `),
      )
      expect(yours).toMatch(new RegExp(`^${count(totals.messages.human)}${brief(totals.humanWords)} words`))
      expect(agents).toBe(count(totals.messages.agent))
    }

    await page.goto(`${origin}/doctor`)
    await page.locator('.verdict').waitFor()
    const { artifacts, sources, unread, refused, ok } = printed<Diagnosis>('doctor')
    expect((await textsOf('.verdict'))[0] === 'Nothing is missing').toBe(ok)
    expect((await textsOf('.figures dd')).slice(0, 2)).toEqual([
      count(artifacts.length),
      count(artifacts.reduce((sum, { lines }) => sum + lines, 0)),
    ])
    expect(await textsOf('.folders td .status')).toEqual(
      sources.map(({ found }) => (found ? 'read' : 'not here')),
    )
    for (const [name, files] of [
      ['Found, but not read', unread],
      ['Left closed on purpose', refused],
    ] as const)
      expect([name, ...(await textsOf(`[aria-label="${name}"] tbody td.right`))]).toEqual([
        name,
        ...files.map((each) => bytes(each.bytes)),
      ])

    await page.goto(`${origin}/memory`)
    await page.locator('.documents a').first().waitFor()
    const { documents, semantic = [] } = printed<MemoryAnswer>('memory')
    expect(await textsOf('.page-subtitle')).toEqual([counted(documents.length, 'text')])
    expect((await textsOf('.documents a > .note')).sort()).toEqual(
      documents
        .map(
          (each) =>
            `${each.kind} · ${bytes(each.bytes)}${each.versions > 1 ? ` · ${counted(each.versions, 'version')}` : ''}${each.goneSince ? ' · deleted' : ''}`,
        )
        .sort(),
    )
    expect(await textsOf('[aria-label="Semantic memory"] td.right')).toEqual(
      semantic.map(({ chunks }) => count(chunks)),
    )

    await page.goto(`${origin}/secrets`)
    await page.getByText(/^Searched /).waitFor()
    const { secrets, totals } = printed<SecretsAnswer>('secrets', '--all', '--places')
    expect(await textsOf('main .note')).toContain(
      `Searched ${counted(totals.files, 'file')}, ${counted(totals.lines, 'line')}, ${bytes(totals.bytes)}.`,
    )
    for (const [label, of] of [
      ['Lines', ({ places }) => places],
      ['Sessions', ({ sessions }) => sessions],
    ] as const satisfies [string, (secret: SecretsAnswer['secrets'][number]) => number][])
      expect([label, ...(await textsOf(`tbody [data-label="${label}"]`))]).toEqual([
        label,
        ...secrets.map((secret) => count(of(secret))),
      ])

    await page.goto(`${origin}/collector`)
    await page.locator('.card').first().waitFor()
    // The demo delivers nothing: its page has destinations of its own.
    const { status = [] } = await asked<CollectorAnswer>(page, '/api/collector')
    expect((await textsOf('.card .facts dd')).filter((fact) => / records, /.test(fact))).toEqual(
      status.flatMap(({ backlog, records, bytes: size }) => [
        ...(backlog.records > 0 ? [`${counted(backlog.records, 'record')}, ${bytes(backlog.bytes)}`] : []),
        `${count(records)} records, ${bytes(size)}`,
      ]),
    )
    expectNoTrouble(opened)
  })

  it('is a time below a second in full, and a cost that only the client knows', () => {
    expect(duration(420)).toBe('420 ms')
    expect(costOrRecorded(null, 0.42)).toBe('$0.42 recorded')
    expect(costOrRecorded(0.4, 0.42)).toBe('$0.40')
    expect(costOrRecorded(null, undefined)).toBe('–')
  })
})
