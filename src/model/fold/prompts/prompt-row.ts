import type { Session } from '../../session.ts'
import type { Prompt } from './prompt.ts'

/** Messages in a session row are cut to this many characters. Less is shown. */
export const QUOTE_LIMIT = 12_000
/** At most this many prompts from other sessions are listed. */
const MOST_SENT = 50
/** How many of the first human messages may name the project. */
const OPENING = 5
const LATEST = 3

/** What a session row contains of its prompts. */
export interface PromptRow {
  /** How many are a human's. */
  human: number
  /** The first texts of the human, and the last ones. */
  first: string[]
  last: string[]
  firstProgram?: string
  sent: NonNullable<Session['promptedBy']>
}

export const EMPTY_ROW: PromptRow = { human: 0, first: [], last: [], sent: [] }

/** The same with more prompts. */
export function withPrompts(row: PromptRow, prompts: readonly Prompt[]): PromptRow {
  if (prompts.length === 0) return row
  const human = prompts.filter((each) => each.speaker === 'human')
  const texts = human.flatMap((each) => each.text ?? [])
  const program = prompts.find((each) => each.speaker === 'program' && each.text)?.text
  const firstProgram = row.firstProgram ?? (program && quote(program))
  const sent = prompts.flatMap(({ by, event }) => (by ? [{ line: event.origin.line, by }] : []))
  return {
    human: row.human + human.length,
    first: [...row.first, ...texts.slice(0, OPENING).map(quote)].slice(0, OPENING),
    last: [...row.last, ...texts.slice(-LATEST).map(quote)].slice(-LATEST),
    ...(firstProgram === undefined ? {} : { firstProgram }),
    sent: [...row.sent, ...sent.slice(0, MOST_SENT)].slice(0, MOST_SENT),
  }
}

const quote = (text: string): string => (text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text)
