import { createRandom, type Random } from '../random.ts'
import { innocentLines } from './innocent-lines.ts'
import { draw, pick } from './parts.ts'

export interface Innocent {
  /** Its sort, in words. */
  sort: string
  text: string
}

/** In transcripts nearly everything is inside JSON, once or twice. */
const wraps: ((line: string, random: Random) => string)[] = [
  (line) => line,
  (line) => line,
  (line, random) =>
    JSON.stringify({
      type: 'user',
      content: [{ tool_use_id: `toolu_01${draw(random, 'alnum', 22)}`, content: line }],
    }),
  (line) => JSON.stringify({ text: JSON.stringify({ output: line, is_error: false }) }),
]

/**
 * Invented lines without a secret, the same number of each sort, always the same ones for the same seed. A
 * few contain two.
 */
export function innocentSet(count: number, seed = 2): Innocent[] {
  const random = createRandom(seed)
  const sorts = Object.entries(innocentLines)
  return Array.from({ length: count }, (_, at) => {
    const [sort, lines] = sorts[at % sorts.length]!
    return { sort, text: pick(random, wraps)(pick(random, lines)(random), random) }
  })
}
