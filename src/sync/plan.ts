import { isReplaced } from '../io/directories.ts'
import { collectGarbage } from '../io/process.ts'
import { holds, isPacked, unpackedName } from '../io/source.ts'
import { type Artifact, isAskedFor } from '../model/artifact.ts'
import type { Known } from '../store/increment.ts'
import type { Discovery, Survey } from './discover.ts'
import { openArtifact } from './read/read-session.ts'
import { withoutSecrets } from './read/seal.ts'
import { PARSER_VERSION } from './read-increment.ts'

/** What has to be done for one file. */
export interface Step {
  artifact: Artifact
  /** What the store knows about it, possibly under another name. */
  known?: Known
  moved: boolean
  /** Nothing read before is reliable. Read the file from the first byte. */
  again: boolean
}

type Asked = Parameters<typeof isAskedFor>[1]

export interface Plan {
  steps: Step[]
  unchanged: number
  /** Known files that no longer exist, although their folder was listed. */
  gone: Known[]
  /** Known files that were gone and are back, unchanged. */
  returned: Known[]
}

/**
 * Compares what was discovered with what is stored by size, time and identity. Unchanged files are not
 * opened. A renamed file is recognized by its identity and then by its bytes, and one that its client
 * compressed by its name and then by its bytes.
 */
export function plan(found: Discovery, all: ReadonlyMap<string, Known>, asked: Asked): Plan {
  const known = knownOf('transcript', all)
  const moves = findMoves(found.artifacts, known)
  const claimed = new Set([...moves.values()].map(({ id }) => id))
  const planned: Plan = { steps: [], unchanged: 0, gone: [], returned: [] }
  for (const artifact of found.artifacts) {
    const from = moves.get(artifact.path)
    if (from) {
      const moved = withHints(artifact, from.artifact)
      const again = readsDifferently(moved, from.artifact)
      planned.steps.push({ artifact: moved, known: from, moved: true, again })
      continue
    }
    const own = known.get(artifact.path)
    if (!own || claimed.has(own.id)) {
      planned.steps.push({ artifact, moved: false, again: false })
      continue
    }
    claimed.add(own.id)
    const step = stepFor(withHints(artifact, own.artifact), own)
    if (step) planned.steps.push(step)
    else {
      planned.unchanged++
      if (own.goneMs !== undefined) planned.returned.push(own)
    }
  }
  // A folder that is not there has no files any more.
  const looked = new Set(found.roots.map((root) => root.path))
  for (const each of known.values())
    if (
      !claimed.has(each.id) &&
      each.goneMs === undefined &&
      looked.has(each.artifact.root) &&
      isAskedFor(each.artifact.state, asked) &&
      !isUnseen(each.artifact.path, found)
    )
      planned.gone.push(each)
  return planned
}

/** Whether a file may be there, in a folder or a database that could not be read. */
export const isUnseen = (path: string, { notices }: Pick<Discovery, 'notices'>): boolean =>
  notices.some(
    (notice) => path === notice.path || ['/', '#'].some((sign) => path.startsWith(notice.path + sign)),
  )

/** The known files of one kind, by path. */
export function knownOf(kind: Artifact['kind'], all: ReadonlyMap<string, Known>): Map<string, Known> {
  const known = new Map<string, Known>()
  for (const [path, each] of all) if (each.artifact.kind === kind) known.set(path, each)
  return known
}

/** Stored files that were renamed, by their new path. */
function findMoves(
  artifacts: readonly Artifact[],
  known: ReadonlyMap<string, Known>,
): ReadonlyMap<string, Known> {
  const moves = new Map<string, Known>()
  const unknownFiles = artifacts.filter(
    ({ path, identity }) => known.get(path)?.checkpoint.identity !== identity,
  )
  if (unknownFiles.length === 0 || known.size === 0) return moves
  const there = new Map<string, string | undefined>()
  for (const { path, identity } of artifacts) there.set(path, identity)
  const vanished = new Map<string, Known>()
  const unpacked = new Map<string, Known>()
  for (const each of known.values()) {
    const { identity } = each.checkpoint
    const { path } = each.artifact
    if (there.get(path) !== identity) vanished.set(identity, each)
    if (!there.has(path)) unpacked.set(unpackedName(path), each)
  }
  for (const artifact of unknownFiles) {
    const { path, identity } = artifact
    const renamed = identity === undefined ? undefined : vanished.get(identity)
    const from = renamed ?? (known.has(path) ? undefined : unpacked.get(unpackedName(path)))
    if (from && from.artifact.platform === artifact.platform && isSameFile(artifact, from))
      moves.set(artifact.path, from)
  }
  return moves
}

/** Identities are reused. Only the bytes prove that this is the file that was read. */
function isSameFile(artifact: Artifact, { checkpoint }: Known): boolean {
  if (!artifact.database && !isPacked(artifact.path) && artifact.bytes < checkpoint.offset) return false
  try {
    const source = openArtifact(artifact)
    try {
      source.lineBegins?.(checkpoint.offset, checkpoint.line)
      return holds(source, checkpoint.offset, checkpoint)
    } finally {
      source.close()
    }
  } catch {
    return false
  }
}

/** The steps of the newest files, so many bytes of them, and at least one. */
export function newestSteps(steps: readonly Step[], bytes: number): Step[] {
  let sum = 0
  const newest = steps.toSorted((one, other) => other.artifact.modifiedMs - one.artifact.modifiedMs)
  return newest.filter((step, index) => {
    sum += costOf(step)
    return sum <= bytes || index === 0
  })
}

