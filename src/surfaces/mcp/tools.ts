import type { DevlogAnswer } from '../../commands/devlog/answer.ts'
import type { StatsAnswer } from '../../commands/stats/figures.ts'
import type { WhyAnswer } from '../../commands/why/command.ts'
import { type Command, checkedInput } from '../../context/command.ts'
import { agentExamples, platformNames } from '../../platforms/identities.ts'
import { type ShortNames, shortNames } from '../../selection/session-names.ts'
import { citation, cited, cut } from './answer.ts'
import { readTool, searchTool } from './reading-tools.ts'
import type { Entry, Tool } from './tool.ts'

const QUOTE = 240

/** Fields that all listings share. */
const SPAN = {
  platform: undefined,
  agent: `only this agent: ${agentExamples()}`,
  since: undefined,
  until: undefined,
}

interface SessionRow {
  id: string
  project: string | null
  path: string
  title: string | null
  firstHuman: string | null
  lastHuman: string[]
  firstProgram?: string
  [field: string]: unknown
}

const quote = (text: string | null | undefined): string | null => (text ? cut(text, QUOTE) : null)

/** A row without counts of bytes and lines, with short quotes. */
function sessionForAgents(row: SessionRow, names: ShortNames): { session: string } {
  const { id, title, path, firstHuman, lastHuman, firstProgram } = row
  const copied = [
    'platform',
    'agent',
    'kind',
    'state',
    'cwd',
    'startedAt',
    'lastActivityAt',
    'messages',
  ] as const
  const perhaps = ['toolCalls', 'errors', 'parent', 'subagent', 'model', 'goneSince', 'matched'] as const
  return {
    ...cited(names, { path, id }),
    title: quote(title),
    project: row.project,
    ...Object.fromEntries(copied.map((name) => [name, row[name]])),
    ...Object.fromEntries(perhaps.flatMap((name) => (row[name] ? [[name, row[name]]] : []))),
    firstHuman: quote(firstHuman),
    lastHuman: quote(lastHuman.at(-1)),
    ...(firstProgram === undefined ? {} : { firstProgram: quote(firstProgram) }),
  } as { session: string }
}

const sessionsTool: Tool = {
  name: 'sessions',
  title: 'List past sessions',
  description: `Lists earlier sessions of ${platformNames('and')} on this machine, the most recently active first: when, which project and agent, title, the first and last human message. Use it to learn what was worked on, or to find a session to read. Without project, it lists every project. Pass "session" of a row to read.`,
  command: async () => (await import('../../commands/sessions.ts')).sessions as unknown as Command,
  fields: {
    project: 'a project or agent, part of its name or path; "." is the current directory',
    ...SPAN,
    kind: undefined,
    limit: 'rows in an answer (15)',
  },
  required: [],
  usual: 15,
  async ask(command, given, context, until) {
    const input = checkedInput(command, { ...given, all: given.project === undefined, limit: until })
    const names = shortNames(context.fresh!.store.known())
    const { sessions, total } = (await command.run(input, context)) as {
      sessions: SessionRow[]
      total: number
    }
    return {
      head: { total },
      list: 'sessions',
      entries: () => sessions.map((row) => ({ entry: sessionForAgents(row, names) })),
    }
  },
}

const projectsTool: Tool = {
  name: 'projects',
  title: 'List projects with past sessions',
  description: `Lists the projects that agents worked on on this machine, the most recent first: name, folder, agents, how many sessions and messages, first and last activity. With a name: which projects it may mean, and why. Other tools take the name as project.`,
  command: async () => (await import('../../commands/projects.ts')).projects as unknown as Command,
  fields: { name: undefined, ...SPAN, kind: undefined, limit: 'rows in an answer (30)' },
  required: [],
  usual: 30,
  async ask(command, given, context, until) {
    const { projects, total } = (await command.run(
      checkedInput(command, { ...given, limit: until }),
      context,
    )) as { projects: { evidence?: { value: string }[] }[]; total: number }
    return {
      head: { total },
      list: 'projects',
      entries: () =>
        projects.map((row) => ({
          entry: {
            ...row,
            ...(row.evidence
              ? { evidence: row.evidence.map((each) => ({ ...each, value: cut(each.value, QUOTE) })) }
              : {}),
          },
        })),
    }
  },
}

const MOST_TOOLS = 12
const MOST_FILES = 8
const NAME = 120

