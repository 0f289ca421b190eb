import { ScrollbackError } from '../../errors.ts'
import type { Context } from '../kit/command.ts'

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
