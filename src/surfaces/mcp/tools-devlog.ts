import { shortNames } from '../../commands/choose/short-names.ts'
import type { DevlogAnswer } from '../../commands/devlog/answer.ts'
import { checkedInput } from '../../commands/kit/checked-input.ts'
import type { Command } from '../../commands/kit/command.ts'
import { agentExamples } from '../../platforms/identities.ts'
import { citation } from './cut.ts'
import type { Entry, Tool } from './tool.ts'

type Citation = Evidence['commits'][number]['commit']
type Evidence = NonNullable<DevlogAnswer['evidence']>

/** The lists of the evidence, in the order in which a story needs them. */
const LISTS = [
  ...(['phases', 'decisions', 'themes', 'dynamics', 'questions', 'abandoned', 'commits'] as const),
  ...(['pullRequests', 'tests', 'errors', 'files', 'commands', 'sessions'] as const),
] as const

export const devlogTool: Tool = {
  name: 'devlog',
  title: 'Evidence for the story of a project',
  description: `Returns what past sessions show about a project, to write a devlog, a standup or a changelog from: phases, decisions, corrections, surprises, errors and how they ended, tests, commits, changed files, open questions. Each entry names its "list" and quotes the records with "cite". Quote and cite; state coverage as given; call something a theme only if it is in the list "themes".`,
  command: async () => (await import('../../commands/devlog/command.ts')).devlog as unknown as Command,
  fields: {
    project: 'a project, an agent, or <project>:latest',
    topic: undefined,
    since: undefined,
    until: undefined,
    platform: undefined,
    agent: `only this agent: ${agentExamples()}`,
    sessions: undefined,
  },
  required: ['project'],
  async ask(command, given, context) {
    const answer = (await command.run(
      checkedInput(command, { ...given, yes: true }),
      context,
    )) as DevlogAnswer
    const { project, topic, span, coverage, totals, ...lists } = answer.evidence!
    const names = shortNames(context.fresh!.store.known())
    return {
      head: { project, topic, span, coverage, totals },
      list: 'evidence',
      entries: () => entriesOf(lists, (path, line) => citation(names, { path, line })),
    }
  },
}

type Lists = Omit<Evidence, 'project' | 'topic' | 'span' | 'coverage' | 'totals'>

function* entriesOf(lists: Lists, cite: (path: string, line: number) => string): Generator<Entry> {
  for (const list of LISTS)
    for (const row of lists[list]) yield { entry: { list, ...(shortened(row, cite) as object) } }
}

/** Citations without what only programs need. */
function shortened(value: unknown, cite: (path: string, line: number) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => shortened(each, cite))
  if (typeof value !== 'object' || value === null) return value
  if ('digest' in value && 'path' in value && 'line' in value) {
    const { path, line, at, quote } = value as unknown as Citation
    return { cite: cite(path, line), at, quote }
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, shortened(each, cite)]])),
  )
}
