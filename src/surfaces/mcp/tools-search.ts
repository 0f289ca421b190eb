import type { HitJson } from '../../commands/search.ts'
import type { Found } from '../../commands/search-ask.ts'
import { headOf, hitsOf } from '../../commands/search-json.ts'
import { type ShortPlaces, shortPlaces } from '../../commands/short-places.ts'
import { citation, cited, cut } from './cut.ts'
import type { Entry, Tool } from './tool.ts'

const TEXT = 600
const NEIGHBOUR = 300
/**
 * The best of so many messages are weighed against each other at a time: with more of them their order is another one, so each window
 * leaves out what stood in the ones before.
 */
const WINDOWS = [40, 400, 1000]
const MOST_CONTEXT = 5

export const searchTool: Tool = {
  name: 'search',
  title: 'Search past conversations',
  description: `Finds what was said in earlier sessions of Claude Code and OpenClaw on this machine, and what tools were used on: the best matches first. Use it when something may have been discussed, decided or tried before.
query: words (all must occur, any order), "exact phrase", begin*, one OR other, -without, and filters: who:human|agent|program|tool|error, project:name, session:id, tool:Bash, file:src/a.ts, after:7d, before:2026-01-31, is:error, has:question. A filter alone is fine.
Each hit has a snippet and "cite" (session:line), which read takes to show what follows it; "sessions" tells the file of each.`,
  command: async () =>
    (await import('../../commands/search.ts')).search as unknown as Awaited<ReturnType<Tool['command']>>,
  fields: {
    query: 'words, "phrases", name:value filters',
    platform: undefined,
    agent: 'only this agent: main, openclaw:main',
    since: undefined,
    until: undefined,
    limit: 'matches in an answer (10)',
    context: `messages before and after each match, ${MOST_CONTEXT} at most`,
    sort: undefined,
  },
  required: ['query'],
  usual: 10,
  async ask(command, { query, context: near, ...given }, context) {
    const asked = (limit: number): Promise<Found> =>
      command.run(
        command.input.parse({
          ...given,
          query: [query],
          limit,
          context: Math.min(Number(near ?? 0), MOST_CONTEXT),
        }),
        context,
      ) as Promise<Found>
    const places = shortPlaces(context.fresh!.store.known())
    const first = await asked(WINDOWS[0]!)
    return {
      head: headOf(first),
      list: 'hits',
      entries: () => hitsInWindows(places, async (limit) => (limit === first.limit ? first : asked(limit))),
    }
  },
}

async function* hitsInWindows(
  places: ShortPlaces,
  asked: (limit: number) => Promise<Found>,
): AsyncGenerator<Entry> {
  const told = new Set<string>()
  for (const size of WINDOWS) {
    let all = 0
    for (const hit of hitsOf(await asked(size))) {
      all++
      const key = JSON.stringify([hit.path, hit.offset, hit.who, hit.text, hit.tool])
      if (told.has(key)) continue
      told.add(key)
      const session = cited(places, { path: hit.path, id: hit.session })
      // Texts of memory are cited by their path.
      yield { entry: hitForAgents(hit, places), ...(session.session === hit.path ? {} : { session }) }
    }
    if (all < size) return
  }
}

/** A hit without what only programs want. */
function hitForAgents(hit: HitJson, places: ShortPlaces): object {
  const { project, who, at, snippet, text, platform, agent, tool } = hit
  return {
    cite: citation(places, hit),
    ...{ project, who, at, snippet },
    // Of short messages the snippet is all.
    ...(text === null || text.length <= snippet.length ? {} : { text: cut(text, TEXT) }),
    ...(tool ? { tool } : {}),
    ...{ platform, agent },
    ...(hit.label === undefined ? {} : { label: cut(hit.label, NEIGHBOUR) }),
    ...(hit.offBranch ? { offBranch: true } : {}),
    ...(hit.goneSince === undefined ? {} : { goneSince: hit.goneSince }),
    ...(hit.context
      ? { before: hit.context.before.map(neighbour), after: hit.context.after.map(neighbour) }
      : {}),
  }

  function neighbour({
    line,
    who,
    at,
    text,
    tool,
  }: NonNullable<HitJson['context']>['before'][number]): object {
    return {
      cite: citation(places, { path: hit.path, line }),
      ...{ who, at },
      ...(text === null ? {} : { text: cut(text, NEIGHBOUR) }),
      ...(tool ? { tool } : {}),
    }
  }
}
