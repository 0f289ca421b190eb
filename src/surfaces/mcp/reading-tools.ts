import type { Reading } from '../../commands/read/command.ts'
import { headOf, hitsOf } from '../../commands/search/answer.ts'
import type { Found, HitJson } from '../../commands/search/ask.ts'
import { type Command, checkedInput } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { ScrollbackError } from '../../errors.ts'
import { agentExamples, platformNames } from '../../platforms/identities.ts'
import { textOfPiece } from '../../render/gate.ts'
import { isForeignFile } from '../../selection/choose-sessions.ts'
import { type ShortNames, shortNames } from '../../selection/session-names.ts'
import { citation, cited, cut, inParts, presentable } from './answer.ts'
import type { Entry, Tool } from './tool.ts'

const TEXT = 600
const NEIGHBOR = 300
/**
 * How many messages are ranked at once. A larger number changes the order, so each window leaves out the hits
 * of earlier ones.
 */
const WINDOWS = [40, 400, 1000]
const USUAL_CONTEXT = 1
const MOST_CONTEXT = 5

export const searchTool: Tool = {
  name: 'search',
  title: 'Search past conversations',
  description: `Finds passages in earlier sessions of ${platformNames('and')} on this machine, best first. Use it when something may have been discussed, decided or tried before.
query: a question in a sentence (ranks sessions by its words), or words (all must occur, any order), "exact phrase", begin*, one OR other, -without, and filters: who:human|agent|program|tool|error, project:name, session:id, tool:Bash, file:src/a.ts, after:7d, before:2026-01-31, is:error, has:question. A filter alone is fine.
Each hit has a snippet, the message before and after it, and "cite" (session:line); pass it to read to see what follows. "words" is how many of a sentence's words a passage contains. "sessions" has the file of each session.`,
  command: async () =>
    (await import('../../commands/search/command.ts')).search as unknown as Awaited<
      ReturnType<Tool['command']>
    >,
  fields: {
    query: 'words, "phrases", name:value filters',
    platform: undefined,
    agent: `only this agent: ${agentExamples()}`,
    since: undefined,
    until: undefined,
    limit: 'matches in an answer (10)',
    context: `messages before and after each match (${USUAL_CONTEXT}), ${MOST_CONTEXT} at most`,
    sort: undefined,
  },
  required: ['query'],
  usual: 10,
  usualTokens: 2000,
  async ask(command, { query, context: near, ...given }, context) {
    const asked = (limit: number): Promise<Found> =>
      command.run(
        checkedInput(command, {
          ...given,
          query: [query],
          limit,
          context: Math.min(Number(near ?? USUAL_CONTEXT), MOST_CONTEXT),
        }),
        context,
      ) as Promise<Found>
    const names = shortNames(context.fresh!.store.known())
    const first = await asked(WINDOWS[0]!)
    return {
      head: headOf(first),
      list: 'hits',
      entries: () => hitsInWindows(names, async (limit) => (limit === first.limit ? first : asked(limit))),
    }
  },
}

async function* hitsInWindows(
  names: ShortNames,
  asked: (limit: number) => Promise<Found>,
): AsyncGenerator<Entry> {
  const seen = new Set<string>()
  for (const size of WINDOWS) {
    let all = 0
    for (const hit of hitsOf(await asked(size))) {
      all++
      const key = JSON.stringify([hit.path, hit.offset, hit.who, hit.text, hit.tool])
      if (seen.has(key)) continue
      seen.add(key)
      const session = cited(names, { path: hit.path, id: hit.session })
      // Documents of memory are cited by their path.
      yield { entry: hitForAgents(hit, names), ...(session.session === hit.path ? {} : { session }) }
    }
    if (all < size) return
  }
}

/** A hit without the fields that only programs need. */
function hitForAgents(hit: HitJson, names: ShortNames): object {
  const { project, who, at, snippet, text, platform, agent, tool } = hit
  const cite = citation(names, hit)
  return {
    // Only transcripts are read by a citation.
    ...(who === 'memory' ? { file: cite } : { cite }),
    project,
    who,
    at,
    snippet,
    // For short messages, the snippet is the whole text.
    ...(text === null || text.length <= snippet.length ? {} : { text: cut(text, TEXT) }),
    ...(tool ? { tool } : {}),
    platform,
    agent,
    ...(hit.label === undefined ? {} : { label: cut(hit.label, NEIGHBOR) }),
    ...(hit.offBranch ? { offBranch: true } : {}),
    ...(hit.goneSince === undefined ? {} : { goneSince: hit.goneSince }),
    ...(hit.words === undefined ? {} : { words: hit.words }),
    ...(hit.by && { by: hit.by }),
    ...(hit.context
      ? { before: hit.context.before.map(neighbor), after: hit.context.after.map(neighbor) }
      : {}),
  }

  function neighbor({
    line,
    who,
    at,
    text,
    tool,
  }: NonNullable<HitJson['context']>['before'][number]): object {
    return {
      cite: citation(names, { path: hit.path, line }),
      who,
      at,
      ...(text === null ? {} : { text: cut(text, NEIGHBOR) }),
      ...(tool ? { tool } : {}),
    }
  }
}

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
  command: async () => (await import('../../commands/read/command.ts')).read as unknown as Command,
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
  const [, base = target, line] = /^(.+):(-?\d{1,9})$/s.exec(target) ?? []
  const path = known.has(base) ? base : names.pathOf(base)
  if (path !== undefined) return line === undefined ? path : `${path}:${line}`
  if (known.has(target)) return target
  if (isForeignFile(target, context))
    throw new ScrollbackError(
      'no-session',
      `target: ${cut(target, LABEL)} is not a transcript of an agent on this machine`,
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
    who,
    at,
    ...(text === null ? {} : { text }),
    ...(tool === null ? {} : { tool }),
    ...(label === undefined ? {} : { label: cut(label, LABEL) }),
    ...(media === undefined ? {} : { media: media.slice(0, MEDIA).map((name) => cut(name, LABEL)) }),
    ...Object.fromEntries(perhaps.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  }
}
