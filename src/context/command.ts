import type * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import type { Printed } from '../render/gate.ts'
import type { Screen } from '../render/terminal.ts'
import type { Context, Dialog } from './context.ts'

/** A command line, and what it does. */
export interface Example {
  command: string
  description: string
}

/** Messages and figures, or also their words, which only a search needs. */
type Needs = 'messages' | 'words'

/** One operation, defined once for every surface. */
export interface Command<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output = unknown,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  name: string
  summary: string
  details?: string
  examples: readonly Example[]
  /** Built from `field`, so that every surface can describe it. */
  input: Input
  /** The schema of the JSON answer, created lazily. */
  output(): Answer
  /** Refuses an input before anything is read. */
  check?(input: z.output<Input>, context: Context): void
  /** Why the command has nothing to show with `--no-redact`, and what to do instead. */
  onlyRedacted?: { because: string; instead?: string }
  /** What the store has to contain before the command runs. */
  needs?: Needs | ((input: z.output<Input>, context: Context) => Needs | undefined)
  /** It writes what the store contains. If a human interrupts the reading, it ends without an answer. */
  isWhole?: true
  run(input: z.output<Input>, context: Context): Promise<Output> | Output
  /** Whether the answer says that nothing was found. Called after it was printed. The exit code is 1. */
  isNothing?(output: Output): boolean
  /** Renders the answer for people, in pieces. */
  render(output: Output, screen: Screen): Iterable<Printed>
  /** The answer is meant for a program or a file, so its lines are never wrapped. */
  isVerbatim?(output: Output): boolean
  /** The answer is rendered as JSON, also without `--json`. */
  isJson?(output: Output): boolean
  /** Renders the answer for programs, in pieces. If undefined, the output itself is the JSON. */
  json?(output: Output): Iterable<Printed> | undefined
  /** In its JSON, the name of a field, such as `key`, does not tell that its value is a secret. */
  searchesValues?: true
  /** The command prints while it runs, so its final answer is short. */
  stays?: true
  /** Lets a human at a terminal continue from the answer. Undefined when they decline. */
  follow?(
    output: Output,
    screen: Screen,
    choose: NonNullable<Dialog['choose']>,
  ): Promise<Iterable<string> | undefined>
}

export const defineCommand = <Input extends z.ZodMiniObject, Output, Answer extends z.ZodMiniType>(
  command: Command<Input, Output, Answer>,
): Command<Input, Output, Answer> => command

/** Parses arguments from another program. Throws `bad-option` with the name of the invalid one. */
export function checkedInput<Input extends z.ZodMiniObject>(
  { input }: { input: Input },
  given: Record<string, unknown>,
): z.output<Input> {
  const parsed = input.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0] ?? 'arguments')
  throw new ScrollbackError(
    'bad-option',
    `${name}: invalid value ${JSON.stringify(given[name])?.slice(0, 100)}`,
    issue?.code === 'invalid_value' ? `Choose ${issue.values.join(', ')}.` : `${issue?.message}.`,
  )
}

/** Refuses `--no-redact` where it has nothing to show. */
export function refuseSecrets({ name, onlyRedacted }: Command, { redact }: Pick<Context, 'redact'>): void {
  if (redact || !onlyRedacted) return
  throw new ScrollbackError(
    'bad-option',
    `--no-redact: not available for ${name}, because ${onlyRedacted.because}`,
    onlyRedacted.instead ?? 'Run the command without --no-redact.',
  )
}

/** Throws a `ScrollbackError` unless the user wants to remove something for good. */
export async function confirm(
  question: string,
  { yes }: { yes: boolean },
  { choose }: Pick<Context, 'choose'>,
): Promise<void> {
  if (yes) return
  const options = [
    { label: 'no', hint: 'change nothing' },
    { label: 'yes', hint: 'remove them for good' },
  ]
  if ((await choose?.(question, options)) === 1) return
  throw new ScrollbackError(
    'bad-option',
    'Nothing was removed.',
    'Add --yes to remove it, or --dry-run to see what would be removed.',
  )
}
