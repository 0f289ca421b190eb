import * as z from 'zod/mini'
import type { Discovery } from '../../collect/discover.ts'
import { forgottenTest } from '../../collect/forgotten.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Notice, OWN_MEMORY } from '../../model/artifact.ts'
import type { SemanticIndex } from '../../model/semantic.ts'
import { platforms } from '../../platforms/index.ts'
import { parseQuery } from '../../search/parse-query.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { Context, Dialog, ReadingContext } from '../kit/context.ts'
import { cleaner } from '../kit/read-messages.ts'
import { parseTime } from '../kit/time.ts'

export const semanticShape = () =>
  z.object({
    platform: z.string(),
    agent: z.string(),
    path: z.string(),
    chunks: z.number(),
    sources: z.array(z.object({ kind: z.string(), sources: z.number(), chunks: z.number() })),
    models: z.array(z.object({ model: z.string(), chunks: z.number() })),
    updatedAt: z.nullable(z.string()),
    changed: z.array(z.string()),
    gone: z.array(z.string()),
    missing: z.array(z.string()),
    unchecked: z.number(),
  })

export type SemanticJson = z.output<ReturnType<typeof semanticShape>>

/** An index and the platform that can search it. */
interface Owned {
  index: SemanticIndex
  platform: (typeof platforms)[number]
}

/**
 * The semantic memory of all agents, or of those whose name contains the text. Unreadable indexes are
 * reported.
 */
export function loadSemantic(
  { roots, notices: known }: Discovery,
  owner: string | undefined,
  context: ReadingContext,
): { all: Owned[]; chosen: Owned[]; notices: Notice[] } {
  const isForgotten = forgottenTest(context.environment)
  const read = roots
    .filter(({ found, platform }) => found && !isForgotten?.(platform, OWN_MEMORY))
    .flatMap((root) => {
      const platform = platforms.find(({ id }) => id === root.platform)
      const memory = platform?.memory?.semantic?.list(root, context.environment)
      return platform && memory ? { platform, ...memory } : []
    })
  const all = read.flatMap(({ platform, indexes }) => indexes.map((index) => ({ platform, index })))
  // An unreadable database with sessions was already reported during discovery.
  const reported = new Set(known.map(({ path }) => path))
  const notices = read.flatMap((each) => each.notices).filter(({ path }) => !reported.has(path))
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
  return { all, chosen: chooseOwned(all, owner?.toLowerCase()), notices }
}

function chooseOwned(all: readonly Owned[], owner: string | undefined): Owned[] {
  if (owner === undefined) return [...all]
  const whole = all.filter(({ index }) => index.agent.toLowerCase() === owner)
  return whole.length > 0 ? whole : all.filter(({ index }) => index.agent.toLowerCase().includes(owner))
}

/** Names and models come from another program's database, so they are redacted like any text. */
export function semanticJson({ platform, index }: Owned, { redact }: Context): SemanticJson {
  const clean = cleaner(redact)
  const sum = (by: 'kind' | 'model'): Map<string, number> => {
    const sums = new Map<string, number>()
    for (const part of index.parts) sums.set(part[by], (sums.get(part[by]) ?? 0) + part.chunks)
    return sums
  }
  const chunks = sum('kind')
  const kinds = [...new Set([...index.sources.keys(), ...chunks.keys()])].sort()
  const { changed, gone, missing, unchecked } = index.freshness
  return {
    platform: platform.id,
    agent: index.agent,
    path: index.path,
    chunks: index.chunks,
    sources: kinds.map((kind) => ({
      kind: clean(kind),
      sources: index.sources.get(kind) ?? 0,
      chunks: chunks.get(kind) ?? 0,
    })),
    models: [...sum('model')].map(([model, count]) => ({ model: clean(model), chunks: count })),
    updatedAt: index.updatedMs === undefined ? null : new Date(index.updatedMs).toISOString(),
    changed: changed.map(clean),
    gone: gone.map(clean),
    missing: missing.map(clean),
    unchecked,
  }
}

const MOST = 20

export const recallShape = () =>
  z.object({
    words: z.string(),
    total: z.number(),
    hits: z.array(
      z.object({
        agent: z.string(),
        name: z.string(),
        kind: z.string(),
        startLine: z.number(),
        endLine: z.number(),
        snippet: z.string(),
      }),
    ),
  })

export type RecallJson = z.output<ReturnType<typeof recallShape>>

/**
 * Searches the semantic memory of these agents through its own index. Throws if none of them has one.
 * `notices` receives what could not be read.
 */
export function recalled(
  owned: readonly Owned[],
  { words, file, limit = MOST }: { words: string; file?: string; limit?: number },
  notices: Notice[],
  context: ReadingContext & Dialog,
): RecallJson {
  if (owned.length === 0 && notices.length === 0)
    throw new ScrollbackError(
      'nothing-found',
      '--recall: no semantic memory found.',
      `To search the documents: ${context.suggest('search', 'who:memory', words)}`,
    )
  const clean = cleaner(context.redact)
  const most = limit || Number.POSITIVE_INFINITY
  const query = parseQuery(words, context.now, parseTime)
  const answer: RecallJson = { words, total: 0, hits: [] }
  for (const { platform, index } of owned) {
    // If hits are narrowed down to a file later, all of them are needed here.
    const found = platform.memory?.semantic?.recall(
      index,
      words.split(/\s+/),
      file === undefined ? most : 1e9,
    )
    if (!found) continue
    if ('message' in found) {
      notices.push(found)
      context.note(`${found.path}: ${found.message}`, 'partly')
      continue
    }
    if (found.why !== undefined)
      context.note(
        `${index.path}: its full-text index cannot be queried (${clean(found.why)}); the chunks themselves were compared.`,
      )
    const hits = found.hits.filter(({ name }) => name.toLowerCase().includes((file ?? '').toLowerCase()))
    answer.total += file === undefined ? found.total : hits.length
    for (const { agent, name, kind, startLine, endLine, text } of hits) {
      if (answer.hits.length >= most) break
      // Secrets are redacted before the text is cut, because half a secret would not be recognized.
      const snippet = snippetOf(clean(text), query).text
      answer.hits.push({ agent, name: clean(name), kind: clean(kind), startLine, endLine, snippet })
    }
  }
  return answer
}
