import { readSpawns } from '../../collect/read/read-spawns.ts'
import type { Artifact, Notice } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import type { LocatedSpawn } from '../../model/subagent-run.ts'
import { platforms } from '../../platforms/index.ts'
import type { Store } from '../../store/store.ts'
import type { ReadingContext } from '../kit/context.ts'
import { faultOf } from '../kit/index-job.ts'
import { type Loaded, loadSessions } from '../kit/load.ts'
import { type LinkedRun, linkRuns, type Ran, subagentsIn } from './links.ts'

/** All sessions and subagent runs of the machine, with the artifacts to read them from. */
export interface LoadedRuns extends Loaded {
  runs: Ran[]
  /** Includes files that are gone, if the store knows them. */
  artifactOf(session: Session): Artifact | undefined
  link(runs: readonly Ran[]): LinkedRun[]
}

export function loadRuns(context: ReadingContext): LoadedRuns {
  const loaded = loadSessions({}, context)
  const books = loaded.roots
    .filter((root) => root.found)
    .flatMap((root) => platforms.find(({ id }) => id === root.platform)?.subagents?.runs?.(root) ?? [])
  const notices: Notice[] = books.flatMap((book) => book.notices)
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
  const artifacts = new Map(loaded.artifacts.map((artifact) => [artifact.path, artifact]))
  let known: ReturnType<Store['known']> | undefined
  const artifactOf = ({ path }: Session): Artifact | undefined => {
    const artifact = artifacts.get(path)
    if (artifact) return artifact
    known ??= context.fresh?.store.known()
    return known?.get(path)?.artifact
  }
  const spawnsOf = (session: Session): LocatedSpawn[] => {
    const artifact = artifacts.get(session.path)
    // Only the file names the calls that started subagents, and it is gone.
    if (!artifact) return []
    try {
      return readSpawns(artifact)
    } catch (error) {
      context.note(`${session.path} ${faultOf(error)}`, 'partly')
      return []
    }
  }
  return {
    ...loaded,
    notices: [...loaded.notices, ...notices],
    runs: subagentsIn(
      loaded.sessions,
      books.flatMap((book) => book.runs),
    ),
    artifactOf,
    link: (runs) => linkRuns(runs, loaded.sessions, spawnsOf),
  }
}
