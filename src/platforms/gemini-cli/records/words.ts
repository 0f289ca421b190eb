import { asArray, asObject, asText } from '../../../model/json.ts'

/** The text of a content: a string, or a list of parts. */
export const textOf = (content: unknown): string =>
  asText(content) ?? (asArray(content) ?? []).flatMap((part) => asText(asObject(part)?.text) ?? []).join('\n')

/** What the client says about itself before the first prompt. */
export const isContext = (text: string): boolean => text.startsWith('<session_context>')

const SHELL = /^I ran the following shell command:\n```sh\n([\s\S]*?)\n```/
const FILES = /\n?--- Content from referenced files ---[\s\S]*$/

/** What a person typed: without the files that it refers to, and a command of the shell with its sign. */
export function promptIn(text: string): string {
  const command = SHELL.exec(text)?.[1]
  return command === undefined ? text.replace(FILES, '').trim() : `!${command}`
}

const ACKNOWLEDGED = 'Got it. Thanks for the additional context!'

/** The summary in a list of messages that a compaction made: a prompt that the client acknowledges itself. */
export function summaryIn(messages: readonly unknown[]): string | undefined {
  const texts = messages.map((message) => textOf(asObject(message)?.content))
  const at = texts.indexOf(ACKNOWLEDGED)
  return at > 0 && asObject(messages[at])?.type === 'gemini' ? texts[at - 1] : undefined
}
