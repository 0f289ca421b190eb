import { IdSet } from '../../../model/id-set.ts'
import { collectWords } from '../../../search/words.ts'
import type { Increment } from '../../increment.ts'
import type { Scope } from '../scope.ts'

/** The words that are not written again are forgotten at this number. */
const MOST_WORDS = 500_000

/** Something with messages. */
interface WithMessages {
  increment: Pick<Increment, 'messages' | 'prompts'>
}

/** Returns a function that writes the words of a batch, each of them once. */
export function createVocabulary({ connection, device }: Scope): (batch: readonly WithMessages[]) => void {
  let known = new IdSet()
  return (batch) => {
    if (known.size > MOST_WORDS) known = new IdSet()
    const words: string[] = []
    for (const { increment } of batch)
      for (const rows of [increment.messages, increment.prompts ?? []])
        for (const { text, target } of rows) collectWords(text ?? target ?? '', known, words)
    try {
      connection.insert(
        'vocabulary',
        ['word', 'device'],
        words.map((word) => [word, device]),
      )
    } catch (error) {
      known = new IdSet()
      throw error
    }
  }
}
