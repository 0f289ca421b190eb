import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { type Filters, filters } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { searchFiles } from '../../context/read-files.ts'
import { isoTime } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Artifact } from '../../model/artifact.ts'
import { shownName } from '../../model/hidden.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import { secretKinds } from '../../redact/all-rules.ts'
import { randomKey } from '../../redact/redactor.ts'
import { type Column, counted, homely, table } from '../../render/table.ts'
import { printableJson, type Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { chooseNamed } from '../../selection/choose-sessions.ts'
import { loadSessions, noteUnreadable } from '../../selection/load-sessions.ts'
import { discover } from '../../sync/discover.ts'
import { paint } from '../hit-line.ts'
import { createSecretSearch, type LocatedSecret } from './job.ts'

const secretShape = () =>
  z.object({
    kind: z.string(),
    tag: z.string(),
    places: z.number(),
    sessions: z.number(),
    firstAt: z.nullable(z.string()),
    lastAt: z.nullable(z.string()),
    at: z.array(
      z.object({
        path: z.string(),
        line: z.number(),
        offset: z.number(),
        /** What kind of file it is. Only a transcript can be read as a session. */
        source: z.enum(['transcript', 'prompt-history', 'memory']),
      }),
    ),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    totals: z.object({
      secrets: z.number(),
      places: z.number(),
      kinds: z.record(z.string(), z.number()),
      files: z.number(),
      lines: z.number(),
      bytes: z.number(),
    }),
    secrets: z.array(secretShape()),
  })

const input = z.object({
  project: field.text({ description: 'project, agent or session; part of a name or path', positional: true }),
  platform: filters.platform,
  agent: filters.agent,
  all: field.flag({ description: 'every file: transcripts, prompt history, memory' }),
  since: filters.since,
  until: filters.until,
  kind: field.text({
    description: 'only these kinds of secret, or parts of their names',
    placeholder: 'kinds',
  }),
  places: field.flag({ description: 'every file and line' }),
  limit: field.count({ description: 'at most n secrets; 0 = no limit', placeholder: 'n' }),
})

export const secrets = defineCommand({
  name: 'secrets',
  summary: 'find keys and passwords in transcripts: kind, file and line, never the value',
  details:
    'Reads the files themselves, because the store and all output are redacted. Each secret is one row; its first and last use show what ' +
    'to rotate.',
  examples: [
    { command: 'scrollback secrets --all', description: 'find every secret that was ever pasted or printed' },
    {
      command: 'scrollback secrets eastore --places',
      description: 'list every file and line, in one project',
    },
    {
      command: 'scrollback secrets --all --kind connection-string,aws',
      description: 'find only these kinds',
    },
    { command: "scrollback secrets --all --json | jq '.totals.kinds'", description: 'for programs' },
  ],
  input,
  output,
  async run({ kind, limit, places, ...wanted }, context: Context): Promise<ShownSecrets> {
    const kinds = kind === undefined ? [] : kindsNamed(kind)
    const found = findSecretsIn(await filesOf(wanted, context), kinds, context)
    return {
      ...found,
      limit: limit || Number.POSITIVE_INFINITY,
      listPositions: places,
      isPart: !wanted.all,
    }
  },
  render: secretPieces,
  /** One row after another, because there may be very many. */
  *json(answer) {
    yield `${printableJson(JSON.stringify({ version: 1, totals: totalsOf(answer) }, null, 2)).slice(0, -2)},\n  "secrets": [`
    let first = true
    for (const secret of answer.secrets.slice(0, answer.limit)) {
      yield `${first ? '' : ','}\n${printableJson(JSON.stringify(secretJson(secret), null, 2)).replace(/^/gm, '    ')}`
      first = false
    }
    yield first ? ']\n}\n' : '\n  ]\n}\n'
  },
})

/** Kinds whose names contain one of the given words, which are separated by commas. */
function kindsNamed(text: string): string[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  const unknown = words.find((word) => word === '' || !secretKinds.some((kind) => kind.includes(word)))
  if (unknown !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `--kind: unknown kind of secret "${unknown}"`,
      `Choose from ${secretKinds.join(', ')}; separate several with commas.`,
    )
  return secretKinds.filter((kind) => words.some((word) => kind.includes(word)))
}

function secretJson({
  kind,
  tag,
  sessions,
  firstMs,
  lastMs,
  at,
}: FoundSecret): z.output<ReturnType<typeof secretShape>> {
  return { kind, tag, places: at.length, sessions, firstAt: isoTime(firstMs), lastAt: isoTime(lastMs), at }
}

/** How many rows fill a screen. */
const SCREENFUL = 30

const day = (ms: number | undefined): string => (ms === undefined ? '-' : dated(ms).slice(0, 10))

const columns: Column<FoundSecret>[] = [
  { title: 'KIND', value: ({ kind }) => kind, most: 24, paint: 'cyan' },
  { title: 'TAG', value: ({ kind, tag }) => tag.slice(kind.length) },
  { title: 'PLACES', value: ({ at }) => String(at.length), align: 'right' },
  { title: 'SESSIONS', value: ({ sessions }) => String(sessions), align: 'right' },
  { title: 'FIRST', whole: true, value: ({ firstMs }) => day(firstMs) },
  { title: 'LAST', whole: true, value: ({ lastMs }) => day(lastMs) },
]

/** One row per secret. With `--places`, followed by its occurrences, one per line. */
function* secretPieces(answer: ShownSecrets, screen: Screen): Generator<string> {
  const { limit, listPositions } = answer
  const { secrets, places, kinds, files, lines } = totalsOf(answer)
  const searched = `${counted(lines, 'line')} of ${counted(files, 'file')}`
  if (secrets === 0) {
    yield `Nothing found in ${searched}.\n`
    if (answer.isPart) yield `To search every file: ${screen.suggest('secrets', '--all')}\n`
    return
  }
  const most = screen.terminal && !listPositions && limit === Number.POSITIVE_INFINITY ? SCREENFUL : limit
  const rows = answer.secrets.slice(0, most)
  let row = -1
  for (const line of table(rows, columns, screen)) {
    yield line
    if (listPositions && row >= 0)
      for (const { path, line: number } of rows[row]!.at)
        yield `    ${paint('dim', `${shownName(homely(path, screen.home))}:${number}`, screen)}\n`
    row++
  }
  const shown = rows.length < secrets ? `; ${rows.length} shown (--limit ${secrets} shows all)` : ''
  yield `\n${counted(secrets, 'secret')} of ${counted(Object.keys(kinds).length, 'kind')} in ${counted(places, 'place')}; ${searched} searched${shown}.\n`
  if (!listPositions)
    yield `Values are never shown. Every file and line: ${screen.suggest.again({ flags: ['--places'] })}\n`
}

/** What is shown of the found secrets. */
interface ShownSecrets extends FoundSecrets {
  limit: number
  /** Also list every file and line. */
  listPositions: boolean
  /** Not every file was searched. */
  isPart: boolean
}

interface Totals {
  secrets: number
  places: number
  /** The number of secrets of each kind. */
  kinds: Record<string, number>
  files: number
  lines: number
  bytes: number
}

/** Sums over all secrets, including those that are not shown. */
function totalsOf({ secrets: all, files, lines, bytes }: FoundSecrets): Totals {
  const kinds: Record<string, number> = {}
  for (const { kind } of all) kinds[kind] = (kinds[kind] ?? 0) + 1
  const places = all.reduce((sum, { at }) => sum + at.length, 0)
  return { secrets: all.length, places, kinds, files, lines, bytes }
}

/** One secret with all its occurrences. */
interface FoundSecret {
  kind: string
  /** Numbers the secrets of a kind in the order in which they were first written. */
  tag: string
  sessions: number
  firstMs?: number
  lastMs?: number
  at: { path: string; line: number; offset: number; source: Artifact['kind'] }[]
}

interface FoundSecrets {
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

/**
 * The files of the named project or of the current directory. Every file that may be opened with `all`, or if
 * no session ran in that directory.
 */
async function filesOf(input: Wanted, context: Context): Promise<Artifact[]> {
  const isNarrowed = [input.project, input.agent, input.since, input.until].some((each) => each !== undefined)
  if (input.all && !isNarrowed) return everything(input.platform, context)
  const loaded = loadSessions(input, context)
  const wanted = { ...input, name: input.project, orEverything: true }
  const { sessions, by } = await chooseNamed(loaded, wanted, context)
  if (by === 'everything' && !isNarrowed) return everything(input.platform, context)
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
    const files = root.found ? (platformOf(root.platform).history?.files(root) ?? []) : []
    return files.map((file) => ({
      ...file,
      kind: 'prompt-history',
      state: 'live',
      sessionId: '',
      agent: identityOf(file.platform).defaultAgent,
    }))
  })
  return [...found.artifacts, ...found.documents, ...histories]
}

/** Reads the files, in several threads if that is worth it, and joins occurrences of the same secret. */
function findSecretsIn(
  artifacts: readonly Artifact[],
  kinds: readonly string[],
  context: Context,
): FoundSecrets {
  const tasks = [...artifacts].sort((one, other) => other.bytes - one.bytes)
  const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0)
  const settings = { key: randomKey(), kinds }
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