function stepFor(artifact: Artifact, known: Known): Step | undefined {
  const { checkpoint, artifact: before } = known
  const step = (again: boolean): Step => ({ artifact, known, moved: false, again })
  if (checkpoint.parser !== PARSER_VERSION) return step(true)
  // The store contains the redacted form.
  if (readsDifferently(artifact, before) && readsDifferently(withoutSecrets(artifact), before))
    return step(true)
  const { bytes, modifiedMs, identity, path } = artifact
  const sameSize = bytes === checkpoint.size
  const sameTime = modifiedMs === checkpoint.modifiedMs
  if (
    sameSize &&
    sameTime &&
    !checkpoint.recentlyModified &&
    (identity ?? checkpoint.identity) === checkpoint.identity
  )
    return factsOf(artifact) === factsOf(before) || factsOf(withoutSecrets(artifact)) === factsOf(before)
      ? undefined
      : step(false)
  // A database detects rewrites itself.
  if (artifact.database) return step(identity !== checkpoint.identity || bytes < checkpoint.size)
  const grown = bytes > checkpoint.size
  const untouched = sameSize && sameTime && !checkpoint.recentlyModified
  const replaced = !untouched && identity !== undefined && isReplaced(checkpoint.identity, identity)
  return step(isPacked(path) || replaced || !(grown || untouched))
}

/** The fields that the meaning of lines or the assignment of a session depends on. */
const readsDifferently = (artifact: Artifact, before: Artifact): boolean =>
  artifact.sessionId !== before.sessionId ||
  artifact.kindHint !== before.kindHint ||
  artifact.sessionKey !== before.sessionKey ||
  artifact.parentSessionId !== before.parentSessionId ||
  artifact.fork !== before.fork ||
  artifact.undoneFrom !== before.undoneFrom ||
  artifact.directory !== before.directory

/**
 * What else the path and neighboring files say about a session, except its dates and sizes. Its root is
 * another one if a folder within it was named.
 */
const factsOf = ({ root, state, agent, slug, titleHint, entry, besideMs }: Artifact): string =>
  JSON.stringify([root, state, agent, slug, titleHint, entry, besideMs])

/** A session index drops sessions after a reset. What it said before remains valid. */
function withHints(artifact: Artifact, before: Artifact): Artifact {
  if (artifact.sessionId !== before.sessionId && withoutSecrets(artifact.sessionId) !== before.sessionId)
    return artifact
  const { kindHint, sessionKey, titleHint, parentSessionId } = before
  // Of most files nothing was said.
  if ((kindHint ?? sessionKey ?? titleHint ?? parentSessionId ?? before.entry) === undefined) return artifact
  const titleHintByHand = artifact.titleHint === undefined ? before.titleHintByHand : undefined
  const hints = { kindHint, sessionKey, titleHint, titleHintByHand, parentSessionId }
  for (const [name, value] of Object.entries(artifact))
    if (value !== undefined) Object.assign(hints, { [name]: value })
  // Facts from the file name are added to the stored entry. Facts from the index replace it.
  const entry =
    artifact.sessionKey === undefined && before.entry
      ? { ...before.entry, ...artifact.entry }
      : artifact.entry
  return { ...artifact, ...hints, entry }
}

/** Artifacts of more files take noticeable memory. */
const MANY_FILES = 5000

/** A step in the queue. That of a new file is only the index of its artifact, until its turn comes. */
export type Waiting = {
  /** As `costOf` counts them. */
  bytes: number
  moved: boolean
  modifiedMs: number
  path: string
} & ({ step: Step } | { index: number })

/**
 * Renamed files first, because another file may have taken the old path. Then oldest first, so that the ids
 * of messages follow time: searches read the newest by their ids.
 */
const inTime = (a: Waiting, b: Waiting): number =>
  Number(b.moved) - Number(a.moved) || a.modifiedMs - b.modifiedMs || (a.path < b.path ? -1 : 1)

/**
 * Takes all steps out of the list and sorts them. Frees the artifacts of many new files: 100,000 take 40 MB,
 * and only a few are needed at a time.
 */
export function queueSteps(steps: Step[], found: Survey): Waiting[] {
  const many = steps.length > MANY_FILES
  const indexes = new Map(many ? found.artifacts.map((artifact, index) => [artifact, index]) : [])
  const queue = steps.map((step): Waiting => {
    const { artifact, known, moved } = step
    const { modifiedMs, path } = artifact
    const facts = { bytes: costOf(step), moved, modifiedMs, path }
    const index = known ? undefined : indexes.get(artifact)
    return index === undefined ? { ...facts, step } : { ...facts, index }
  })
  steps.length = 0
  if (many) {
    indexes.clear()
    found.freeArtifacts()
    collectGarbage()
  }
  return queue.sort(inTime)
}

/** The step itself. */
export const stepOf = (waiting: Waiting, found: Survey): Step =>
  'step' in waiting
    ? waiting.step
    : {
        artifact: found.artifactAt(waiting.index),
        moved: false,
        again: false,
      }

/** Approximate number of new bytes, which determines the cost of a step. */
export const costOf = ({ artifact, known, again }: Step): number =>
  again || !known ? artifact.bytes : Math.max(0, artifact.bytes - known.checkpoint.offset)
