import { asObject, asText, type JsonObject } from '../../model/json.ts'
import { append } from '../../model/lists.ts'

/** What tool results begin with when the human refused the call or the plan: no errors, and to be read with care. */
export const REFUSALS = [
  "The user doesn't want to ",
  'Permission for this tool use was denied. The tool use was rejected',
  'The agent proposed a plan that was rejected by the user',
] as const

const REFUSED =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\. The tool use was rejected|The agent proposed a plan that was rejected by the user)/
const SAID = /(?:the user said|The user said):\n/
/** What a question menu says in the human's name when nothing was typed. */
const CANNED = /^\s*(?:The user wants to clarify these questions|The user has indicated|User chose)/
const NOTE = "\n\nNote: The user's next message may contain"

/** Whether a tool result is a refusal by the human, and what was typed along with it. */
export function rejection(text: string): { words?: string } | undefined {
  if (!REFUSED.test(text)) return undefined
  const said = SAID.exec(text)
  if (!said) return {}
  const rest = text.slice(said.index + said[0].length)
  const note = rest.indexOf(NOTE)
  return { words: typed(note < 0 ? rest : rest.slice(0, note)) }
}

/** Words typed into a dialog; undefined when the dialog wrote them itself. */
export function typed(text: string | undefined): string | undefined {
  const words = text?.trim()
  return words === undefined || words === '' || CANNED.test(words) ? undefined : words
}

const RESPONDED = 'The user responded: '
/**
 * By these the fast path knows that a result holds the human's answers: chosen, typed, typed instead of any, given before
 * more questions were asked for, and given before nobody was there any more.
 */
export const ANSWERED = [
  'User has answered your question',
  'Your questions have been answered',
  'The user answered: ',
  RESPONDED,
  'The user asked for more questions',
  'No response after ',
] as const

/** What the client writes where an answer has no words. */
const WORDLESS = new Set(['', '(notes only)', '(no option selected)'])

/**
 * The answers a human gave to the agent's questions: from the record beside the result, which keeps them apart, or
 * from the text, where a quotation mark inside an answer cannot be told from the end of it.
 */
export function answersIn(text: string, recorded: unknown): string | undefined {
  if (!ANSWERED.some((opening) => text.startsWith(opening))) return undefined
  const answers = recordedAnswers(asObject(recorded))
  return (answers.length > 0 ? answers : answersInText(text)).join('\n') || undefined
}

function answersInText(text: string): string[] {
  if (text.startsWith(RESPONDED)) return said(text.slice(RESPONDED.length))
  const answers: string[] = []
  for (const match of text.matchAll(
    /"="((?:[^"\\]|\\.|"(?!(?:, "|\.\s|\.$| selected preview:| (?:user )?notes:)))*)"/g,
  ))
    append(answers, said(match[1]))
  const more = /They also wrote: "(.*)"\. Call /s.exec(text)?.[1]
  return [...answers, ...said(more)]
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
    append(answers, said(words))
    append(answers, said(asText(asObject(notes[question])?.notes)))
  }
  return [...answers, ...said(asText(recorded?.response))]
}

/** None or one: what has words. */
function said(text: string | undefined): string[] {
  const words = text?.trim() ?? ''
  return WORDLESS.has(words) ? [] : [words]
}
