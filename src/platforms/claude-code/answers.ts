import { asObject, asText, type JsonObject } from '../../model/json.ts'

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

/** By these the fast path knows that a result holds the human's answers. */
export const ANSWERED = ['User has answered your question', 'Your questions have been answered'] as const

/**
 * The answers a human gave to the agent's questions: from the record beside the result, which keeps them apart, or
 * from the text, where a quotation mark inside an answer cannot be told from the end of it.
 */
export function answersIn(text: string, recorded: unknown): string | undefined {
  if (!ANSWERED.some((opening) => text.startsWith(opening))) return undefined
  const answers = recordedAnswers(asObject(recorded))
  if (answers.length === 0)
    for (const match of text.matchAll(
      /"="((?:[^"\\]|\\.|"(?!(?:, "|\.\s|\.$| selected preview:| user notes:)))*)"/g,
    ))
      if (match[1]!.trim() !== '') answers.push(match[1]!.trim())
  return answers.length > 0 ? answers.join('\n') : undefined
}

function recordedAnswers(recorded: JsonObject | undefined): string[] {
  const answers: string[] = []
  const notes = asObject(recorded?.annotations)
  for (const [question, answer] of Object.entries(asObject(recorded?.answers) ?? {})) {
    const words = Array.isArray(answer)
      ? answer.filter((each) => typeof each === 'string').join(', ')
      : asText(answer)
    if (words?.trim()) answers.push(words.trim())
    const note = asText(asObject(notes?.[question])?.notes)?.trim()
    if (note) answers.push(note)
  }
  return answers
}
