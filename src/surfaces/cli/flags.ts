import { Argument, Option, type Command as Program } from 'commander'
import * as z from 'zod/mini'
import type { Command } from '../../commands/command.ts'
import { noteOf } from '../../commands/fields.ts'
import { ScrollbackError } from '../../errors.ts'

/** A field of a command's input as the command line offers it. */
export interface Flag {
  field: string
  name: string
  kind: 'switch' | 'value' | 'list'
  positional: boolean
  words: boolean
  placeholder: string
  description: string
  choices?: readonly string[]
}

/** The flags and arguments of a command, read from its schema. */
export function flagsOf(input: z.ZodMiniObject): Flag[] {
  return Object.entries(input.shape).map(([field, schema]) => {
    const note = noteOf(schema)
    const inner = unwrapped(schema)
    return {
      field,
      name: field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      kind: inner instanceof z.ZodMiniBoolean ? 'switch' : inner instanceof z.ZodMiniArray ? 'list' : 'value',
      positional: note?.positional === true,
      words: note?.words === true,
      placeholder: note?.placeholder ?? field,
      description: note?.description ?? '',
      choices: inner instanceof z.ZodMiniEnum ? (inner.options as string[]) : undefined,
    }
  })
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniDefault) inner = inner.def.innerType
  return inner
}

/** Adds the flags of a command to its entry in the program. */
export function addFlags(program: Program, command: Command): void {
  for (const flag of flagsOf(command.input)) {
    if (flag.positional) {
      program.addArgument(
        new Argument(flag.kind === 'list' ? `[${flag.field}...]` : `[${flag.field}]`, flag.description),
      )
      continue
    }
    const option = new Option(
      flag.kind === 'switch' ? `--${flag.name}` : `--${flag.name} <${flag.placeholder}>`,
      flag.description,
    )
    program.addOption(flag.choices ? option.choices([...flag.choices]) : option)
  }
}

/** Stands before a word that begins with a minus and is no flag. */
const GUARD = '\0'

/**
 * Keeps words that begin with one minus from being taken for flags: folder names of Claude Code (`-home-ann-api`), and where a
 * command takes words any of them (`-x` in a query). `unguarded` has to be called on what comes out.
 */
export function guarded(args: readonly string[], command: Command): string[] {
  const given = flagsOf(command.input)
  if (!given.some((flag) => flag.positional)) return [...args]
  if (!given.some((flag) => flag.words))
    return args.map((arg) => (/^-[^-\s]{2}/.test(arg) ? `${GUARD}${arg}` : arg))
  return args.map((arg) =>
    arg !== '-h' && /^(?:-[^-]|--\S*\s)/.test(arg) && !/^--[\w-]+=/.test(arg) ? `${GUARD}${arg}` : arg,
  )
}

export const unguarded = <Value>(value: Value): Value =>
  (Array.isArray(value)
    ? value.map(unguarded)
    : typeof value === 'string' && value.startsWith(GUARD)
      ? value.slice(1)
      : value) as Value

/** Checks what was given against the command's schema; what is wrong is said in terms of the flags. */
export function parseInput(command: Command, given: Record<string, unknown>): Record<string, unknown> {
  const parsed = command.input.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const flag = flagsOf(command.input).find((each) => each.field === issue?.path[0])
  throw new ScrollbackError(
    'bad-option',
    `${flag?.positional ? flag.field : `--${flag?.name}`} ${String(given[flag?.field ?? ''])}: ${issue?.message}`,
    `See: scrollback ${command.name} --help`,
  )
}
