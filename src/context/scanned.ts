import { join } from 'node:path'
import * as z from 'zod/mini'
import { ScrollbackError } from '../errors.ts'
import { shortName } from '../model/hidden.ts'
import { isEmptySession, type Session } from '../model/session.ts'
import { identityOf, joined } from '../platforms/identities.ts'
import { platforms } from '../platforms/index.ts'
import { counted, grouped, homely } from '../render/table.ts'
import type { Screen } from '../render/terminal.ts'
import type { Discovery } from '../sync/discover.ts'
import type { Context, ReadingContext } from './context.ts'

/** The part of every JSON answer that lists the roots that were read. */
export const scannedShape = () =>
  z.array(z.object({ platform: z.string(), root: z.string(), found: z.boolean() }))

export const noticesShape = () =>
  z.array(
    z.object({
      platform: z.string(),
      path: z.string(),
      message: z.string(),
    }),
  )

export const scannedOf = (found: Discovery): z.output<ReturnType<typeof scannedShape>> =>
  found.roots.map(({ platform, path, found: exists }) => ({ platform, root: path, found: exists }))

export const noticesOf = (found: Discovery): z.output<ReturnType<typeof noticesShape>> =>
  found.notices.map((notice) => ({ ...notice }))

/** How much of the files on disk an answer is made from, if not all of them. */
export interface Incomplete {
  /** Files that were read, and all. */
  files: number
  of: number
  /** Messages whose words are not indexed. */
  messages: number
}

export const incompleteShape = () => z.object({ files: z.number(), of: z.number(), messages: z.number() })

/** What an answer lacks because the store could not be brought up to date. */
export function incompleteOf({ fresh }: Pick<ReadingContext, 'fresh'>): Incomplete | undefined {
  if (!fresh) return undefined
  const { found, indexing, store } = fresh
  if (indexing) {
    const { files } = indexing
    return { files: found.count - (files.all - files.done), of: found.count, messages: store.unindexed() }
  }
  if (!found.missing) return undefined
  const { files, messages } = found.missing
  return { files: found.count - files, of: found.count, messages }
}

/** The first line of an incomplete answer. */
export const incompleteLine = ({ files, of, messages }: Incomplete): string =>
  `Incomplete: searched ${grouped(files)} of ${counted(of, 'file')}${messages > 0 ? `, without the words of ${counted(messages, 'message')}` : ''}.\n`

const NEWER = 'A newer client needs a newer scrollback.'
/** So many unknown types are named. */
const MOST_TYPES = 3

/**
 * What to know of a file of a form that this version does not know: it says so, or it has records of unknown
 * types and no message. Undefined for any other.
 */
export function unknownFormOf(session: Session): string | undefined {
  const { laterForm, accounting } = session
  if (laterForm !== undefined)
    return `says that it is of form ${shortName(String(laterForm))}, which this version does not know: messages may be missing. ${NEWER}`
  if (!isEmptySession(session)) return undefined
  const types = Object.entries(accounting.unknown)
  if (types.length === 0) return undefined
  const records = types.reduce((sum, [, count]) => sum + count, 0)
  const names = types.slice(0, MOST_TYPES).map(([type]) => shortName(type))
  if (types.length > MOST_TYPES) names.push('…')
  return `has ${counted(records, 'record')} of types that this version does not know (${names.join(', ')}), and no message that it reads. ${NEWER}`
}

type Scanned = z.output<ReturnType<typeof scannedShape>>

/**
 * Where was looked, if nothing was found: the folders that exist, and those that somebody named. The usual
 * folders of agents that are not here are one line.
 */
export function* scannedLines(scanned: Scanned, home: string): Generator<string> {
  const isUsual = ({ platform, root }: Scanned[number]): boolean =>
    root.startsWith(join(home, identityOf(platform).folder))
  const absent = scanned.filter((each) => !each.found && isUsual(each))
  for (const each of scanned)
    if (!absent.includes(each))
      yield `  ${each.found ? '✓' : '✗'} ${homely(each.root, home)} (${identityOf(each.platform).name})${each.found ? '' : ' is missing'}\n`
  const names = joined([...new Set(absent.map(({ platform }) => identityOf(platform).name))], 'or')
  if (absent.length > 0) yield `  ✗ no folder of ${names}\n`
}

/** Says that there are no transcripts at all, and where they may be, instead of an answer about none. */
export function requireTranscripts({ fresh, suggest }: ReadingContext & Pick<Context, 'suggest'>): void {
  if (!fresh || fresh.found.count > 0 || fresh.store.statistics().messages > 0) return
  throw new ScrollbackError(
    'nothing-found',
    'No transcripts on this machine.',
    `They may be elsewhere: ${suggest('help', ['sources'])}\nOr look around in invented ones: ${suggest.again({ flags: ['--demo'] })}`,
  )
}

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
