import { discover } from '../../collect/discover.ts'
import type { Artifact } from '../../model/artifact.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import { randomKey } from '../../redact/fingerprint.ts'
import { counted } from '../../render/counted.ts'
import { chooseNamed } from '../kit/choose-sessions.ts'
import type { Context } from '../kit/context.ts'
import type { Filters } from '../kit/filters.ts'
import { loadSessions, noteUnreadable } from '../kit/load-sessions.ts'
import { searchFiles } from '../kit/read-files.ts'
import { createSecretSearch, type LocatedSecret } from './job.ts'

/** One secret with all its occurrences. */
export interface FoundSecret {
  kind: string
  /** Numbers the secrets of a kind in the order in which they were first written. */
  tag: string
  sessions: number
  firstMs?: number
  lastMs?: number
  at: { path: string; line: number; offset: number; source: Artifact['kind'] }[]
}

export interface FoundSecrets {
  /** Most recently written first. */
  secrets: FoundSecret[]
  files: number
  lines: number
  bytes: number
}

type Wanted = Pick<Filters, 'platform' | 'agent' | 'since' | 'until' | 'all'> & {
  project?: string
  /** `--kind` of `secrets` names kinds of secrets. The kinds of sessions are another filter. */
  kind?: undefined
}

/** The files of the named project or of the current directory. With `all`, every file that may be opened. */
export async function filesOf(input: Wanted, context: Context): Promise<Artifact[]> {
  if (
    input.all &&
    input.project === undefined &&
    input.agent === undefined &&
    input.since === undefined &&
    input.until === undefined
  )
    return everything(input.platform, context)
  const loaded = loadSessions(input, context)
  const { sessions } = await chooseNamed(loaded, { ...input, name: input.project }, context)
  const gone = sessions.filter(({ goneMs }) => goneMs !== undefined)
  if (gone.length > 0)
    context.note(`${counted(gone.length, 'session')} cannot be searched, because their files are gone`)
  const ids = new Set(sessions.map(({ platform, agent, id }) => `${platform} ${agent} ${id}`))
  // Copies are not sessions of their own, but they contain the same secrets.
  return loaded.artifacts.filter(({ platform, agent, sessionId }) =>
    ids.has(`${platform} ${agent} ${sessionId}`),
  )
}

function everything(only: Filters['platform'], context: Context): Artifact[] {
  const found = discover(context.environment, only)
  noteUnreadable(found, context)
  const histories = found.roots.flatMap((root): Artifact[] => {
    const file = root.found ? platformOf(root.platform).history?.file(root) : undefined
    return file
      ? [
          {
            ...file,
            kind: 'prompt-history',
            state: 'live',
            sessionId: '',
            agent: identityOf(file.platform).defaultAgent,
          },
        ]
      : []
  })
  return [...found.artifacts, ...found.documents, ...histories]
}

/** Reads the files, in several threads if that is worth it, and joins occurrences of the same secret. */
export function findSecretsIn(
  artifacts: readonly Artifact[],
  kinds: readonly string[],
  context: Context,
): FoundSecrets {
  const tasks = [...artifacts].sort((one, other) => other.bytes - one.bytes)
  const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0)
  const settings = { key: randomKey().toString('base64'), kinds }
  const gathered = new Map<string, Gathered>()
  let lines = 0
  const job = { job: 'secrets', settings, run: createSecretSearch(settings) }
  for (const { artifact, found } of searchFiles(tasks, job, context)) {
    lines += found.lines
    for (const secret of found.secrets) gather(gathered, secret, artifact)
  }
  return { secrets: tagged([...gathered.values()]), files: tasks.length, lines, bytes }
}

interface Gathered extends Omit<FoundSecret, 'tag' | 'kind' | 'sessions'> {
  kinds: Map<string, number>
  sessionIds: Set<string>
}

function gather(gathered: Map<string, Gathered>, secret: LocatedSecret, artifact: Artifact): void {
  const one: Gathered = gathered.get(secret.id) ?? { kinds: new Map(), sessionIds: new Set(), at: [] }
  gathered.set(secret.id, one)
  one.kinds.set(secret.kind, (one.kinds.get(secret.kind) ?? 0) + 1)
  if (artifact.sessionId !== '' && artifact.kind === 'transcript')
    one.sessionIds.add(`${artifact.platform} ${artifact.agent} ${artifact.sessionId}`)
  one.at.push({ path: artifact.path, line: secret.line, offset: secret.offset, source: artifact.kind })
  if (secret.at === undefined) return
  one.firstMs = Math.min(one.firstMs ?? secret.at, secret.at)
  one.lastMs = Math.max(one.lastMs ?? secret.at, secret.at)
}

/** The most frequent kind: an occurrence under another name is still the same key. */
function tagged(all: readonly Gathered[]): FoundSecret[] {
  const counts = new Map<string, number>()
  const order = (ms: number | undefined): number => ms ?? Number.POSITIVE_INFINITY
  const path = ({ at }: Gathered): string => at[0]!.path
  return [...all]
    .sort((a, b) => order(a.firstMs) - order(b.firstMs) || (path(a) < path(b) ? -1 : 1))
    .map(({ kinds, sessionIds, at, ...times }) => {
      const [kind] = [...kinds].reduce((most, each) => (each[1] > most[1] ? each : most))
      const number = (counts.get(kind) ?? 0) + 1
      counts.set(kind, number)
      at.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
      return { kind, tag: `${kind}#${number}`, sessions: sessionIds.size, ...times, at }
    })
    .sort((a, b) => (b.lastMs ?? 0) - (a.lastMs ?? 0))
}
