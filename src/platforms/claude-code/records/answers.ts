import { append } from '../../../model/iteration.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'

/** Tool results of calls or plans that the human declined. They are not errors and may contain a comment. */
const REFUSED =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\. The tool use was rejected|The agent proposed a plan that was rejected by the user)/
const COMMENT = /(?:the user said|The user said):\n/
/** Default texts of a question menu, used when the human typed nothing. */
const CANNED = /^\s*(?:The user wants to clarify these questions|The user has indicated|User chose)/
const NOTE = "\n\nNote: The user's next message may contain"

/** Whether the human declined the tool call, with the comment they typed. */
export function rejection(text: string): { words?: string } | undefined {
  if (!REFUSED.test(text)) return undefined
  const match = COMMENT.exec(text)
  if (!match) return {}
  const rest = text.slice(match.index + match[0].length)
  const note = rest.indexOf(NOTE)
  return { words: typed(note < 0 ? rest : rest.slice(0, note)) }
}

/** The text typed into a dialog. Undefined if the dialog filled it in itself. */
export function typed(text: string | undefined): string | undefined {
  const words = text?.trim()
  return words === undefined || words === '' || CANNED.test(words) ? undefined : words
}

const RESPONDED = 'The user responded: '
/**
 * The beginnings of a result with the human's answers: chosen, typed, typed instead of any option, given
 * before more questions were requested, and given before the human left.
 */
const ANSWERED = [
  'User has answered your question',
  'Your questions have been answered',
  'The user answered: ',
  RESPONDED,
  'The user asked for more questions',
  'No response after ',
] as const

/** Texts that the client writes for an empty answer. */
const WORDLESS = new Set(['', '(notes only)', '(no option selected)'])

/**
 * The human's answers to the agent's questions. Taken from the structured record next to the result if there
 * is one, else from the text, in which a quotation mark inside an answer is ambiguous.
 */
export function answersIn(text: string, recorded: unknown): string | undefined {
  if (!ANSWERED.some((opening) => text.startsWith(opening))) return undefined
  const answers = recordedAnswers(asObject(recorded))
  return (answers.length > 0 ? answers : answersInText(text)).join('\n') || undefined
}

function answersInText(text: string): string[] {
  if (text.startsWith(RESPONDED)) return textsOf(text.slice(RESPONDED.length))
  const answers: string[] = []
  for (const match of text.matchAll(
    /"="((?:[^"\\]|\\.|"(?!(?:, "|\.\s|\.$| selected preview:| (?:user )?notes:)))*)"/g,
  ))
    append(answers, textsOf(match[1]))
  const more = /They also wrote: "(.*)"\. Call /s.exec(text)?.[1]
  return [...answers, ...textsOf(more)]
}

function recordedAnswers(recorded: JsonObject | undefined): string[] {
  const answers: string[] = []
  const given = asObject(recorded?.answers) ?? {}
  const notes = asObject(recorded?.annotations) ?? {}
  // A question may have been answered by a note alone.
  for (const question of new Set([...Object.keys(given), ...Object.keys(notes)])) {
    const answer = given[question]
    const words = Array.isArray(answer)
      ? answer.filter((each) => typeof each === 'string').join(', ')
      : asText(answer)
    append(answers, textsOf(words))
    append(answers, textsOf(asText(asObject(notes[question])?.notes)))
  }
  return [...answers, ...textsOf(asText(recorded?.response))]
}

/** A list with the trimmed text, or an empty one if there is none. */
function textsOf(text: string | undefined): string[] {
  const words = text?.trim() ?? ''
  return WORDLESS.has(words) ? [] : [words]
}
