import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import { filters, spanOf } from '../context/filters.ts'
import { field } from '../context/flags.ts'
import { withTexts } from '../context/read-files.ts'
import { noticesOf, noticesShape, scannedOf, scannedShape } from '../context/scanned.ts'
import { duration } from '../context/time.ts'
import type { Session } from '../model/session.ts'
import { beginOfRun } from '../model/subagent-run.ts'
import { identityOf, platformIds } from '../platforms/identities.ts'
import { shortAgent } from '../platforms/identity.ts'
import { type Column, counted, table } from '../render/table.ts'
import type { Screen } from '../render/terminal.ts'
import { timesIn } from '../render/text.ts'
import { chooseNamed } from '../selection/choose-sessions.ts'
import { ofAgent } from '../selection/load-sessions.ts'
import { cleaner } from '../selection/read-messages.ts'
import {
  loadRuns,
  type Ran,
  type RunJson,
  runJson,
  runShape,
  statusOf,
  withoutForked,
} from '../selection/runs.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    /**
     * Subagents among the sessions asked for that are no runs: forks that the client made for itself, and
     * those without a task. Absent with --since or --failed.
     */
    left: z.optional(z.number()),
    runs: z.array(runShape()),
  })

/** How many rows fill a screen. */
const SCREENFUL = 30

export const runs = defineCommand({
  name: 'runs',
  summary: 'list subagents: what they were started for, by whom, how long they ran, how they ended',
  details:
    'Joins the transcripts of subagents with the records that clients keep of them, each with the message that started it. Name a project, ' +
    'or a session, to list only its subagents. `read --subagents` prints them where they were started.',
  examples: [
    { command: 'scrollback runs', description: 'list the subagents of the project in the current directory' },
    { command: 'scrollback runs --all --failed', description: 'list those that failed, in every project' },
    { command: 'scrollback runs 21c10370', description: 'list those that a session started' },
    { command: "scrollback runs --all --json | jq '.runs[].parent'", description: 'for programs' },
  ],
  input: z.object({
    project: field.text({
      description: 'project or agent, or the id of a session',
      positional: true,
    }),
    platform: field.choice(platformIds(), {
      description: 'only this platform',
      placeholder: 'id',
    }),
    agent: filters.agent,
    all: field.flag({ description: 'every project' }),
    failed: field.flag({ description: 'only subagents that are recorded as failed' }),
    since: field.time('since', { description: 'only subagents started since: 7d, 2026-01-31' }),
    limit: field.count({ description: 'at most n rows; 0 = no limit', placeholder: 'n' }),
  }),
  output,
  needs: 'messages',
  async run(input, context): Promise<z.output<ReturnType<typeof output>>> {
    const loaded = loadRuns(context)
    const { since } = spanOf({ since: input.since }, context)
    const { by, sessions } = await chooseNamed(
      { ...loaded, sessions: ofAgent(loaded.sessions, input.agent) },
      { ...input, name: input.project, orEverything: true },
      context,
    )
    const parents = by === 'id' || by === 'latest' ? new Set(sessions.map(({ id }) => id)) : undefined
    const wanted =
      parents || (by === 'everything' && input.agent === undefined) ? undefined : new Set(sessions)
    const begun = ({ record, session }: Ran): number =>
      (record && beginOfRun(record)) ?? session?.startedMs ?? 0
    const fitting = loaded.runs.filter(
      (run) =>
        begun(run) >= since &&
        (input.platform === undefined || (run.session ?? run.record)!.platform === input.platform) &&
        // A subagent without a transcript belongs to the project of its parent.
        (wanted === undefined || run.session === undefined || wanted.has(run.session)),
    )
    const started = loaded
      .link(fitting)
      .filter(
        (run) =>
          (!input.failed || isFailure(statusOf(run))) &&
          (parents
            ? run.parent !== undefined && parents.has(run.parent.id)
            : wanted === undefined ||
              run.session !== undefined ||
              (run.parent !== undefined && wanted.has(run.parent))),
      )
    const linked = withoutForked(started).sort((a, b) => begun(b) - begun(a))
    const clean = cleaner(context.redact)
    const leftOut = (listed: readonly Ran[]): number => {
      const runs = new Set(listed.map(({ session }) => session))
      const isAsked = (each: Session): boolean =>
        (input.platform === undefined || each.platform === input.platform) &&
        (parents
          ? each.parentSessionId !== undefined && parents.has(each.parentSessionId)
          : wanted === undefined || wanted.has(each))
      return loaded.sessions.filter((each) => each.kind === 'subagent' && isAsked(each) && !runs.has(each))
        .length
    }
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      total: linked.length,
      ...(input.since === undefined && !input.failed ? { left: leftOut(started) } : {}),
      runs: linked.slice(0, input.limit || undefined).map((run) => {
        const session = run.session && withTexts(run.session, context)
        return runJson({ ...run, session }, clean, context.fresh?.store)
      }),
    }
  },
  isNothing: ({ total }) => total === 0,
  *render({ runs: all, total, left = 0 }, screen) {
    const rows = screen.terminal && all.length === total ? all.slice(0, SCREENFUL) : all
    if (rows.length === 0) yield 'No subagent run matches.\n'
    else {
      yield* table(rows, columnsFor(rows, screen), screen)
      const shown = rows.length < total ? `, ${rows.length} shown (--limit 0 shows all)` : ''
      const read = rows.find(({ parent }) => parent !== null)?.parent
      const way = read
        ? ` Where it was started: ${screen.suggest('read', [screen.suggest.id(read.session)], '--subagents')}`
        : ''
      yield `\n${counted(total, 'subagent run')}${shown}.${way}\n`
    }
    if (left > 0)
      yield `Without ${counted(left, 'subagent')} that ${left === 1 ? 'was' : 'were'} not started for a task, or that the client forked for itself: ${screen.suggest('sessions', [], '--all', '--kind=subagent')}\n`
  },
})

const isFailure = (status: string | null | undefined): boolean =>
  /^(?:error|failed|timeout|killed|cancelled|lost)$/.test(status ?? '')

function columnsFor(rows: readonly RunJson[], screen: Screen): Column<RunJson>[] {
  const narrow = screen.columns < 100
  const when = timesIn(
    rows.map(({ startedAt }) => startedAt),
    screen,
  )
  return [
    {
      title: 'STARTED',
      whole: true,
      value: (run) => when(run.startedAt),
    },
    { title: 'TOOK', value: (run) => duration(run.durationMs), align: 'right' },
    { title: 'STATUS', value: (run) => run.status ?? '', sparse: true, most: 10 },
    {
      title: 'AGENT',
      value: (run) => typeOf(run),
      most: narrow ? 12 : 24,
    },
    {
      title: 'TOOLS',
      value: (run) => (run.toolCalls === null ? '-' : String(run.toolCalls)),
      align: 'right',
      from: 110,
    },
    { title: 'FROM', value: (run) => (run.parent ? screen.suggest.id(run.parent.session) : '-'), most: 18 },
    {
      title: 'SESSION',
      value: (run) => (run.child ? screen.suggest.id(run.child.session) : '-'),
      paint: 'cyan',
      most: 18,
      from: 90,
    },
    {
      title: 'TASK',
      value: ({ label, task, error }) =>
        [label ?? task, error && `✗ ${error}`].filter((each) => each).join('  '),
      rest: true,
      least: 20,
    },
  ]
}

/** On a platform with one agent, the type of a subagent says more than its agent. */
function typeOf({ platform, agent, type }: RunJson): string {
  const identity = identityOf(platform)
  return (identity.manyAgents ? undefined : type) ?? shortAgent(identity, agent)
}
