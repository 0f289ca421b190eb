import * as z from 'zod/mini'
import type { Discovery } from '../collect/discover.ts'
import { platforms } from '../platforms/index.ts'
import type { Screen } from './command.ts'
import { counted } from './table.ts'

/** What lies where sessions lie and was not read, as JSON. */
export const unreadShape = () =>
  z.array(
    z.object({ path: z.string(), reason: z.string(), copy: z.optional(z.boolean()), bytes: z.number() }),
  )

/** The same without what is told as never opened. */
export function unreadOf({ roots, unread }: Discovery): Discovery['unread'] {
  if (unread.length === 0) return unread
  const refused = new Set(
    roots.flatMap((root) =>
      root.found
        ? (platforms.find(({ id }) => id === root.platform)?.refused(root) ?? []).map(({ path }) => path)
        : [],
    ),
  )
  return unread.filter(({ path, copy }) => copy || !refused.has(path))
}

/** What to do about copies that were not read. */
export function* unreadLines(
  unread: readonly { copy?: boolean }[],
  screen: Pick<Screen, 'suggest'>,
): Generator<string> {
  const copies = unread.filter(({ copy }) => copy).length
  if (copies > 0)
    yield `${copies} ${copies === 1 ? 'copy' : 'copies'} of transcripts may hold messages that stand nowhere else: ${screen.suggest('sessions', '--all', '--backups')}\n`
}

/** A line for answers about everything, where anything was not read. */
export function* unreadLine(unread: number, screen: Pick<Screen, 'suggest'>): Generator<string> {
  if (unread > 0)
    yield `${counted(unread, 'file')} where sessions lie ${unread === 1 ? 'was' : 'were'} not read: ${screen.suggest('doctor')} names ${unread === 1 ? 'it' : 'them'}\n`
}
