import * as z from 'zod/mini'
import type { Command } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { flagsOf, noteOf } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'

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
  /** The size of an answer in tokens, if that is not `USUAL_BYTES`. */
  usualTokens?: number
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

const LONGEST_TEXT = 4000
const MOST_ENTRIES = 1000

/** The descriptions of arguments in JSON Schema. */
export const descriptions = z.registry<{ description: string }>()

/** The arguments of a tool, derived from the input of its command. */
export function argumentsOf({ fields, required, usualTokens }: Tool, command: Command): z.ZodMiniObject {
  const shape: Record<string, z.ZodMiniType> = {}
  for (const [name, wanted] of Object.entries(fields)) {
    const field = command.input.shape[name]!
    const schema = argumentOf(field)
    descriptions.add(schema, { description: wanted ?? noteOf(field)?.description ?? '' })
    shape[name] = required.includes(name) ? schema : z.optional(schema)
  }
  const maxBytes = integer(LEAST_BYTES, MOST_BYTES)
  descriptions.add(maxBytes, {
    description: `size of the answer in bytes (${usualTokens === undefined ? USUAL_BYTES : `${usualTokens} tokens`})`,
  })
  const cursor = text()
  descriptions.add(cursor, {
    description: 'nextCursor of the previous answer; repeat its other arguments',
  })
  return z.strictObject({ ...shape, maxBytes: z.optional(maxBytes), cursor: z.optional(cursor) })
}

function argumentOf(field: z.core.$ZodType): z.ZodMiniType {
  let inner = field
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniDefault) inner = inner.def.innerType
  if (inner instanceof z.ZodMiniBoolean) return z.boolean('is neither true nor false')
  if (inner instanceof z.ZodMiniNumber) return integer(1, MOST_ENTRIES)
  if (!(inner instanceof z.ZodMiniEnum)) return text()
  const values = inner.options as string[]
  return z.enum(values, `is none of ${values.join(', ')}`)
}

/** Unlike on a command line, a text is not accepted as a number. */
function integer(least: number, most: number): z.ZodMiniType {
  const message = `is not a whole number from ${least} to ${most}`
  return z.number(message).check(z.int(message), z.gte(least, message), z.lte(most, message))
}

const text = (): z.ZodMiniType =>
  z.string('is no string').check(z.maxLength(LONGEST_TEXT, `is longer than ${LONGEST_TEXT} characters`))

/** Checks the arguments of a call. The error lets the agent correct them. */
export function checkArguments(given: object, schema: z.ZodMiniObject): Record<string, unknown> {
  // Some clients send null for missing arguments.
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const parsed = schema.safeParse(present)
  if (parsed.success) return parsed.data
  const unknown = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys')
    throw wrong(
      `${quoted(unknown.keys[0])}: there is no such argument`,
      `Known: ${Object.keys(schema.shape).join(', ')}.`,
    )
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0])
  const value = present[name]
  if (value !== undefined) throw wrong(`${name}: ${quoted(value)} ${issue?.message}`)
  throw wrong(`${name}: is missing`, `It is ${descriptions.get(schema.shape[name]!)?.description}.`)
}

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const wrong = (message: string, wayOut?: string): ScrollbackError =>
  new ScrollbackError('bad-option', message, wayOut)

/** How many bytes of JSON a token has, on average. */
const BYTES_OF_TOKEN = 4

/** The size of an answer in bytes, unless the agent asks for another. */
export const usualBytes = ({ usualTokens }: Tool): number =>
  usualTokens === undefined ? USUAL_BYTES : usualTokens * BYTES_OF_TOKEN

/** The size of an answer as agents see it, in bytes. */
const USUAL_BYTES = 16 * 1024
const LEAST_BYTES = 8 * 1024
const MOST_BYTES = 64 * 1024
