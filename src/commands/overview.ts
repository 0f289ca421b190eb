import * as z from 'zod/mini'
import { defineCommand, type Example } from '../context/command.ts'
import { withTexts } from '../context/read-files.ts'
import {
  noticesOf,
  noticesShape,
  scannedLines,
  scannedOf,
  scannedShape,
  unreadLine,
  unreadOf,
} from '../context/scanned.ts'
import { isoTime } from '../context/time.ts'
import { shownName } from '../model/hidden.ts'
import { largest, smallest } from '../model/iteration.ts'
import { identities } from '../platforms/identities.ts'
import { groupByProject } from '../project/group.ts'
import { counted, homely, readableBytes } from '../render/table.ts'
import { printable, type Screen, type Suggest } from '../render/terminal.ts'
import { dated, finishSession } from '../render/text.ts'
import { loadSessions } from '../selection/load-sessions.ts'
import { cleaner } from '../selection/read-messages.ts'
import { retentionWarnings, vanishing } from '../selection/vanishing.ts'
import { failingJobs } from './cron/schedules.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    platforms: z.array(
      z.object({
        platform: z.string(),
        name: z.string(),
        roots: z.array(z.string()),
        sessions: z.number(),
        bytes: z.number(),
        startedAt: z.nullable(z.string()),
        lastActivityAt: z.nullable(z.string()),
      }),
    ),
    unread: z.number(),
    warnings: z.array(z.string()),
    failingJobs: z.array(z.string()),
    projects: z.array(
      z.object({ name: z.string(), sessions: z.number(), lastActivityAt: z.nullable(z.string()) }),
    ),
    /** Sessions that a client has open now. */
    open: z.array(
      z.object({ id: z.string(), title: z.nullable(z.string()), project: z.nullable(z.string()) }),
    ),
    last: z.nullable(
      z.object({
        id: z.string(),
        title: z.nullable(z.string()),
        project: z.nullable(z.string()),
        at: z.nullable(z.string()),
      }),
    ),
  })

type Overview = z.output<ReturnType<typeof output>>

const PROJECTS = 4
const JOBS = 3

