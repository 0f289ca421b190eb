import type { Artifact, Environment, NamedSession, Notice, Root, Unread } from '../model/artifact.ts'
import { append } from '../model/lists.ts'
import { mapStrings } from '../model/map-strings.ts'
import type { PlatformId } from '../model/platform-id.ts'
import { cleanEntry } from '../model/session-entry.ts'
import { platforms } from '../platforms/index.ts'
import { redact } from '../redact/redact.ts'
import { forgottenTest, isForgottenArtifact } from './forgotten.ts'
import { rememberPaths } from './index/stored-path.ts'

/** Everything that may be read on this machine, and every root that was checked. */
export interface Discovery {
  roots: Root[]
  artifacts: Artifact[]
  /** Memory documents of agents, which are not transcripts. */
  documents: Artifact[]
  notices: Notice[]
  /** Files next to sessions that were not read. */
  unread: Unread[]
  /** Sessions in a session index whose transcript was not found. */
  named: NamedSession[]
}

/** Lists the artifacts below all roots, of all platforms or of one. Opens no transcript. */
export function discover(environment: Environment, only?: PlatformId): Discovery {
  const found: Discovery = {
    roots: [],
    artifacts: [],
    documents: [],
    notices: [],
    unread: [],
    named: [],
  }
  const isForgotten = forgottenTest(environment)
  const seen = new Set<string>()
  for (const platform of platforms) {
    if (only && platform.id !== only) continue
    for (const root of platform.files.roots(environment)) {
      found.roots.push(root)
      if (!root.found) continue
      const { artifacts, notices, unread, named } = platform.files.discover(root, environment)
      append(found.unread, unread)
      const remembered = (named ?? []).filter(({ id }) => !isForgotten(platform.id, id))
      append(found.named, remembered.map(namedWithoutSecrets))
      append(found.notices, notices)
      append(found.documents, platform.memory?.documents(root, environment) ?? [])
      for (const artifact of artifacts) {
        if (seen.has(artifact.path)) continue
        seen.add(artifact.path)
        if (!isForgottenArtifact(artifact, isForgotten)) found.artifacts.push(withoutSecrets(artifact))
      }
    }
  }
  rememberPaths(
    [...found.roots, ...found.artifacts, ...found.documents, ...found.notices].map(({ path }) => path),
  )
  return found
}

const namedWithoutSecrets = (named: NamedSession): NamedSession => ({
  ...named,
  hint: mapStrings(named.hint, redact),
})

/** Session index entries are redacted here, so that they can be compared with the stored ones next time. */
function withoutSecrets(artifact: Artifact): Artifact {
  const { titleHint, entry } = artifact
  if (titleHint !== undefined) artifact.titleHint = redact(titleHint)
  if (entry !== undefined) artifact.entry = cleanEntry(entry, redact)
  return artifact
}
