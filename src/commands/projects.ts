import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { filters } from '../context/filters.ts'
import { field } from '../context/flags.ts'
import { noticesOf, noticesShape, scannedLines, scannedOf, scannedShape } from '../context/scanned.ts'
import { isoTime } from '../context/time.ts'
import { originalsFirst } from '../model/conversation.ts'
import { shownName } from '../model/hidden.ts'
import { largest, smallest } from '../model/iteration.ts'
import { isOfPeople, type Session } from '../model/session.ts'
import { identityOf } from '../platforms/identities.ts'
import { groupByProject, narrowProjects, type Project } from '../project/group.ts'
import { type Candidate, covers, type Evidence, matchProjects } from '../project/match.ts'
import { type Column, counted, grouped, homely, table } from '../render/table.ts'
import { dated } from '../render/text.ts'
import { evidenceText } from '../selection/choose-sessions.ts'
import { loadSessions } from '../selection/load-sessions.ts'
import { cleaner } from '../selection/read-messages.ts'
import { repeatedMessages } from '../selection/session-rows.ts'

const projectShape = () =>
  z.object({
    name: z.string(),
    path: z.nullable(z.string()),
    by: z.enum(['cwd', 'slug', 'touched', 'none', 'agent']),
    platforms: z.array(z.string()),
    sessions: z.number(),
    /** How many of them are of people. */
    ofPeople: z.number(),
    messages: z.object({ human: z.number(), agent: z.number() }),
    bytes: z.number(),
    startedAt: z.nullable(z.string()),
    lastActivityAt: z.nullable(z.string()),
    score: z.optional(z.number()),
    evidence: z.optional(z.array(z.object({ kind: z.string(), value: z.string(), score: z.number() }))),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    projects: z.array(projectShape()),
  })

type Row = z.output<ReturnType<typeof projectShape>>

export const projects = defineCommand({
  name: 'projects',
  summary: 'list projects with their agents, sessions and dates; with a name, what matches it and why',
  examples: [
    { command: 'scrollback projects', description: 'all projects, the most recent first' },
    {
      command: 'scrollback projects eastore',
      description: 'what "eastore" may mean, with evidence and score',
    },
    { command: 'scrollback projects --since 30d --json', description: 'for programs' },
  ],
  input: z.object({
    name: field.text({ description: 'part of a name or path', positional: true }),
    ...filters,
    limit: field.count({ description: 'at most n projects; 0 = no limit', placeholder: 'n' }),
  }),
  output,
  needs: 'messages',
  run(input, context): z.output<ReturnType<typeof output>> {
    const loaded = loadSessions(input, context)
    const chosen = new Set(loaded.sessions.map(({ path }) => path))
    // Those that filters leave first, the newest first, so that agents are named in that order.
    const others = loaded.all.filter(({ path }) => !chosen.has(path))
    const all = narrowProjects(groupByProject([...loaded.sessions, ...others]), ({ path }) =>
      chosen.has(path),
    )
    const repeated = repeatedMessages(originalsFirst(loaded.sessions), context.fresh?.store)
    const found =
      input.name === undefined
        ? all.map((project) => rowOf(project, repeated))
        : candidates(all, input.name, context).map((candidate) => candidateRow(candidate, repeated))
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      total: found.length,
      projects: found.slice(0, input.limit || Number.POSITIVE_INFINITY),
    }
  },
  isNothing: ({ total }) => total === 0,
  *render({ projects: rows, scanned, total }, screen) {
    if (rows.length === 0) {
      yield 'No project matches. Searched:\n'
      yield* scannedLines(scanned, screen.home)
      return
    }
    const day = (iso: string | null): string => (iso === null ? '-' : dated(Date.parse(iso)).slice(0, 10))
    const columns: Column<Row>[] = [
      { title: 'PROJECT', value: (row) => row.name, most: 28, paint: 'bold' },
      { title: 'LAST', whole: true, value: (row) => day(row.lastActivityAt) },
      { title: 'FIRST', whole: true, value: (row) => day(row.startedAt), from: 90 },
      { title: 'SESSIONS', value: (row) => String(row.sessions), align: 'right' },
      { title: 'YOU', value: (row) => String(row.messages.human), align: 'right' },
      { title: 'AI', value: (row) => String(row.messages.agent), align: 'right', from: 90 },
      {
        title: 'AGENTS',
        value: (row) => row.platforms.map((id) => identityOf(id).short).join(' '),
        from: 100,
      },
      {
        title: 'FOLDER',
        value: (row) => (row.path === null ? '(none)' : homely(row.path, screen.home)),
        rest: true,
      },
    ]
    if (rows[0]!.evidence === undefined) yield* table(rows, columns, screen)
    else
      for (const row of rows)
        yield `${String(row.score).padStart(3)}  ${shownName(row.name)}  ${counted(row.sessions, 'session')}, last ${day(row.lastActivityAt)}\n     ${evidenceText(row.evidence as Evidence[], screen.home)}\n`
    const sum = (of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0)
    const people = sum(({ ofPeople }) => ofPeople)
    const others = sum(({ sessions }) => sessions) - people
    yield `\n${counted(total, 'project')}${rows.length < total ? `, ${rows.length} shown` : ''}. Sessions of one: ${screen.suggest('sessions', [rows[0]!.name])}\n`
    if (others > 0 && rows[0]!.evidence === undefined)
      yield `Their sessions: ${grouped(people)} of people, ${counted(others, 'other')}.\n`
  },
})

