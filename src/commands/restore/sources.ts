import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { fromArchive } from '../../deliver/archive/from-archive.ts'
import type { TreeOrigin } from '../../deliver/archive/layout.ts'
import { isArchive, ownArchives } from '../../deliver/archive/own-archives.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Artifact, Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { chooseNamed } from '../../selection/choose-sessions.ts'
import { type Loaded, loadSessions, sessionIdentity } from '../../selection/load-sessions.ts'
import { discover } from '../../sync/discover.ts'
import { readSession } from '../../sync/read/read-session.ts'

/** Where sessions are read from: trees that an archive or a pack was unpacked to. */
export interface SessionSource {
  context: Context
  origins: ReadonlyMap<string, TreeOrigin>
}

/** The machine that a command runs on, whatever it reads from. */
export const ownEnvironment = ({ environment, globalFlags, ownDirs }: Context): Environment =>
  globalFlags?.from === undefined ? environment : { ...environment, dirs: ownDirs }

/** The context that reads unpacked trees instead of this machine. */
export const treeContext = (
  context: Context,
  { dirs, storePath = ':memory:' }: { dirs: Record<string, string[]>; storePath?: string },
): Context => ({
  ...context,
  environment: { ...context.environment, dirs },
  storePath,
  fresh: undefined,
})

/** The archives of this machine, the one that was filled last first. */
export function archivesHere({ dataFolder }: Pick<Context, 'dataFolder'>): string[] {
  const filled = ownArchives(dataFolder, { files: false }).map(({ path }) => path)
  return [...new Set([...filled, join(dataFolder, 'archive')])].filter(isArchive)
}

export function archiveSource(folder: string, context: Context): SessionSource {
  context.progress?.start('Unpacking', 0)
  const { dirs, origins, storePath, notes } = fromArchive(folder, context.dataFolder)
  context.progress?.stop()
  for (const note of notes) context.note(note, 'partly')
  return { context: treeContext(context, { dirs, storePath }), origins }
}

/** The transcripts of this machine, by root and session, live ones before those that were archived. */
export const transcriptsHere = (environment: Environment): ReadonlyMap<string, Artifact> => {
  const { artifacts } = discover(environment)
  return new Map(
    (['archived', 'live'] as const).flatMap((wanted) =>
      artifacts
        .filter(({ state }) => state === wanted)
        .map((artifact) => [`${artifact.root}\0${sessionIdentity(artifact)}`, artifact]),
    ),
  )
}

/** The sessions of a name, with all subagents that they started and the sessions that they ran through. */
export async function namedSessions(name: string, context: Context): Promise<Session[]> {
  const loaded = loadSessions({}, context)
  const { sessions } = await chooseNamed(loaded, { name, all: false }, context)
  return withRuntimes(withSubagents(sessions, loaded.all), loaded)
}

/** With the sessions of another client that they ran through, which listings leave out. */
export function withRuntimes(
  sessions: readonly Session[],
  { artifacts }: Pick<Loaded, 'artifacts'>,
): Session[] {
  const found = new Map(sessions.map((session) => [session.path, session]))
  const paths = new Set(sessions.flatMap(({ ranThrough = [] }) => ranThrough.map(({ path }) => path)))
  for (const artifact of artifacts)
    if (paths.has(artifact.path) && !found.has(artifact.path))
      found.set(artifact.path, readSession(artifact, { keep: 'counts' }).session)
  return [...found.values()]
}

/** Sessions of one platform and root may have the same id in another one. */
const familyOf = ({ platform, root }: Session, id: string): string => `${platform}\0${root}\0${id}`

function withSubagents(sessions: readonly Session[], all: readonly Session[]): Session[] {
  const found = new Map(sessions.map((session) => [session.path, session]))
  const byParent = Map.groupBy(all, (session) =>
    session.parentSessionId === undefined ? '' : familyOf(session, session.parentSessionId),
  )
  const waiting = [...sessions]
  for (let next = waiting.pop(); next; next = waiting.pop())
    for (const child of byParent.get(familyOf(next, next.id)) ?? []) {
      if (found.has(child.path)) continue
      found.set(child.path, child)
      waiting.push(child)
    }
  return [...found.values()]
}

/** Throws unless a name was given. Without one, everything would be meant. */
export function requiredName(name: string | undefined, { suggest }: Pick<Context, 'suggest'>): string {
  if (name !== undefined) return name
  throw new ScrollbackError(
    'bad-option',
    'The session is missing.',
    `Name a session or a project. List them: ${suggest('sessions', '--all')}`,
  )
}
