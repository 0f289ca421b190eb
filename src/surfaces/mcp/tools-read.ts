import { isForeignFile } from '../../commands/kit/choose-sessions.ts'
import { type Command, checkedInput } from '../../commands/kit/command.ts'
import type { Context } from '../../commands/kit/context.ts'
import { type ShortNames, shortNames } from '../../commands/kit/session-names.ts'
import type { Reading } from '../../commands/read.ts'
import { ScrollbackError } from '../../errors.ts'
import { agentExamples } from '../../platforms/identities.ts'
import { textOfPiece } from '../../render/gate.ts'
import { citation, cited, cut } from './cut.ts'
import { presentable } from './frame.ts'
import { inParts } from './parts.ts'
import type { Entry, Tool } from './tool.ts'

const LABEL = 200
const MEDIA = 10

interface ItemRow {
  session: string
  who: string
  at: string | null
  text: string | null
  tool: object | null
  path: string
  line: number
  label?: string
  media?: string[]
  [field: string]: unknown
}

export const readTool: Tool = {
  name: 'read',
  title: 'Read a past session',
  description: `Returns a condensed session: messages of human and agent in full, tool calls with their target, errors with their first line. target is "session" or "cite" of another answer, a project, an agent, latest, or <project>:latest. A cite starts at that line. Each item has its own "cite". budget fits a long session into this many tokens, messages first; full adds thinking, tool inputs and outputs.`,
  command: async () => (await import('../../commands/read.ts')).read as unknown as Command,
  fields: {
    target: 'session or cite of another answer, a project or agent, latest, or <project>:latest',
    platform: undefined,
    agent: `only this agent: ${agentExamples()}`,
    since: undefined,
    until: undefined,
    kind: undefined,
    limit: 'of a project, only its newest n sessions',
    fold: undefined,
    budget: undefined,
    full: undefined,
    subagents: undefined,
  },
  required: ['target'],
  async ask(command, { target, ...given }, context) {
    const names = shortNames(context.fresh!.store.known())
    const name = targetOf(String(target), names, context)
    const reading = (await command.run(
      checkedInput(command, { ...given, target: [name], format: 'json' }),
      context,
    )) as Reading
    return {
      head: {},
      list: 'items',
      entries: () => itemsFrom(reading, names),
    }
  },
}

/** Converts a citation or a name to what the command accepts. Only opens transcripts of platforms. */
function targetOf(target: string, names: ShortNames, context: Context): string {
  const known = context.fresh!.store.known()
  const [, base = target, line] = /^(.+):(\d{1,9})$/s.exec(target) ?? []
  const path = known.has(base) ? base : names.pathOf(base)
  if (path !== undefined) return line === undefined ? path : `${path}:${line}`
  if (known.has(target)) return target
  if (isForeignFile(target, context))
    throw new ScrollbackError(
      'no-session',
      `target: ${cut(target, LABEL)} is no transcript of an agent on this machine`,
      'Give "session" or "cite" of a hit or a row.',
    )
  return target
}

/** Yields item by item. Sessions are read lazily. */
function* itemsFrom(reading: Reading, names: ShortNames): Generator<Entry> {
  for (const { session, project, text } of reading.pieces('json', { color: false })) {
    const { id, title, startedMs, path } = session
    const row = {
      ...cited(names, { path, id }),
      title: title ? cut(title, LABEL) : null,
      project: project ?? null,
      startedAt: startedMs === undefined ? null : new Date(startedMs).toISOString(),
    }
    const items = JSON.parse(`[${textOfPiece(text)}]`) as ItemRow[]
    for (const item of items)
      for (const entry of inParts(presentable(forAgents(item, names)))) yield { entry, session: row }
  }
}

/** An item without the fields that only programs need. */
function forAgents(item: ItemRow, names: ShortNames): Record<string, unknown> {
  const { who, at, text, tool, label, media } = item
  const perhaps = ['marker', 'sure', 'offBranch', 'cut', 'thinking', 'input', 'output', 'summary'] as const
  return {
    cite: citation(names, item),
    ...{ who, at },
    ...(text === null ? {} : { text }),
    ...(tool === null ? {} : { tool }),
    ...(label === undefined ? {} : { label: cut(label, LABEL) }),
    ...(media === undefined ? {} : { media: media.slice(0, MEDIA).map((name) => cut(name, LABEL)) }),
    ...Object.fromEntries(perhaps.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  }
}
