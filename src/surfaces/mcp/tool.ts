import type { Command, Context } from '../../commands/command.ts'

/** One thing that an answer lists, and the row of the session it belongs to. */
export interface Entry {
  entry: object
  session?: { session: string }
}

/** What a command found, before it is cut to an answer. */
export interface Told {
  /** Stands before the list in every answer. */
  head: object
  /** The name of the list. */
  list: string
  /** All there is to list, always in the same order; made as it is consumed. */
  entries(): Iterable<Entry> | AsyncIterable<Entry>
}

/** A command as an agent sees it. */
export interface Tool {
  name: string
  title: string
  /** For agents: when to use it, what comes back, how to go on. */
  description: string
  command(): Promise<Command>
  /** The fields of the command's input that agents may give; a text says of one what the command line says otherwise. */
  fields: Readonly<Record<string, string | undefined>>
  /** Fields that must be given. */
  required: readonly string[]
  /** Entries in an answer, unless `limit` says otherwise; absent where only its size bounds it. */
  usual?: number
  /** Runs the command. `until` is how many entries are going to be looked at. */
  ask(command: Command, given: Record<string, unknown>, context: Context, until: number): Promise<Told>
}
