import { bytesBelow } from '../../io/directories.ts'
import { platforms } from '../../platforms/index.ts'
import type { FreshStore, ReadingContext } from '../kit/context.ts'
import { unreadOf } from '../kit/scanned.ts'
import type { Diagnosis, FileDiagnosis } from './answer.ts'
import { createFileDiagnosis } from './diagnose-file.ts'
import { warningsOf } from './warnings.ts'

/** Compares the disk with the store. `deep` reads every file again. */
export function diagnose(fresh: FreshStore, deep: boolean, context: ReadingContext): Diagnosis {
  const { store, found } = fresh
  const known = store.known()
  const sessions = new Map(store.sessions().map(({ session }) => [session.path, session]))
  const here = new Set(found.artifacts.map(({ path }) => path))
  const roots = new Set(found.roots.map(({ path }) => path))
  const gone = [...known.values()].filter(
    ({ artifact: { root, path } }) => roots.has(root) && !here.has(path) && sessions.has(path),
  )
  const diagnoseFile = createFileDiagnosis(fresh, { here, deep })
  const progress = deep ? context.progress : undefined
  progress?.start(
    'Comparing',
    sum(found.artifacts, ({ bytes }) => bytes),
  )
  const artifacts = [...found.artifacts, ...gone.map(({ artifact }) => artifact)].map(
    (artifact): FileDiagnosis => {
      const row = diagnoseFile(artifact, known.get(artifact.path), sessions.get(artifact.path))
      progress?.advance(here.has(artifact.path) ? artifact.bytes : 0)
      return row
    },
  )
  progress?.stop()
  const ok = artifacts.every(({ problems }) => problems.length === 0) && found.notices.length === 0
  if (!ok) context.partly?.()
  const { storeBytes, messages, occurrences } = store.statistics()
  return {
    ...{ version: 1, ok, deep },
    sources: found.roots.map((root) => ({ ...root })),
    store: { path: store.path, bytes: storeBytes, messages, occurrences },
    artifacts,
    refused: refusedOf(fresh, here),
    unread: unreadOf(found).map((each) => ({ ...each, bytes: bytesBelow(each.path) })),
    warnings: warningsOf({ store, found, known, here, sessions: [...sessions.values()], context }),
  }
}

/** The refusals, and the files that could not be opened. */
function refusedOf({ found }: FreshStore, here: ReadonlySet<string>): Diagnosis['refused'] {
  const byPlatform = found.roots.flatMap((root) =>
    root.found ? (platforms.find(({ id }) => id === root.platform)?.files.refused(root) ?? []) : [],
  )
  return (
    [...byPlatform, ...found.notices.map(({ path, message }) => ({ path, reason: message }))]
      // With `--deleted`, some of them are read.
      .filter(({ path }) => !here.has(path))
      .map((each) => ({ ...each, bytes: bytesBelow(each.path) }))
  )
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((all, row) => all + of(row), 0)