/** If an agent and a folder have the same sessions, only the better match remains. */
function candidates(all: readonly Project[], name: string, context: Context): Candidate[] {
  const clean = cleaner(context.redact)
  const found = matchProjects(all, name, { shown: (text) => shownName(clean(text)) })
  const isSame = (one: Candidate, other: Candidate): boolean => covers(one, other) && covers(other, one)
  return found.filter((each, index) => !found.slice(0, index).some((better) => isSame(better, each)))
}

/** How many messages of a session one before it has, too, by its path. */
type Repeated = ReturnType<typeof repeatedMessages>

function candidateRow(
  { name, project, agent, sessions, score, evidence }: Candidate,
  repeated: Repeated,
): Row {
  const row = project
    ? rowOf(project, repeated)
    : rowOf(
        { ...spanOfSessions(sessions), name, by: 'agent', platforms: [agent!.platform], sessions },
        repeated,
      )
  return { ...row, score, evidence }
}

function spanOfSessions(sessions: readonly Session[]): Pick<Project, 'startedMs' | 'lastActivityMs'> {
  const timed = sessions.filter(({ startedMs }) => startedMs !== undefined)
  if (timed.length === 0) return {}
  return {
    startedMs: smallest(timed.map(({ startedMs }) => startedMs!)),
    lastActivityMs: largest(timed.map(({ startedMs, lastActivityMs }) => lastActivityMs ?? startedMs!)),
  }
}

type Listed = Omit<Project, 'by'> & { by: Row['by'] }

function rowOf(project: Listed, repeated: Repeated): Row {
  const { sessions } = project
  return {
    name: project.name,
    path: project.path ?? null,
    by: project.by,
    platforms: project.platforms,
    sessions: sessions.length,
    ofPeople: sessions.filter(isOfPeople).length,
    messages: {
      human: sessions.reduce((sum, { path, human }) => sum + human - (repeated[path]?.human ?? 0), 0),
      agent: sessions.reduce(
        (sum, { path, agentMessages }) => sum + agentMessages - (repeated[path]?.agent ?? 0),
        0,
      ),
    },
    bytes: sessions.reduce((sum, session) => sum + session.bytes, 0),
    startedAt: isoTime(project.startedMs),
    lastActivityAt: isoTime(project.lastActivityMs),
  }
}
