import type {
  Artifact,
  Environment,
  NamedSession,
  Notice,
  PlatformId,
  Root,
  Unread,
} from '../model/artifact.ts'
import { append } from '../model/lists.ts'
import { mapStrings } from '../model/map-strings.ts'
import { cleanEntry } from '../model/session-entry.ts'
import { platforms } from '../platforms/index.ts'
import { redact } from '../redact/redact.ts'
import { rememberPaths } from './stored-path.ts'

/** Everything that may be read on this machine, and every place that was looked at. */
export interface Discovery {
  roots: Root[]
  artifacts: Artifact[]
  /** Texts of agents' memory, which are no transcripts. */
  documents: Artifact[]
  notices: Notice[]
  /** What lies where sessions lie and was not read. */
  unread: Unread[]
  /** What an index names and is not here. */
  named: NamedSession[]
}

/** Looks through all roots of all platforms, or of one. Opens no transcript. */
export function discover(environment: Environment, only?: PlatformId): Discovery {
  const found: Discovery = { roots: [], artifacts: [], documents: [], notices: [], unread: [], named: [] }
  const seen = new Set<string>()
  for (const platform of platforms) {
    if (only && platform.id !== only) continue
    for (const root of platform.roots(environment)) {
      found.roots.push(root)
      if (!root.found) continue
      const { artifacts, notices, unread, named } = platform.discover(root, environment)
      append(found.unread, unread)
      append(found.named, (named ?? []).map(namedWithoutSecrets))
      append(found.notices, notices)
      append(found.documents, platform.documents?.(root, environment) ?? [])
      for (const artifact of artifacts) {
        if (seen.has(artifact.path)) continue
        seen.add(artifact.path)
        found.artifacts.push(withoutSecrets(artifact))
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

/** What an index says of a file is stored as it is found: to be compared with what it says the next time. */
function withoutSecrets(artifact: Artifact): Artifact {
  const { titleHint, entry } = artifact
  if (titleHint !== undefined) artifact.titleHint = redact(titleHint)
  if (entry !== undefined) artifact.entry = cleanEntry(entry, redact)
  return artifact
}