const statsTool: Tool = {
  name: 'stats',
  title: 'Count past work',
  description: `Sums up past sessions: sessions, messages, words, tool calls, errors, tokens and cost in US dollars at list price, in total and by day, week, month, block of five hours, model, project, project and day, session, tool or agent. The newest times, or the highest costs, come first. Use it for how much and how often, and search for what.`,
  command: async () => (await import('../../commands/stats/command.ts')).stats as unknown as Command,
  fields: {
    project: 'a project, agent or session; all projects without it',
    by: undefined,
    platform: undefined,
    agent: `only this agent: ${agentExamples()}`,
    since: undefined,
    until: undefined,
    limit: 'rows in an answer (15)',
  },
  required: [],
  usual: 15,
  async ask(command, { limit: _, ...given }, context) {
    const { project, totals, by, rows, tools, files, activeDays } = (await command.run(
      checkedInput(command, { ...given, order: 'desc' }),
      context,
    )) as StatsAnswer
    return {
      head: {
        project,
        totals,
        activeDays,
        tools: tools.slice(0, MOST_TOOLS).map((each) => ({ ...each, name: cut(each.name, NAME) })),
        files: files.slice(0, MOST_FILES).map((each) => ({ ...each, path: cut(each.path, NAME) })),
        by,
        total: rows.length,
      },
      list: 'rows',
      entries: () => rows.map((entry) => ({ entry })),
    }
  },
}

const devlogTool: Tool = {
  name: 'devlog',
  title: 'Brief for the story of a project',
  description: `Returns the brief to write the story of a project from, or with "style" standup, changelog or log a finished draft: a writing guide, the sessions, the time line, and the conversation with its important parts, each message with a citation mark. Read all of it before you write: answers continue with the cursor. Keep the marks in your text, and check it with the command line: scrollback devlog --check story.md`,
  command: async () => (await import('../../commands/devlog/command.ts')).devlog as unknown as Command,
  fields: {
    project: 'a project, an agent, or <project>:latest',
    topic: undefined,
    since: undefined,
    until: undefined,
    platform: undefined,
    agent: `only this agent: ${agentExamples()}`,
    sessions: undefined,
    style: undefined,
    voice: undefined,
    budget: undefined,
    part: undefined,
    code: undefined,
  },
  required: ['project'],
  async ask(command, given, context) {
    const answer = (await command.run(
      checkedInput(command, { ...given, yes: true }),
      context,
    )) as DevlogAnswer
    const { title, span, coverage } = answer.report!
    const parts = given.part === undefined ? (answer.briefs?.length ?? 1) - 1 : 0
    const text = answer.draft ?? answer.briefs![0]!.text!
    return {
      head: { title, span, coverage, ...(parts > 0 ? { parts } : {}) },
      list: 'markdown',
      entries: () => entriesOf(text),
    }
  },
}

const BLOCK = 3000

/** The text in pieces that end where a paragraph ends. */
function* entriesOf(text: string): Generator<Entry> {
  let piece = ''
  for (const paragraph of text.split(/\n\n(?=#|\*\*|- |\*|<)/)) {
    if (piece !== '' && piece.length + paragraph.length > BLOCK) {
      yield { entry: { text: piece } }
      piece = ''
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`
  }
  if (piece !== '') yield { entry: { text: piece } }
}

const whyTool: Tool = {
  name: 'why',
  title: 'Why a file or line is as it is',
  description: `Tells which earlier sessions changed a file, the newest first: the prompt that led to each change, what the agent said before it, and the commit that followed. With text, only changes that wrote that line. Use it before you change or remove code whose reason you do not know. "cite" is for read.`,
  command: async () => (await import('../../commands/why/command.ts')).why as unknown as Command,
  fields: {
    file: 'a file: its path, or the end of it',
    text: 'the content of the line, as it is in the file',
    limit: 'changes in an answer (5)',
  },
  required: ['file'],
  usual: 5,
  async ask(command, { file, ...given }, context, until) {
    // Only files of clients are opened for an agent, so lines are not looked up.
    const path = String(file).replace(/:\d+$/, '')
    const { total, changes } = (await command.run(
      checkedInput(command, { ...given, file: path, limit: until }),
      context,
    )) as WhyAnswer
    const names = shortNames(context.fresh!.store.known())
    return {
      head: { total },
      list: 'changes',
      entries: () => changes.map((change) => ({ entry: changeForAgents(change, names) })),
    }
  },
}

function changeForAgents(
  { path, line, session: _, title, asked, reason, ...rest }: WhyAnswer['changes'][number],
  names: ShortNames,
): object {
  const quoted = (some: typeof asked): object =>
    some ? { who: some.who, at: some.at, text: cut(some.text, 2 * QUOTE) } : {}
  return {
    cite: citation(names, { path, line }),
    ...rest,
    title: quote(title),
    ...(asked && { asked: quoted(asked) }),
    ...(reason && { reason: quoted(reason) }),
  }
}

/** The reading commands as tools for agents, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  searchTool,
  readTool,
  whyTool,
  sessionsTool,
  projectsTool,
  statsTool,
  devlogTool,
]
