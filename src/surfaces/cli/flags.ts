import { Argument, Option, type Command as Program } from 'commander'
import type * as z from 'zod/mini'
import type { Command } from '../../commands/kit/command.ts'
import { type Flag, flagsOf, flagTerm } from '../../commands/kit/flags.ts'
import { ScrollbackError } from '../../errors.ts'

const gather = (value: string, before: string[] = []): string[] => [...before, value]

/** Adds flags and arguments to a program. */
export function addFlags(program: Program, flags: readonly Flag[]): void {
  for (const flag of flags) {
    if (flag.positional) {
      program.addArgument(
        new Argument(flag.kind === 'list' ? `[${flag.field}...]` : `[${flag.field}]`, flag.description),
      )
      continue
    }
    const option = new Option(flagTerm(flag), flag.description)
    if (flag.kind === 'list') option.argParser(gather)
    program.addOption(flag.choices ? option.choices([...flag.choices]) : option)
  }
}

/** Precedes a word that begins with a minus and is not a flag. */
const GUARD = '\0'

/** What words after a command may be. */
export type Words = 'none' | 'names' | 'any'

export function wordsTaken({ input }: Command): Words {
  const positional = flagsOf(input).filter((flag) => flag.positional)
  if (positional.length === 0) return 'none'
  return positional.some((flag) => flag.words) ? 'any' : 'names'
}

/**
 * Prevents words that begin with one minus from being parsed as flags: folder names of Claude Code
 * (`-home-ann-api`), and any word if the command takes words (`-x` in a query). Call `unguarded` on the
 * result of parsing.
 */
export function guarded(args: readonly string[], words: Words): string[] {
  if (words === 'none') return [...args]
  if (words === 'names') return args.map((arg) => (/^-[^-\s]{2}/.test(arg) ? `${GUARD}${arg}` : arg))
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

/** Checks values against a schema. An error names the flag. */
export function parseInput<Input extends z.ZodMiniObject>(
  command: string,
  input: Input,
  given: Record<string, unknown>,
): z.output<Input> {
  const parsed = input.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const flag = flagsOf(input).find((each) => each.field === issue?.path[0])
  const fault = flag?.choices ? 'there is no such choice' : issue?.message
  throw new ScrollbackError(
    'bad-option',
    `${flag?.positional ? flag.field : `--${flag?.name}`} ${String(given[flag?.field ?? ''])}: ${fault}`,
    flag?.choices ? `Choose one: ${flag.choices.join(', ')}` : `See: scrollback ${command} --help`,
  )
}
