import { discover } from '../collect/discover.ts'
import { inOrder } from '../collect/pool.ts'
import type { Artifact } from '../model/artifact.ts'
import { platformOf } from '../platforms/index.ts'
import { randomKey } from '../redact/fingerprint.ts'
import { chooseNamed } from './choose-sessions.ts'
import type { Context } from './command.ts'
import { loadSessions, noteUnreadable } from './load.ts'
import type { Filters } from './options.ts'
import { createSecretSearch, type SecretPlace, type SecretResult } from './secrets-job.ts'
import { counted } from './table.ts'
import { threadsFor, workerUrl } from './threads.ts'

/** One secret, wherever it stands. */
export interface FoundSecret {
  kind: string
  /** Numbers secrets of a kind in the order in which they were first written. */
  tag: string
  sessions: number
  firstMs?: number
  lastMs?: number
  at: { path: string; line: number; offset: number }[]
}

export interface FoundSecrets {
  /** The most lately written first. */
  secrets: FoundSecret[]
  files: number
  lines: number
  bytes: number
}

type Wanted = Pick<Filters, 'platform' | 'agent' | 'since' | 'until' | 'all'> & { project?: string }

/** The files of the named project or of the current directory; with `all` every file that may be opened at all. */
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
    context.note(`${counted(gone.length, 'session')} cannot be searched: the files are gone`)
  const ids = new Set(sessions.map(({ platform, agent, id }) => `${platform} ${agent} ${id}`))
  // Copies of a session are no sessions of their own, and hold its secrets all the same.
  return loaded.artifacts.filter(({ platform, agent, sessionId }) =>
    ids.has(`${platform} ${agent} ${sessionId}`),
  )
}

function everything(only: Filters['platform'], context: Context): Artifact[] {
  const found = discover(context.environment, only)
  noteUnreadable(found, context)
  const histories = found.roots.flatMap((root): Artifact[] => {
    const file = root.found ? platformOf(root.platform).history?.(root) : undefined
    return file ? [{ ...file, kind: 'prompt-history', state: 'live', sessionId: '', agent: 'claude' }] : []
  })
  return [...found.artifacts, ...found.documents, ...histories]
}

/** Reads all of the files, in several threads where that is worth it, and puts together what is the same secret. */
export function findSecretsIn(
  artifacts: readonly Artifact[],
  kinds: readonly string[],
  context: Context,
): FoundSecrets {
  const tasks = [...artifacts].sort((one, other) => other.bytes - one.bytes)
  const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0)
  const settings = { key: randomKey().toString('base64'), kinds }
  const threads = threadsFor(tasks, context.threads)
  const gathered = new Map<string, Gathered>()
  let lines = 0
  let index = 0
  context.progress?.start('Searching', bytes)
  for (const result of inOrder<Artifact, SecretResult>({
    tasks,
    run: createSecretSearch(settings),
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job: 'secrets', settings },
  })) {
    const artifact = tasks[index++]!
    context.progress?.advance(artifact.bytes)
    if ('fault' in result) {
      context.note(`${result.path} ${result.fault}`, 'partly')
      continue
    }
    if (result.tooLong > 0)
      context.note(`${result.path}: ${counted(result.tooLong, 'line')} too long to be searched`, 'partly')
    lines += result.lines
    for (const place of result.places) gather(gathered, place, artifact)
  }
  context.progress?.stop()
  return { secrets: tagged([...gathered.values()]), files: tasks.length, lines, bytes }
}

interface Gathered extends Omit<FoundSecret, 'tag' | 'kind' | 'sessions'> {
  kinds: Map<string, number>
  sessionIds: Set<string>
}

function gather(gathered: Map<string, Gathered>, place: SecretPlace, artifact: Artifact): void {
  const one: Gathered = gathered.get(place.id) ?? { kinds: new Map(), sessionIds: new Set(), at: [] }
  gathered.set(place.id, one)
  one.kinds.set(place.kind, (one.kinds.get(place.kind) ?? 0) + 1)
  if (artifact.sessionId !== '' && artifact.kind === 'transcript')
    one.sessionIds.add(`${artifact.platform} ${artifact.agent} ${artifact.sessionId}`)
  one.at.push({ path: artifact.path, line: place.line, offset: place.offset })
  if (place.at === undefined) return
  one.firstMs = Math.min(one.firstMs ?? place.at, place.at)
  one.lastMs = Math.max(one.lastMs ?? place.at, place.at)
}

/** The kind is the one that most places say: a key that stands under a name in one of them is still the key it says it is. */
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
