import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isArchive, type OwnArchive, ownArchives } from '../../collect/archive/own-archives.ts'
import { ScrollbackError } from '../../errors.ts'
import { readOwn, writePrivateFile } from '../../io/own-files.ts'
import { asObject, parsedJson } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { identityOf } from '../../platforms/identities.ts'
import { counted, grouped, homely } from '../../render/table.ts'
import type { ReadingContext } from './context.ts'

/** Early enough to save the transcripts. */
const WARNED_DAYS = 7
const DAY = 86_400_000

/** A session whose client deletes its transcript within a week. */
export interface VanishingSession {
  session: Session
  /** The client deletes it at its first start after this time, in ms. */
  deletesMs: number
  /** The archive that has all of it. */
  archive?: string
}

type Asking = Pick<ReadingContext, 'now' | 'retentionDays' | 'dataFolder' | 'globalFlags'>

const rememberedPath = (dataFolder: string): string => join(dataFolder, 'retention.json')
const MOST = 1024

/** Keeps the days that the user states, for every later command. Undefined forgets them. */
export function rememberRetention(dataFolder: string, days: number | undefined): void {
  if (days === undefined) rmSync(rememberedPath(dataFolder), { force: true })
  else writePrivateFile(rememberedPath(dataFolder), JSON.stringify({ days }))
}

/** The days after which clients delete transcripts, if the user stated them: now, or once for all. */
export function statedRetention({
  retentionDays,
  dataFolder,
  globalFlags,
}: Omit<Asking, 'now'>): number | undefined {
  if (retentionDays !== undefined || globalFlags?.demo) return retentionDays
  try {
    const days = asObject(parsedJson(readOwn(rememberedPath(dataFolder), MOST)?.toString() ?? ''))?.days
    return typeof days === 'number' && days >= 1 ? days : undefined
  } catch {
    // It is only about a warning.
    return undefined
  }
}

/** The days after which a client deletes transcripts. */
export const retentionOf = (keeps: { days: number }, context: Omit<Asking, 'now'>): number =>
  statedRetention(context) ?? keeps.days

/** A client deletes when it starts, but perhaps not at each start. */
const SLACK_MS = 2 * DAY

const isThere = ({ goneMs, state }: Session): boolean => goneMs === undefined && state !== 'purged'

/**
 * The roots whose client keeps transcripts longer than by default: some that were overdue are still there
 * after the client was started again. Its setting would say so, but the file with it may contain keys and is
 * never opened. Files that were put there later, from a backup or another machine, prove nothing.
 */
export function rootsOutliving(sessions: readonly Session[], context: Omit<Asking, 'now'>): Set<string> {
  const longer = new Set<string>()
  if (context.globalFlags?.demo || statedRetention(context) !== undefined) return longer
  for (const [root, own] of Map.groupBy(sessions.filter(isThere), (session) => session.root)) {
    const { keeps } = identityOf(own[0]!.platform)
    if (!keeps) continue
    const started = own.reduce((latest, { startedMs = 0 }) => Math.max(latest, startedMs), 0)
    const outlived = ({ kind, path, modifiedMs }: Session): boolean =>
      kind !== 'subagent' &&
      modifiedMs + keeps.days * DAY + SLACK_MS < started &&
      (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? started) + SLACK_MS < started
    if (own.some(outlived)) longer.add(root)
  }
  return longer
}

/** What a caller has read before: see `rootsOutliving` and `ownArchives`. */
interface Known {
  longer?: ReadonlySet<string>
  archives?: readonly OwnArchive[]
}

/** The sessions that their clients delete soon, by the last change of their files, the next one first. */
export function vanishing(
  sessions: readonly Session[],
  context: Asking,
  { longer = rootsOutliving(sessions, context), archives: read }: Known = {},
): VanishingSession[] {
  const stated = statedRetention(context)
  const soon = sessions.flatMap((session): VanishingSession[] => {
    const { keeps } = identityOf(session.platform)
    if (!keeps || !isThere(session) || longer.has(session.root)) return []
    const deletesMs = session.modifiedMs + (stated ?? keeps.days) * DAY
    return deletesMs < context.now + WARNED_DAYS * DAY ? [{ session, deletesMs }] : []
  })
  if (soon.length === 0) return soon
  const archiveOf = archives(context, read)
  return soon
    .map((each) => {
      const archive = archiveOf(each.session)
      return archive === undefined ? each : { ...each, archive }
    })
    .sort((one, other) => one.deletesMs - other.deletesMs)
}

/** Returns a function that returns the archive of this machine that has the whole transcript of a session. */
function archives(
  { dataFolder, globalFlags }: Asking,
  read?: readonly OwnArchive[],
): (session: Session) => string | undefined {
  if (globalFlags?.demo || globalFlags?.from !== undefined) return () => undefined
  const found = (read ?? delivered(dataFolder)).filter(({ path }) => isArchive(path))
  return ({ path, bytes }) => found.find(({ files }) => (files.get(path) ?? -1) >= bytes)?.path
}

function delivered(dataFolder: string): OwnArchive[] {
  try {
    return ownArchives(dataFolder, { files: true })
  } catch (error) {
    // `collect` reports what is wrong with its state. Nothing is known to be in an archive.
    if (!(error instanceof ScrollbackError)) throw error
    return []
  }
}

/** The warnings in words, one for each client. */
export function retentionWarnings(
  soon: readonly VanishingSession[],
  context: Asking & Pick<ReadingContext, 'environment'>,
): string[] {
  const { now, environment } = context
  const stated = statedRetention(context)
  return [...Map.groupBy(soon, ({ session }) => session.platform)].map(([platform, own]) => {
    const { name, keeps } = identityOf(platform)
    const overdue = own.filter(({ deletesMs }) => deletesMs < now).length
    const late = overdue > 0 ? ` (${grouped(overdue)} at its next start)` : ''
    const archived = own.filter(({ archive }) => archive !== undefined)
    const folder = homely(archived[0]?.archive ?? '', environment.home)
    const left = own.length - archived.length
    const where =
      left === 0
        ? ` The archive ${folder} has ${own.length === 1 ? 'it' : 'all of them'}: "scrollback restore" puts ${own.length === 1 ? 'it' : 'them'} back.`
        : archived.length === 0
          ? ` ${own.length === 1 ? 'Its' : 'Their'} messages remain readable here, without tool output. To keep all of it: scrollback keep`
          : ` ${grouped(archived.length)} of them ${archived.length === 1 ? 'is' : 'are'} in the archive ${folder}, ${grouped(left)} only as text in the store. To keep all of it: scrollback keep`
    const changes = `${keeps!.setting} in its settings changes it`
    const days = `if it keeps them for ${stated ?? keeps!.days} days`
    const assumed = context.globalFlags?.demo
      ? `${days} (${changes})`
      : stated === undefined
        ? `${days}, its default (${changes}; state yours once: scrollback keep --remember --retention <days>)`
        : `${days}, as you stated`
    return `${name} deletes ${counted(own.length, 'transcript')} within ${WARNED_DAYS} days${late}, ${assumed}.${where}`
  })
}
