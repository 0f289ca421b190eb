import { asArray, asObject, asText, parsedJson } from '../model/json.ts'
import { explainingLine } from './error-lines.ts'

/** What a command printed is behind this. It may have lines like those that follow it. */
const OUTPUT = /^(?:Output|Stdout|Stderr): /gm
const ENDED = /^Exit Code: .*$/gm

/** The tool that runs a command. Other tools may print anything. */
export const SHELL = 'run_shell_command'
/** A result without these does not say how a command ended. */
export const ENDINGS = ['Exit Code:', 'Command timed out', 'Command was auto'] as const
/** The first sentence of a result whose command took too long for the client. */
const STOPPED = /^(?:<\w+>\n)?(Command (?:timed out|was automatically cancelled) .*?)\.(?:\s|$)/

/** Whether a command took too long for the client, which calls that a success. */
export const wasStopped = (name: unknown, body: string): boolean => name === SHELL && STOPPED.test(body)

/** The line that explains a failed call, in what Gemini CLI and its relatives return. */
export function failureLine(body: string): string | undefined {
  const text = ofMcpServer(body)
  const stopped = STOPPED.exec(text)?.[1]
  if (stopped !== undefined) return stopped
  const ended = text.match(ENDED)?.at(-1)
  const from = text.search(OUTPUT)
  if (ended === undefined || from < 0) return explainingLine(text.replace(/^(?:<\w+>\n)?Output: /, ''))
  const printed = text.slice(from, text.lastIndexOf(ended)).replace(OUTPUT, '')
  return explainingLine(printed, /^(?:\(empty\)|Error: \(none\))$/) ?? ended.toLowerCase()
}

/** Quotes in an argument or in a text of the server are escaped, so only the client itself writes this. */
const ANSWER = ' with response: [{"functionResponse":'

/**
 * What an MCP server said of a call that failed. Gemini CLI and its relatives put its whole answer behind a
 * sentence, as JSON: then it is taken out. Any other text is returned as it is.
 */
export function ofMcpServer(printed: string): string {
  const at = printed.startsWith('MCP tool ') ? printed.indexOf(ANSWER) : -1
  const parts = at < 0 ? undefined : asArray(parsedJson(printed.slice(printed.indexOf('[', at))))
  const answer = asObject(asObject(asObject(parts?.[0])?.functionResponse)?.response)
  return asText(asObject(answer?.error)?.message) ?? (textOf(answer?.content) || printed)
}

/** The text of what a call returned: a text, or the texts and resources in a list of parts, on own lines. */
export const textOf = (content: unknown): string =>
  asText(content) ??
  (asArray(content) ?? [])
    .flatMap((each) => {
      const block = asObject(each)
      return asText(block?.text) ?? asText(asObject(block?.resource)?.text) ?? []
    })
    .join('\n')
