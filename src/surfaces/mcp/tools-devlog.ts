import type { DevlogAnswer } from '../../commands/devlog/answer.ts'
import { type Command, checkedInput } from '../../commands/kit/command.ts'
import { agentExamples } from '../../platforms/identities.ts'
import type { Entry, Tool } from './tool.ts'

export const devlogTool: Tool = {
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
