import * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import type { Notice } from '../model/artifact.ts'
import { parseQuery } from '../search/query.ts'
import { snippetOf } from '../search/snippet.ts'
import type { Context } from './command.ts'
import type { Owned } from './memory-semantic.ts'
import { cleaner } from './read-job.ts'
import { parseTime } from './time.ts'

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
 * What these agents have of the words in their semantic memory, by their own index. Throws where none of them has one; `notices`
 * gets what could not be read.
 */
export function recalled(
  owned: readonly Owned[],
  { words, file, limit = MOST }: { words: string; file?: string; limit?: number },
  notices: Notice[],
  context: Context,
): RecallJson {
  if (owned.length === 0 && notices.length === 0)
    throw new ScrollbackError(
      'nothing-found',
      'There is no semantic memory to recall from.',
      `To search in the texts themselves: ${context.suggest('search', 'who:memory', words)}`,
    )
  const clean = cleaner(context.redact)
  const most = limit || Number.POSITIVE_INFINITY
  const query = parseQuery(words, context.now, parseTime)
  const answer: RecallJson = { words, total: 0, hits: [] }
  for (const { platform, index } of owned) {
    // What a file narrows down afterwards has to be there whole.
    const found = platform.recall?.(index, words.split(/\s+/), file === undefined ? most : 1e9)
    if (!found) continue
    if ('message' in found) {
      notices.push(found)
      context.note(`${found.path}: ${found.message}`, 'partly')
      continue
    }
    if (found.why !== undefined)
      context.note(
        `${index.path}: its index of words cannot be asked (${clean(found.why)}); the chunks themselves were compared.`,
      )
    const hits = found.hits.filter(({ name }) => name.toLowerCase().includes((file ?? '').toLowerCase()))
    answer.total += file === undefined ? found.total : hits.length
    for (const { agent, name, kind, startLine, endLine, text } of hits) {
      if (answer.hits.length >= most) break
      // Secrets go before the text is cut: half of one would not be known as such.
      const snippet = snippetOf(clean(text), query).text
      answer.hits.push({ agent, name: clean(name), kind: clean(kind), startLine, endLine, snippet })
    }
  }
  return answer
}
