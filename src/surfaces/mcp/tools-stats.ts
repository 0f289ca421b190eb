import { type Command, checkedInput } from '../../commands/kit/command.ts'
import type { StatsAnswer } from '../../commands/stats-figures.ts'
import { agentExamples } from '../../platforms/identities.ts'
import { cut } from './cut.ts'
import type { Tool } from './tool.ts'

const MOST_TOOLS = 12
const MOST_FILES = 8
const NAME = 120

export const statsTool: Tool = {
  name: 'stats',
  title: 'Count past work',
  description: `Sums up past sessions: sessions, messages, words, tool calls, errors, tokens and cost in US dollars at list price, in total and by day, week, month, block of five hours, model, project, project and day, session, tool or agent. The newest times, or the highest costs, come first. Use it for how much and how often, and search for what.`,
  command: async () => (await import('../../commands/stats.ts')).stats as unknown as Command,
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
        ...{ project, totals, activeDays },
        tools: tools.slice(0, MOST_TOOLS).map((each) => ({ ...each, name: cut(each.name, NAME) })),
        files: files.slice(0, MOST_FILES).map((each) => ({ ...each, path: cut(each.path, NAME) })),
        ...{ by, total: rows.length },
      },
      list: 'rows',
      entries: () => rows.map((entry) => ({ entry })),
    }
  },
}
