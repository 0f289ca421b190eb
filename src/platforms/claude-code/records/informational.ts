import type { Payload } from '../../../model/event.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import { speakerOf } from '../words/speaker.ts'

const SKIPPED: Payload = { type: 'skipped', name: 'system:informational' }

/** The text before a prompt that a hook blocked. */
const BLOCKED = /^UserPromptSubmit operation (?:blocked|stopped) by hook/
const ORIGINAL = '\n\nOriginal prompt: '
/** An unknown slash command. Its arguments follow as an entry of their own. */
const UNKNOWN_COMMAND = /^Unknown (?:slash command|command|skill): (\/?[^\s.]+)\.?(?: Did you mean .*)?$/s
const UNKNOWN_ARGUMENTS = 'Args from unknown skill: '

/** A notice to the human. Some contain the only copy of a prompt. */
export function informational(entry: JsonObject): Payload {
  const text = asText(entry.content) ?? ''
  if (BLOCKED.test(text)) return blocked(entry, text)
  const command = UNKNOWN_COMMAND.exec(text)?.[1]
  if (command) return prompt(entry, command.startsWith('/') ? command : `/${command}`)
  if (text.startsWith(UNKNOWN_ARGUMENTS))
    return prompt(entry, text.slice(UNKNOWN_ARGUMENTS.length), undefined, true)
  return SKIPPED
}

/** If the prompt was kept, it has a line of its own. */
function blocked(entry: JsonObject, text: string): Payload {
  const at = text.indexOf(ORIGINAL)
  if (at < 0 || asObject(entry.promptSubmitEnding)?.promptKept === true) return SKIPPED
  return prompt(entry, text.slice(at + ORIGINAL.length), 'blocked by a hook')
}

function prompt(entry: JsonObject, text: string, label?: string, continues?: true): Payload {
  const words = text.trim()
  if (words === '') return SKIPPED
  const parts = [{ type: 'text' as const, text: words }]
  return {
    type: 'message',
    role: 'user',
    label,
    ...speakerOf(entry),
    parts,
    ...(continues ? { continues } : {}),
  }
}
