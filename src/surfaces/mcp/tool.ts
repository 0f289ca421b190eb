import type { Command } from '../../commands/kit/command.ts'
import type { Context } from '../../commands/kit/context.ts'
import { flagsOf } from '../../commands/kit/flags.ts'

/** One entry of an answer, and the row of the session it belongs to. */
export interface Entry {
  entry: object
  session?: { session: string }
}

/** The result of a command before it is cut to an answer. */
export interface Listing {
  /** Precedes the list in every answer. */
  head: object
  /** The name of the list. */
  list: string
  /** All entries, always in the same order, created lazily. */
  entries(): Iterable<Entry> | AsyncIterable<Entry>
}

/** A command as an agent sees it. */
export interface Tool {
  name: string
  title: string
  /** For agents: when to use it, what it returns, and how to continue. */
  description: string
  command(): Promise<Command>
  /** The fields of the command's input that agents may use. A text overrides the description of the field. */
  fields: Readonly<Record<string, string | undefined>>
  /** The names of required fields. */
  required: readonly string[]
  /** The default number of entries. Absent if only the size limits the answer. */
  usual?: number
  /** Runs the command. `until` is how many entries will be consumed. */
  ask(command: Command, given: Record<string, unknown>, context: Context, until: number): Promise<Listing>
}

/**
 * Words of a command for an agent that calls it as a tool: the flags that are arguments become the names of
 * these, and a sentence or parenthesis about another flag is left out.
 */
export function toolWords({ fields }: Tool, { input }: Command): (text: string) => string {
  const wanted = flagsOf(input).filter(({ field }) => field in fields)
  const names = new Map(wanted.map(({ name, field }) => [name, field]))
  const isKnown = (part: string): boolean => [...part.matchAll(FLAG)].every(([, name]) => names.has(name!))
  const sentences = (line: string): string =>
    line
      .split(/(?<=[.;]) /)
      .filter(isKnown)
      .join(' ')
  return (text) =>
    text
      .replace(/ ?\([^()\n]*\)/g, (part) => (isKnown(part) ? part : ''))
      .split('\n')
      .map(sentences)
      .join('\n')
      .trim()
      .replace(FLAG, (_, name: string) => names.get(name)!)
}

const FLAG = /(?<![\w/-])--([a-z][a-z-]*)/g
