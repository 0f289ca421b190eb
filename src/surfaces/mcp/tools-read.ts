import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command, Context } from '../../commands/command.ts'
import type { Reading } from '../../commands/read.ts'
import { type ShortPlaces, shortPlaces } from '../../commands/short-places.ts'
import { ScrollbackError } from '../../errors.ts'
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
  description: `Tells a past session condensed: the words of the human and the agent whole, tools with the one argument that matters, errors with the line that says so. target is "session" or "cite" of another answer, a project, an agent, latest, or <project>:latest. From a cite on it tells what follows that place. Each item has its own "cite". budget fits a long session into so many tokens, dialogue first; full adds thinking, tool inputs and outputs.`,
  command: async () => (await import('../../commands/read.ts')).read as unknown as Command,
  fields: {
    target: 'session or cite of another answer, a project or agent, latest, or <project>:latest',
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
    const places = shortPlaces(context.fresh!.store.known())
    const name = targetOf(String(target), places, context)
    const reading = (await command.run(
      command.input.parse({ ...given, target: [name], format: 'json' }),
      context,
    )) as Reading
    return {
      head: {},
      list: 'items',
      entries: () => itemsFrom(reading, places),
    }
  },
}

/** What is cited or named, as the command takes it. Only transcripts that belong to agents are opened. */
function targetOf(target: string, places: ShortPlaces, context: Context): string {
  const known = context.fresh!.store.known()
  const [, base = target, line] = /^(.+):(\d{1,9})$/s.exec(target) ?? []
  const path = known.has(base) ? base : places.pathOf(base)
  if (path !== undefined) return line === undefined ? path : `${path}:${line}`
  if (known.has(target)) return target
  const file = resolve(context.directory, base)
  if (target.includes('\0') || (existsSync(file) && statSync(file).isFile()))
    throw new ScrollbackError(
      'no-session',
      `target: ${cut(target, LABEL)} is no transcript of an agent on this machine`,
      'Give "session" or "cite" of a hit or a row.',
    )
  return target
}

/** Item by item; a session is read when it is come to. */
function* itemsFrom(reading: Reading, places: ShortPlaces): Generator<Entry> {
  for (const { session, project, text } of reading.pieces('json', { color: false })) {
    const { id, title, startedMs, path } = session
    const row = {
      ...cited(places, { path, id }),
      title: title ? cut(title, LABEL) : null,
      project: project ?? null,
      startedAt: startedMs === undefined ? null : new Date(startedMs).toISOString(),
    }
    const items = JSON.parse(
      `[${typeof text === 'string' ? text : Buffer.from(text).toString()}]`,
    ) as ItemRow[]
    for (const item of items)
      for (const entry of inParts(presentable(forAgents(item, places)))) yield { entry, session: row }
  }
}

/** An item without what only programs want. */
function forAgents(item: ItemRow, places: ShortPlaces): Record<string, unknown> {
  const { who, at, text, tool, label, media } = item
  const perhaps = ['marker', 'sure', 'offBranch', 'thinking', 'input', 'output', 'summary'] as const
  return {
    cite: citation(places, item),
    ...{ who, at },
    ...(text === null ? {} : { text }),
    ...(tool === null ? {} : { tool }),
    ...(label === undefined ? {} : { label: cut(label, LABEL) }),
    ...(media === undefined ? {} : { media: media.slice(0, MEDIA).map((name) => cut(name, LABEL)) }),
    ...Object.fromEntries(perhaps.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  }
}
