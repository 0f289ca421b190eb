import { isReplaced } from '../io/directories.ts'
import { holds } from '../io/fingerprint.ts'
import { type Artifact, isAskedFor } from '../model/artifact.ts'
import type { Known } from '../store/store.ts'
import type { Discovery } from './discover.ts'
import { openArtifact } from './open-artifact.ts'
import { PARSER_VERSION } from './read-increment.ts'
import { withoutSecrets } from './seal.ts'

/** What has to be done with one file. */
export interface Step {
  artifact: Artifact
  /** What the store knows of it, maybe under another name. */
  known?: Known
  moved: boolean
  /** Nothing of what was read before can be relied on: read it from the first byte. */
  again: boolean
}

type Asked = Parameters<typeof isAskedFor>[1]

export interface Plan {
  steps: Step[]
  unchanged: number
  /** Known files that were not found although their folder was looked through. */
  gone: Known[]
  /** Known files that were gone and stand there again as they were. */
  returned: Known[]
}

/**
 * Compares what was found with what is known, by size, time and identity alone: an unchanged file is not opened. A file under
 * another name is recognised by its identity, and then by its bytes.
 */
export function plan(found: Discovery, all: ReadonlyMap<string, Known>, asked: Asked): Plan {
  const known = new Map([...all].filter(([, { artifact }]) => artifact.kind === 'transcript'))
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
  const looked = new Set(found.roots.filter((root) => root.found).map((root) => root.path))
  const blind = found.notices.map(({ path }) => path)
  for (const each of known.values())
    if (
      !claimed.has(each.id) &&
      each.goneMs === undefined &&
      looked.has(each.artifact.root) &&
      isAskedFor(each.artifact.state, asked) &&
      !blind.some(
        (path) =>
          each.artifact.path === path ||
          each.artifact.path.startsWith(`${path}/`) ||
          each.artifact.database === path,
      )
    )
      planned.gone.push(each)
  return planned
}

/** Files that are known under another name, which they have no more. By their path now. */
function findMoves(
  artifacts: readonly Artifact[],
  known: ReadonlyMap<string, Known>,
): ReadonlyMap<string, Known> {
  const moves = new Map<string, Known>()
  const strangers = artifacts.filter(
    ({ path, identity }) => known.get(path)?.checkpoint.identity !== identity,
  )
  if (strangers.length === 0 || known.size === 0) return moves
  const there = new Map(artifacts.map(({ path, identity }) => [path, identity]))
  const homeless = new Map<string, Known>()
  for (const each of known.values()) {
    const { identity } = each.checkpoint
    if (there.get(each.artifact.path) !== identity) homeless.set(identity, each)
  }
  for (const artifact of strangers) {
    const from = artifact.identity === undefined ? undefined : homeless.get(artifact.identity)
    if (from && from.artifact.platform === artifact.platform && isSameFile(artifact, from))
      moves.set(artifact.path, from)
  }
  return moves
}

/** Numbers of files are used again: only the bytes tell whether this is the file that was read. */
function isSameFile(artifact: Artifact, { checkpoint }: Known): boolean {
  if (!artifact.database && artifact.bytes < checkpoint.offset) return false
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

function stepFor(artifact: Artifact, known: Known): Step | undefined {
  const { checkpoint, artifact: before } = known
  const step = (again: boolean): Step => ({ artifact, known, moved: false, again })
  if (checkpoint.parser !== PARSER_VERSION) return step(true)
  // The store has it without secrets.
  if (readsDifferently(artifact, before) && readsDifferently(withoutSecrets(artifact), before))
    return step(true)
  const { bytes, modifiedMs, identity, path } = artifact
  const sameSize = bytes === checkpoint.size
  const sameTime = modifiedMs === checkpoint.modifiedMs
  if (sameSize && sameTime && !checkpoint.racy && (identity ?? checkpoint.identity) === checkpoint.identity)
    return factsOf(artifact) === factsOf(before) || factsOf(withoutSecrets(artifact)) === factsOf(before)
      ? undefined
      : step(false)
  // A database says itself what was written anew.
  if (artifact.database) return step(identity !== checkpoint.identity || bytes < checkpoint.size)
  const grown = bytes > checkpoint.size
  const untouched = sameSize && sameTime && !checkpoint.racy
  const replaced = !untouched && identity !== undefined && isReplaced(checkpoint.identity, identity)
  return step(path.endsWith('.zst') || replaced || !(grown || untouched))
}

/** What lines mean, and whose they are, depends on these. */
const readsDifferently = (artifact: Artifact, before: Artifact): boolean =>
  artifact.sessionId !== before.sessionId ||
  artifact.kindHint !== before.kindHint ||
  artifact.sessionKey !== before.sessionKey ||
  artifact.parentSessionId !== before.parentSessionId ||
  artifact.fork !== before.fork

/** What its place and the files around it say of a session, apart from when and how long. */
const factsOf = ({
  state,
  agent,
  slug,
  titleHint,
  entry,
  parentSessionId,
  fork,
  besideMs,
}: Artifact): string =>
  JSON.stringify([state, agent, slug, titleHint, entry, parentSessionId, fork, besideMs])

/** An index forgets a session that was reset; what it once said of it stays true. */
function withHints(artifact: Artifact, before: Artifact): Artifact {
  if (artifact.sessionId !== before.sessionId && withoutSecrets(artifact.sessionId) !== before.sessionId)
    return artifact
  const { kindHint, sessionKey, titleHint, parentSessionId } = before
  const kept = { kindHint, sessionKey, titleHint, parentSessionId }
  for (const [name, value] of Object.entries(artifact))
    if (value !== undefined) Object.assign(kept, { [name]: value })
  // What only the file's name tells adds to what the index told; what the index tells now replaces it.
  const entry =
    artifact.sessionKey === undefined && before.entry
      ? { ...before.entry, ...artifact.entry }
      : artifact.entry
  return { ...artifact, ...kept, entry }
}
