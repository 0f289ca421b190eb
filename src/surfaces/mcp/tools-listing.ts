import { type Command, checkedInput } from '../../commands/kit/command.ts'
import { type ShortNames, shortNames } from '../../commands/kit/session-names.ts'
import { agentExamples, platformNames } from '../../platforms/identities.ts'
import { cited, cut } from './cut.ts'
import type { Tool } from './tool.ts'

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

export const sessionsTool: Tool = {
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
