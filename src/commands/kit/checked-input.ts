import type * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'

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
    `${issue?.message}.`,
  )
}
