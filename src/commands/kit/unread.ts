import * as z from 'zod/mini'
import type { Discovery } from '../../collect/discover.ts'
import { platforms } from '../../platforms/index.ts'
import { counted } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'

/** Unread files, as JSON. */
export const unreadShape = () =>
  z.array(
    z.object({ path: z.string(), reason: z.string(), copy: z.optional(z.boolean()), bytes: z.number() }),
  )

/** The unread files without those that are never opened. */
export function unreadOf({ roots, unread }: Discovery): Discovery['unread'] {
  if (unread.length === 0) return unread
  const refused = new Set(
    roots.flatMap((root) =>
      root.found
        ? (platforms.find(({ id }) => id === root.platform)?.files.refused(root) ?? []).map(
            ({ path }) => path,
          )
        : [],
    ),
  )
  return unread.filter(({ path, copy, deleted }) => !deleted && (copy || !refused.has(path)))
}

/** What to do about unread copies. */
export function* unreadLines(
  unread: readonly { copy?: boolean }[],
  screen: Pick<Screen, 'suggest'>,
): Generator<string> {
  const copies = unread.filter(({ copy }) => copy).length
  if (copies > 0)
    yield `${copies} ${copies === 1 ? 'copy' : 'copies'} of transcripts may contain messages that are nowhere else: ${screen.suggest('sessions', '--all', '--backups')}\n`
}

/** One line for answers about everything, if there are unread files. */
export function* unreadLine(unread: number, screen: Pick<Screen, 'suggest'>): Generator<string> {
  if (unread > 0)
    yield `${counted(unread, 'file')} next to sessions ${unread === 1 ? 'was' : 'were'} not read. See which: ${screen.suggest('doctor')}\n`
}
