import type { Command } from '../../commands/command.ts'
import { type ShortPlaces, shortPlaces } from '../../commands/short-places.ts'
import { cited, cut } from './cut.ts'
import type { Tool } from './tool.ts'

const QUOTE = 240

/** Fields that listings take alike. */
const SPAN = {
  platform: undefined,
  agent: 'only this agent: main, openclaw:main',
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

/** A row without counts of bytes and lines, its quotes short. */
function sessionForAgents(row: SessionRow, places: ShortPlaces): { session: string } {
  const { id, title, path, firstHuman, lastHuman, firstProgram } = row
  const kept = [
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
    ...cited(places, { path, id }),
    title: quote(title),
    project: row.project,
    ...Object.fromEntries(kept.map((name) => [name, row[name]])),
    ...Object.fromEntries(perhaps.flatMap((name) => (row[name] ? [[name, row[name]]] : []))),
    firstHuman: quote(firstHuman),
    lastHuman: quote(lastHuman.at(-1)),
    ...(firstProgram === undefined ? {} : { firstProgram: quote(firstProgram) }),
  } as { session: string }
}

export const sessionsTool: Tool = {
  name: 'sessions',
  title: 'List past sessions',
  description: `Lists earlier sessions of Claude Code and OpenClaw on this machine, the most recently active first: when, which project and agent, title, the first and last words of the human. Use it to learn what was worked on, or to find the session to read. Without project it lists those of every project. "session" of a row is what read takes.`,
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
    const input = command.input.parse({ ...given, all: given.project === undefined, limit: until })
    const places = shortPlaces(context.fresh!.store.known())
    const { sessions, total } = (await command.run(input, context)) as {
      sessions: SessionRow[]
      total: number
    }
    return {
      head: { total },
      list: 'sessions',
      entries: () => sessions.map((row) => ({ entry: sessionForAgents(row, places) })),
    }
  },
}

export const projectsTool: Tool = {
  name: 'projects',
  title: 'List projects with past sessions',
  description: `Lists the projects that agents worked on on this machine, the most recent first: name, folder, agents, how many sessions and messages, first and last activity. With a name: which projects it may mean, and why. Other tools take the name as project.`,
  command: async () => (await import('../../commands/projects.ts')).projects as unknown as Command,
  fields: { name: undefined, ...SPAN, kind: undefined, limit: 'rows in an answer (30)' },
  required: [],
  usual: 30,
  async ask(command, given, context, until) {
    const { projects, total } = (await command.run(
      command.input.parse({ ...given, limit: until }),
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
