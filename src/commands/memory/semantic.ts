import * as z from 'zod/mini'
import type { Discovery } from '../../collect/discover.ts'
import { forgottenTest } from '../../collect/forgotten.ts'
import { type Notice, OWN_MEMORY } from '../../model/artifact.ts'
import type { SemanticIndex } from '../../model/semantic.ts'
import { platforms } from '../../platforms/index.ts'
import type { Context, ReadingContext } from '../kit/context.ts'
import { cleaner } from '../kit/read-messages.ts'

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
export interface Owned {
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
