import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command, Context } from '../../commands/command.ts'
import type { Reading } from '../../commands/read.ts'
import { ScrollbackError } from '../../errors.ts'
import { citation, cut } from './cut.ts'
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
  description: `Tells a past session condensed: the words of the human and the agent whole, tools with the one argument that matters, errors with the line that says so. target is "session" or "cite" of another answer, the beginning of a session id, or a project. From a cite on it tells what follows that place. Each item has its own "cite". budget fits a long session into so many tokens, dialogue first; full adds thinking, tool inputs and outputs.`,
  command: async () => (await import('../../commands/read.ts')).read as unknown as Command,
  fields: {
    target:
      'session id or its beginning, a cite (file:line), a project or agent, latest, or <project>:latest',
    platform: undefined,
    agent: 'only this agent: main, openclaw:main',
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
    const { name, path, line } = placeOf(String(target), context)
    const reading = (await command.run(
      command.input.parse({ ...given, target: [name], format: 'json' }),
      context,
    )) as Reading
    return {
      head: {},
      list: 'items',
      entries: () => itemsFrom(reading, (item) => item.path === path && item.line < line),
    }
  },
}

/** A file and the line to begin at, where a place is cited; else a name. Only transcripts that belong to agents are opened. */
function placeOf(target: string, context: Context): { name: string; path?: string; line: number } {
  const known = context.fresh!.store.known()
  if (known.has(target)) return { name: target, line: 0 }
  const [, path, line] = /^(.+):(\d{1,9})$/s.exec(target) ?? []
  if (path !== undefined && known.has(path)) return { name: path, path, line: Number(line) }
  const file = resolve(context.directory, path ?? target)
  if (target.includes('\0') || (existsSync(file) && statSync(file).isFile()))
    throw new ScrollbackError(
      'no-session',
      `target: ${cut(target, LABEL)} is no transcript of an agent on this machine`,
      'Give "session" or "cite" of a hit or a row.',
    )
  return { name: target, line: 0 }
}

/** Item by item; a session is read when it is come to. */
function* itemsFrom(reading: Reading, isBefore: (item: ItemRow) => boolean): Generator<Entry> {
  for (const { session, project, text } of reading.pieces('json', { color: false })) {
    const { id, title, startedMs } = session
    const row = {
      session: id,
      title: title ? cut(title, LABEL) : null,
      project: project ?? null,
      startedAt: startedMs === undefined ? null : new Date(startedMs).toISOString(),
    }
    const items = JSON.parse(
      `[${typeof text === 'string' ? text : Buffer.from(text).toString()}]`,
    ) as ItemRow[]
    for (const item of items)
      if (!isBefore(item))
        for (const entry of inParts(presentable(forAgents(item)))) yield { entry, session: row }
  }
}

/** An item without what only programs want. */
function forAgents(item: ItemRow): Record<string, unknown> {
  const { session, who, at, text, tool, label, media } = item
  const perhaps = ['marker', 'sure', 'offBranch', 'thinking', 'input', 'output', 'summary'] as const
  return {
    cite: citation(item),
    ...{ session, who, at },
    ...(text === null ? {} : { text }),
    ...(tool === null ? {} : { tool }),
    ...(label === undefined ? {} : { label: cut(label, LABEL) }),
    ...(media === undefined ? {} : { media: media.slice(0, MEDIA).map((name) => cut(name, LABEL)) }),
    ...Object.fromEntries(perhaps.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  }
}
