import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import { type Context, inTurns } from '../context/context.ts'
import { field } from '../context/flags.ts'
import { requireTranscripts } from '../context/scanned.ts'
import { isoTime } from '../context/time.ts'
import { gather } from '../devlog/gather.ts'
import { standupOf } from '../devlog/standup.ts'
import { toMillionths } from '../model/usage.ts'
import { plainMarkdown } from '../render/markdown.ts'
import { counted, cutTo, dollars } from '../render/table.ts'
import { type Screen, shownLine } from '../render/terminal.ts'
import { dated } from '../render/text.ts'
import { costsOf } from '../selection/costs.ts'
import { input as devlogInput, loadSources, requestedSpan, type Sources } from './devlog/sources.ts'

/** How many things of a kind one line names. */
const NAMED = 2
const FILES = 3
/** The width of a line where it is not cut to a screen. */
const LONGEST = 400

const FORMATS = ['text', 'md'] as const

const output = () =>
  z.object({
    version: z.literal(1),
    /** How to print it, if not as text. */
    format: z.optional(z.enum(FORMATS)),
    since: z.nullable(z.string()),
    until: z.nullable(z.string()),
    projects: z.array(
      z.object({
        project: z.nullable(z.string()),
        wanted: z.array(z.string()),
        result: z.array(z.string()),
        changed: z.array(z.string()),
        open: z.array(z.string()),
        sessions: z.number(),
        /** Of this time, at list price, in dollars. `null` if no price is known. */
        cost: z.nullable(z.number()),
      }),
    ),
  })

type Standup = z.output<ReturnType<typeof output>>

export const standup = defineCommand({
  name: 'standup',
  summary: 'tell in five lines a project what was wanted, what came of it, what is open, and what it cost',
  details:
    'About the last working day and today, or another time; where nothing happened since, about the last day that somebody worked. The lines are plain, to be pasted. ' +
    'Without --since and --until, a time in words or a date beside the name is both: standup monday. So is a time without the name: scrollback last week. A project called october follows --. ' +
    'A checked story with citation marks in the same style: scrollback devlog --style standup.',
  examples: [
    { command: 'scrollback standup', description: 'tell about every project since the last working day' },
    { command: 'scrollback standup api --since 30d', description: 'tell about one project, last 30 days' },
    { command: 'scrollback yesterday', description: 'tell about yesterday; last week, monday, 2026-10 too' },
    { command: 'scrollback standup --format md', description: 'as a list in Markdown' },
  ],
  input: z.object({
    project: field.text({
      description: 'project, agent or session; every project without it',
      positional: true,
    }),
    since: devlogInput.shape.since,
    until: devlogInput.shape.until,
    agent: devlogInput.shape.agent,
    format: field.choiceOr(FORMATS, 'text', {
      description: 'text, or md for Markdown',
      placeholder: 'format',
    }),
  }),
  output,
  needs: 'words',
  async run({ project, since, until, agent, format }, context): Promise<Standup> {
    const given = z.parse(devlogInput, { project, since, until, agent, style: 'standup', yes: true })
    let story = await tell(given, context)
    requireTranscripts(context)
    const last = story.projects.length === 0 ? lastDayOf(story) : undefined
    if (last !== undefined && since === undefined && until === undefined) {
      context.note(`Nothing since then: this is about ${last}, the last day that somebody worked.`)
      story = await tell({ ...given, since: last, until: last }, context)
    } else if (last !== undefined) {
      const again = context.suggest.again({ flags: [`--since=${last}`, `--until=${last}`] })
      context.note(`Somebody worked last on ${last}: ${again}`)
    }
    const { span, projects } = story
    return {
      version: 1,
      ...(format === 'md' && { format }),
      since: isoTime(Number.isFinite(span.since) ? span.since : null),
      until: isoTime(Number.isFinite(span.until) ? span.until : null),
      projects,
    }
  },
  isNothing: ({ projects }) => projects.length === 0,
  *render({ projects, format }, screen) {
    if (projects.length === 0) yield 'No session in this time.\n'
    for (const [index, each] of projects.entries()) {
      if (index > 0 && format !== 'md') yield '\n'
      yield* format === 'md' ? markdownOf(linesOf(each)) : textOf(linesOf(each), screen)
    }
  },
  isVerbatim: ({ format }) => format === 'md',
})

/** What happened in a time, by project, and the sessions that were looked at. */
async function tell(given: z.output<typeof devlogInput>, context: Context) {
  const span = requestedSpan(given, context)
  const { rows, sources, coverage, nameOf } = await loadSources(given, span, quietly(context))
  const subject = { project: given.project ?? null, topic: null, coverage }
  const evidence = await inTurns(gather(sources, subject), context)
  const used = rows.flatMap(({ session, isIn }) => (isIn ? [session] : []))
  const costOf = await costsOf(used, context, {
    ...(Number.isFinite(span.since) && { fromMs: span.since }),
    ...(Number.isFinite(span.until) && { untilMs: span.until }),
  })
  // Of a session and its fork, one may say nothing that the other does not, and cost something.
  const byProject = Map.groupBy(used, (session) => nameOf(session) ?? null)
  const projects = standupOf(sources, evidence).map((each) => {
    const costs = (byProject.get(each.project) ?? []).map(costOf)
    const cost = costs.reduce<number>((sum, one = 0) => sum + one, 0)
    return { ...each, cost: cost > 0 || costs.every((one) => one === 0) ? toMillionths(cost) : null }
  })
  return { span, rows, projects }
}

/** The day on which a person last worked, as `2026-11-06`. */
function lastDayOf({ rows }: Pick<Sources, 'rows'>): string | undefined {
  const last = rows.reduce(
    (most, { session, main }) => (main ? Math.max(most, session.lastActivityMs ?? 0) : most),
    0,
  )
  return last === 0 ? undefined : dated(last).slice(0, 10)
}

/** What is told of a project: who or what it is about, and the words. */
type Line = readonly [name: string, text: string]

/** Which sessions were chosen by time is no news here. */
const quietly = (context: Context): Context => ({
  ...context,
  note: (message, weight) => {
    if (weight === 'partly') context.note(message, weight)
  },
})

const linesOf = ({
  project,
  wanted,
  result,
  changed,
  open,
  sessions,
  cost,
}: Standup['projects'][number]): Line[] => [
  [project ?? 'Without a project', some(wanted, NAMED) ?? 'nothing was asked'],
  ['Came of it', some(result, NAMED) ?? 'no reply yet'],
  ['Changed', some(changed, FILES, ', ') ?? 'no file'],
  ['Open', some(open, NAMED) ?? 'nothing'],
  ['Cost', `${cost === null ? 'no price is known' : dollars(cost)}, ${counted(sessions, 'session')}`],
]

function* textOf(lines: readonly Line[], screen: Screen): Generator<string> {
  for (const [name, text] of lines)
    yield `${cutTo(`${name}: ${shownLine(text)}`, screen.terminal ? screen.columns : LONGEST)}\n`
}

/** The first line is an item, and the others are below it. */
function* markdownOf(lines: readonly Line[]): Generator<string> {
  for (const [index, [name, text]] of lines.entries()) {
    const words = plainMarkdown(cutTo(shownLine(text), LONGEST))
    yield index === 0 ? `- **${plainMarkdown(shownLine(name))}**: ${words}\n` : `  - ${name}: ${words}\n`
  }
}

/** The first of them, and how many there are besides. */
function some(all: readonly string[], most: number, between = ' / '): string | undefined {
  if (all.length === 0) return undefined
  const more = all.length - most
  return `${all.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ''}`
}
