import {
  type Artifact,
  type Environment,
  type NamedSession,
  type Notice,
  OWN_MEMORY,
  type PlatformId,
  type Root,
  type Unread,
} from '../model/artifact.ts'
import { append } from '../model/iteration.ts'
import { mapStrings } from '../model/json.ts'
import { platforms } from '../platforms/index.ts'
import type { Found } from '../platforms/platform.ts'
import { redact } from '../redact/redact.ts'
import { forgottenTest, type IsForgotten, isForgottenArtifact } from './forgotten.ts'
import { rememberPaths } from './read/seal.ts'

/** Everything that may be read on this machine, and every root that was checked. */
export interface Discovery {
  roots: Root[]
  readonly artifacts: Artifact[]
  /** Memory documents of agents, which are not transcripts. */
  documents: Artifact[]
  notices: Notice[]
  /** Files next to sessions that were not read. */
  unread: Unread[]
  /** Sessions in a session index whose transcript was not found. */
  named: NamedSession[]
}

/** A discovery whose artifacts are created when they are first used. A copy of it contains them. */
export interface Survey extends Discovery {
  /** What the platforms found below each root that exists. */
  readonly found: readonly Found[]
  /** Whether a root is inside another. Only then can an artifact be found twice. */
  readonly hasNestedRoots: boolean
  /** One of `artifacts`, which need not exist. */
  artifactAt(index: number): Artifact
  /** Frees the artifacts. Those with columns are created again when they are used again. */
  freeArtifacts(): void
}

/** Lists the artifacts below all roots, of all platforms or of one. Opens no transcript. */
export function discover(environment: Environment, only?: PlatformId): Discovery {
  const { roots, artifacts, documents, notices, unread, named } = survey(environment, only)
  const all = { roots, artifacts, documents, notices, unread, named }
  rememberPathsOf(all)
  return all
}

/** The same, with artifacts that are created when they are first used. */
export function survey(environment: Environment, only?: PlatformId): Survey {
  const found: Found[] = []
  const listed: Omit<Discovery, 'artifacts'> = {
    roots: [],
    documents: [],
    notices: [],
    unread: [],
    named: [],
  }
  const isForgotten = forgottenTest(environment)
  for (const platform of platforms) {
    if (only && platform.id !== only) continue
    for (const root of platform.files.roots(environment)) {
      listed.roots.push(root)
      if (!root.found) continue
      const each = withoutForgotten(platform.files.discover(root, environment), isForgotten)
      found.push(each)
      append(listed.unread, each.unread)
      const named = (each.named ?? []).filter(({ id }) => !isForgotten?.(platform.id, id))
      append(listed.named, named.map(namedWithoutSecrets))
      append(listed.notices, each.notices)
      if (!isForgotten?.(platform.id, OWN_MEMORY))
        append(
          listed.documents,
          (platform.memory?.documents(root, environment) ?? []).filter(
            (document) => !isForgotten?.(platform.id, platform.memory?.sessionOf?.(document) ?? ''),
          ),
        )
    }
  }
  const hasNestedRoots = listed.roots.some((one) =>
    listed.roots.some((other) => one !== other && one.path.startsWith(other.path)),
  )
  let made: Artifact[] | undefined
  return {
    ...listed,
    found,
    hasNestedRoots,
    get artifacts() {
      made ??= artifactsOf(found)
      return made
    },
    artifactAt: (index) => made?.[index] ?? createdAt(found, index),
    freeArtifacts() {
      if (!hasNestedRoots) made = undefined
    },
  }
}

/** Columns cannot leave out a file, so that its artifacts are created. */
function withoutForgotten(found: Found, isForgotten: IsForgotten | undefined): Found {
  if (!isForgotten) return found
  const { notices, unread, named } = found
  const artifacts = found.artifacts.filter((each) => !isForgottenArtifact(each, isForgotten))
  return { artifacts, notices, unread, named }
}

/** One of the artifacts of all roots. */
function createdAt(found: readonly Found[], index: number): Artifact {
  let own = index
  for (const each of found) {
    const { columns } = each
    const count = columns ? columns.count() : each.artifacts.length
    if (own < count) return withoutSecrets(columns?.at(own) ?? each.artifacts[own]!)
    own -= count
  }
  throw new RangeError(`no artifact ${index}`)
}

/** Each artifact once. */
function artifactsOf(found: readonly Found[]): Artifact[] {
  const artifacts = new Map<string, Artifact>()
  for (const each of found)
    for (const artifact of each.artifacts)
      if (!artifacts.has(artifact.path)) artifacts.set(artifact.path, withoutSecrets(artifact))
  return [...artifacts.values()]
}

/**
 * Remembers which paths of a discovery contain secrets. Call it before comparing paths with the store, unless
 * none contains any.
 */
export const rememberPathsOf = ({ roots, artifacts, documents, notices }: Discovery): void =>
  rememberPaths([...roots, ...artifacts, ...documents, ...notices].map(({ path }) => path))

const namedWithoutSecrets = (named: NamedSession): NamedSession => ({
  ...named,
  hint: mapStrings(named.hint, redact),
})

/** Session index entries are redacted here, so that they can be compared with the stored ones next time. */
function withoutSecrets(artifact: Artifact): Artifact {
  const { titleHint, entry } = artifact
  if (titleHint !== undefined) artifact.titleHint = redact(titleHint)
  if (entry !== undefined) artifact.entry = mapStrings(entry, redact)
  return artifact
}
