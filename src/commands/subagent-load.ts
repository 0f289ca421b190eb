import { readSpawns } from '../collect/read-spawns.ts'
import type { Artifact, Notice } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import type { PlacedSpawn } from '../model/subagent-run.ts'
import { platforms } from '../platforms/index.ts'
import type { Context } from './command.ts'
import { faultOf } from './index-job.ts'
import { type Loaded, loadSessions } from './load.ts'
import { type LinkedRun, linkRuns, type Ran, subagentsIn } from './subagent-links.ts'

/** All sessions of the machine and the subagents that ran, each with what can be read of it. */
export interface LoadedRuns extends Loaded {
  runs: Ran[]
  /** Of files that are gone too, where the store knows them. */
  artifactOf(session: Session): Artifact | undefined
  link(runs: readonly Ran[]): LinkedRun[]
}

export function loadRuns(context: Context): LoadedRuns {
  const loaded = loadSessions({}, context)
  const books = loaded.roots
    .filter((root) => root.found)
    .flatMap((root) => platforms.find(({ id }) => id === root.platform)?.subagentRuns?.(root) ?? [])
  const notices: Notice[] = books.flatMap((book) => book.notices)
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
  const artifacts = new Map(loaded.artifacts.map((artifact) => [artifact.path, artifact]))
  const artifactOf = ({ path }: Session): Artifact | undefined =>
    artifacts.get(path) ?? context.fresh?.store.known().get(path)?.artifact
  const spawnsOf = (session: Session): PlacedSpawn[] => {
    const artifact = artifacts.get(session.path)
    // What started them stands in the file alone, and it is gone.
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
