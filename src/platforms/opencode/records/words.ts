/** `opencode run` stores an argument with white space in double quotes. */
const QUOTED = /^"((?:[^"\\]|\\[\s\S])*)"$/

/** What a person typed. */
export function typedWords(text: string): string {
  const inside = QUOTED.exec(text)?.[1]
  return inside !== undefined && /\s/.test(inside) ? inside.replaceAll('\\"', '"') : text
}

/** The text that stands for a command of the shell, which the next reply contains as a tool call. */
export const SHELL = 'The following tool was executed by the user'
