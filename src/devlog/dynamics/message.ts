import type { Item } from '../../model/session.ts'
import { sentencesOf } from '../evidence/sentences.ts'
import type { Turn } from '../evidence/turns.ts'

/** A message with what the rules need to know about it. */
export interface Message {
  item: Item
  by: 'human' | 'agent'
  /** The sentences that rules read: the first of a long message. */
  sentences: readonly string[]
  /** The last message of the agent before a human's message, in the same session. */
  reply: Item | undefined
  /** The first message of the human in the session. */
  isFirst: boolean
  /** The last message of the agent in its turn. */
  isLast: boolean
}

/** A kind that a rule found in a message: the sentence that suggests it most, and how much. */
export interface Match {
  score: number
  sentence: string
}

/** A rule that decides by words whether a message is of a kind. */
export type MessageRule = (message: Message) => Match | undefined

/** People say what they mean early. */
const MOST_SENTENCES = 10
/** A longer message of a human is a pasted document. */
const LONGEST = 3000
const COMMAND = /^(?:\/[a-z][\w:-]*(?:\s|$)|! ?\S)/

/** The messages of human and agent in the turns of one session, in order. */
export function messagesOf(turns: readonly Turn[]): Message[] {
  const messages: Message[] = []
  let reply: Item | undefined
  let isFirst = true
  for (const { prompt, items } of turns) {
    if (prompt.who === 'human') {
      const text = prompt.text ?? ''
      // Commands of the client are not words to the agent.
      const sentences = COMMAND.test(text) || text.length > LONGEST ? [] : sentencesOf(text)
      messages.push({
        ...{ item: prompt, by: 'human', reply, isFirst, isLast: false },
        sentences: sentences.slice(0, MOST_SENTENCES),
      })
      isFirst = false
    }
    const replies = items.filter(({ who, text }) => who === 'agent' && text)
    for (const item of replies) {
      const isLast = item === replies.at(-1)
      const sentences = sentencesOf(item.text)
      const read =
        sentences.length > 2 * MOST_SENTENCES
          ? [...sentences.slice(0, MOST_SENTENCES), ...sentences.slice(-MOST_SENTENCES)]
          : sentences
      messages.push({ ...{ item, by: 'agent', reply: undefined, isFirst: false, isLast }, sentences: read })
    }
    reply = replies.at(-1) ?? reply
  }
  return messages
}

/** The sentence with the highest score, if that is above zero. */
export function best(sentences: readonly string[], score: (sentence: string) => number): Match | undefined {
  let found: Match | undefined
  for (const sentence of sentences) {
    const value = score(sentence)
    if (value > (found?.score ?? 0)) found = { score: value, sentence }
  }
  return found
}
