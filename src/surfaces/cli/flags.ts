import { Argument, type Command as Program, Option } from 'commander'
import { z } from 'zod'
import type { Command } from '../../commands/command.ts'
import { ScrollbackError } from '../../errors.ts'

/** A field of a command's input as the command line offers it. */
export interface Flag {
  field: string
  name: string
  kind: 'switch' | 'value' | 'list'
  positional: boolean
  placeholder: string
  description: string
  choices?: readonly string[]
}

/** What a field may say about itself in its metadata. */
interface FieldMeta {
  description?: string
  placeholder?: string
  positional?: boolean
}

/** The flags and arguments of a command, read from its schema. */
export function flagsOf(input: z.ZodObject): Flag[] {
  return Object.entries(input.shape).map(([field, schema]) => {
    const meta = ((schema as z.ZodType).meta() ?? {}) as FieldMeta
    const inner = unwrapped(schema as z.ZodType)
    return {
      field,
      name: field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      kind: inner instanceof z.ZodBoolean ? 'switch' : inner instanceof z.ZodArray ? 'list' : 'value',
      positional: meta.positional === true,
      placeholder: meta.placeholder ?? field,
      description: meta.description ?? '',
      choices: inner instanceof z.ZodEnum ? (inner.options as string[]) : undefined,
    }
  })
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType
  return inner
}

/** Adds the flags of a command to its entry in the program. */
export function addFlags(program: Program, command: Command): void {
  for (const flag of flagsOf(command.input)) {
    if (flag.positional) {
      program.addArgument(new Argument(flag.kind === 'list' ? `[${flag.field}...]` : `[${flag.field}]`, flag.description))
      continue
    }
    const option = new Option(flag.kind === 'switch' ? `--${flag.name}` : `--${flag.name} <${flag.placeholder}>`, flag.description)
    program.addOption(flag.choices ? option.choices([...flag.choices]) : option)
  }
}

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
