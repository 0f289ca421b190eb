import { asArray, asObject, asText, type JsonObject } from '../../model/json.ts'

/** `opencode run` stores an argument with white space in double quotes. */
const QUOTED = /^"((?:[^"\\]|\\[\s\S])*)"$/

/** What a person typed. */
export function typedWords(text: string): string {
  const inside = QUOTED.exec(text)?.[1]
  return inside !== undefined && /\s/.test(inside) ? inside.replaceAll('\\"', '"') : text
}

/** The text that stands for a command of the shell, which the next reply contains as a tool call. */
export const SHELL = 'The following tool was executed by the user'

/**
 * A prompt of the history as it was typed, with what was pasted in its place. A command of the shell begins
 * with its sign.
 */
export function promptIn({ input, parts, mode }: JsonObject): string {
  let text = asText(input) ?? ''
  for (const part of asArray(parts) ?? []) {
    const pasted = asObject(part)
    const sign = asText(asObject(asObject(pasted?.source)?.text)?.value)
    const whole = asText(pasted?.text)
    if (sign && whole !== undefined) text = text.replace(sign, () => whole)
  }
  return mode === 'shell' ? `!${text}` : text
}
