import * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import type { Notice } from '../../model/artifact.ts'
import { parseQuery } from '../../search/parse-query.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { Dialog, ReadingContext } from '../kit/context.ts'
import { cleaner } from '../kit/read-messages.ts'
import { parseTime } from '../kit/time.ts'
import type { Owned } from './semantic.ts'

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