/** The command without a name: what is on this machine, and what to try next. */
export const overview = defineCommand({
  name: 'overview',
  summary: 'what is on this machine, and what to try next',
  examples: [{ command: 'scrollback', description: 'the same without a name' }],
  input: z.object({}),
  output,
  needs: 'messages',
  run(_input, context): Overview {
    const loaded = loadSessions({}, context)
    const projects = groupByProject(loaded.sessions)
    const [latest] = loaded.sessions.filter((session) => session.human > 0)
    const deleted = vanishing(loaded.sessions, context)
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      platforms: identities.flatMap(({ id: platform, name }) => {
        const sessions = loaded.sessions.filter((session) => session.platform === platform)
        if (sessions.length === 0) return []
        const starts = sessions.flatMap(({ startedMs }) => startedMs ?? [])
        const ends = sessions.flatMap(({ startedMs, lastActivityMs = startedMs }) => lastActivityMs ?? [])
        return {
          platform,
          name,
          roots: [...new Set(sessions.map((session) => session.root))],
          sessions: sessions.length,
          bytes: sessions.reduce((sum, session) => sum + session.bytes, 0),
          startedAt: isoTime(starts.length > 0 ? smallest(starts) : undefined),
          lastActivityAt: isoTime(ends.length > 0 ? largest(ends) : undefined),
        }
      }),
      unread: unreadOf(loaded).length,
      warnings: retentionWarnings(deleted, context),
      failingJobs: failingJobs(loaded.roots, cleaner(context.redact)),
      projects: projects
        .filter((project) => project.path !== undefined)
        .slice(0, PROJECTS)
        .map((project) => ({
          name: project.name,
          sessions: project.sessions.length,
          lastActivityAt: isoTime(project.lastActivityMs),
        })),
      open: loaded.sessions.flatMap((session) =>
        session.open
          ? {
              id: session.id,
              title: finishSession(withTexts(session, context)).title ?? null,
              project: projects.find((project) => project.sessions.includes(session))?.name ?? null,
            }
          : [],
      ),
      last: latest
        ? {
            id: latest.id,
            title: finishSession(withTexts(latest, context)).title ?? null,
            project: projects.find((project) => project.sessions.includes(latest))?.name ?? null,
            at: isoTime(latest.lastActivityMs),
          }
        : null,
    }
  },
  *render(answer, screen) {
    if (answer.platforms.length === 0) return yield* nothingHere(answer, screen)
    const day = (at: string | null): string => (at === null ? '?' : dated(Date.parse(at)).slice(0, 10))
    const days = ({ startedAt, lastActivityAt }: (typeof answer.platforms)[number]): string =>
      [...new Set([day(startedAt), day(lastActivityAt)])].join(' to ')
    for (const each of answer.platforms)
      yield `${each.name.padEnd(12)} ${counted(each.sessions, 'session')}, ${readableBytes(each.bytes)}, ${days(each)}, in ${each.roots.map((root) => homely(root, screen.home)).join(', ')}\n`
    for (const { message, path } of answer.notices)
      yield `             ${homely(path, screen.home)}: ${message}\n`
    if (answer.projects.length > 0)
      yield `Projects     ${answer.projects.map(({ name, sessions }) => `${shownName(name)} (${sessions})`).join(', ')}\n`
    for (const warning of answer.warnings) yield `! ${warning}\n`
    yield* unreadLine(answer.unread, screen)
    if (answer.failingJobs.length > 0) yield failingLine(answer.failingJobs, screen.suggest)
    for (const { id, title, project } of answer.open)
      yield `Open now     ${screen.suggest.id(id)} ${shownName(project ?? '')}: ${shortTitle(title)}\n`
    if (answer.last) {
      yield `Last         ${answer.last.at === null ? 'no time' : dated(Date.parse(answer.last.at))} ${shownName(answer.last.project ?? '')}: ${shortTitle(answer.last.title)}\n`
    }
    const [project] = answer.projects
    yield '\nTry next:\n'
    yield* tries(
      [
        { command: screen.suggest('sessions', '--all'), description: 'every session, the newest first' },
        { command: screen.suggest('read', ['latest']), description: 'read the latest session' },
        ...(project
          ? [
              {
                command: screen.suggest('sessions', [project.name]),
                description: 'those of one project',
              },
            ]
          : []),
        { command: screen.suggest('serve'), description: 'open everything in your browser' },
      ],
      screen.columns,
    )
  },
})

const shortTitle = (title: string | null): string =>
  printable(title ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 60)

/** Commands after their descriptions, side by side, or one below the other on a narrow screen. */
function* tries(rows: readonly Example[], columns: number): Generator<string> {
  const widest = (of: (row: Example) => string): number =>
    largest(
      rows.map((row) => of(row).length),
      0,
    )
  const width = widest(({ description }) => description) + 1
  const isBeside = width + widest(({ command }) => command) + 4 <= columns
  for (const { command, description } of rows)
    yield isBeside
      ? `  ${`${description}:`.padEnd(width)}  ${command}\n`
      : `  ${description}:\n    ${command}\n`
}

function failingLine(names: readonly string[], suggest: Suggest): string {
  const named = names
    .slice(0, JOBS)
    .map((name) => printable(name).replace(/\s+/g, ' ').slice(0, 40))
    .join(', ')
  const more = names.length > JOBS ? `, and ${names.length - JOBS} more` : ''
  return `! ${counted(names.length, 'cron job')} ${names.length === 1 ? 'fails' : 'fail'}: ${named}${more}. See them: ${suggest('cron', '--failed')}\n`
}

/** Three lines. What follows them at a terminal is the demo. */
function* nothingHere(answer: Overview, { home, suggest }: Screen): Generator<string> {
  yield 'No transcripts on this machine. Searched:\n'
  yield* scannedLines(answer.scanned, home)
  for (const { message, path } of answer.notices) yield `  ${homely(path, home)}: ${message}\n`
  yield `They may be elsewhere: ${suggest('help', ['sources'])}\n`
  yield `Or look around in invented ones: ${suggest('--demo')}\n`
}
