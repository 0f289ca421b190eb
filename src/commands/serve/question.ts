import type * as z from 'zod/mini'
import type { Command } from '../../context/command.ts'
import type { FreshStore, Indexing } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { among, ScrollbackError } from '../../errors.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { copyKey, isBetter } from '../../selection/load-sessions.ts'
import { isNamed } from '../../selection/session-names.ts'
import type { StoredSession } from '../../store/stored.ts'

/** Bytes that are an answer as they are, such as an image. */
interface FileAnswer {
  type: string
  bytes: Uint8Array
}

/** What the page asks: a command, or something that only the page needs. */
export interface Question<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output = unknown,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> extends Pick<
    Command<Input, Output, Answer>,
    'name' | 'summary' | 'input' | 'output' | 'run' | 'json' | 'searchesValues'
  > {
  /** The answer as a file. Otherwise it is JSON. */
  file?(output: Output): FileAnswer
  /** The command prints a file while it runs: its type and its name. */
  prints?(input: z.output<Input>): { type: string; name: string }
}

export const defineQuestion = <Input extends z.ZodMiniObject, Output, Answer extends z.ZodMiniType>(
  question: Question<Input, Output, Answer>,
): Question<Input, Output, Answer> => question

/** The shortest accepted prefix of an id. */
const SHORTEST = 4

/** The parameter that names a session. */
export const sessionField = field.text({
  description: 'path of a session, its id, or the beginning of its id',
  placeholder: 'session',
})

/** A stored session and its file. */
export interface FoundSession extends StoredSession {
  artifact: Artifact | undefined
}

/**
 * Finds one session by its path or id, without loading the others. Of several files with one id, the live one
 * is meant, or the newest.
 */
export function findSession(wanted: string | undefined, fresh: FreshStore): FoundSession {
  const { store, found } = fresh
  if (wanted === undefined || wanted === '')
    throw new ScrollbackError('bad-option', 'session: missing', 'Give the id or the path of a session.')
  if (fresh.indexing) indexWanted(wanted, fresh.indexing, fresh)
  const roots = new Set(found.roots.map(({ path }) => path))
  const isHere = ({ session }: StoredSession): boolean => roots.has(session.root)
  const [ofPath] = store.sessions(undefined, [wanted]).filter(isHere)
  if (ofPath) return withArtifact(ofPath)
  const begun = [...store.pathsOf(wanted), ...store.pathsOf(`agent-${wanted}`)]
  const rows = begun.length === 0 ? [] : store.sessions(undefined, begun).filter(isHere)
  const exact = rows.filter(({ session }) => session.id === wanted)
  const fitting = exact.length > 0 || wanted.length < SHORTEST ? exact : rows
  const ids = [...new Set(fitting.map(({ session }) => session.id))]
  if (ids.length > 1)
    throw among(
      new ScrollbackError(
        'several-sessions',
        `"${wanted}" is ambiguous: ${ids.length} session ids begin with it.`,
        'Use a longer part of the id.',
      ),
      ids,
    )
  fitting.sort((a, b) => Number(isLive(b)) - Number(isLive(a)) || b.session.modifiedMs - a.session.modifiedMs)
  const bests = [...Map.groupBy(fitting, ({ session }) => session.platform).values()].map((own) =>
    mostComplete(own[0]!, own),
  )
  if (bests.length > 1)
    throw among(
      new ScrollbackError(
        'several-sessions',
        `${bests.length} agents have a session with the id "${wanted}".`,
        'Use its path.',
      ),
      bests.map(({ session }) => session.path),
    )
  if (bests[0]) return withArtifact(bests[0])
  throw new ScrollbackError(
    'no-session',
    `"${wanted}": no such session.`,
    'Use the id or the path of a session.',
  )

  function withArtifact(row: StoredSession): FoundSession {
    const { path } = row.session
    const artifact = found.artifacts.find((each) => each.path === path) ?? store.known().get(path)?.artifact
    return { ...row, artifact }
  }
}

/** The copy of a session that listings show. */
function mostComplete(found: StoredSession, all: readonly StoredSession[]): StoredSession {
  const key = copyKey(found.session)
  const copies = key === undefined ? [] : all.filter(({ session }) => copyKey(session) === key)
  return copies.reduce((one, other) => (isBetter(rowOf(other), rowOf(one)) ? other : one), found)
}

/** Sessions that are asked for are indexed before the others. */
function indexWanted(wanted: string, { indexNow }: Indexing, { store, found }: FreshStore): void {
  const known = store.known()
  for (const { path, sessionId } of found.artifacts)
    if (!known.has(path) && (path === wanted || isWanted(sessionId))) indexNow(path)

  function isWanted(id: string): boolean {
    return wanted.length < SHORTEST ? id === wanted : isNamed(id, wanted)
  }
}

const isLive = ({ session, goneMs }: StoredSession): boolean =>
  session.state === 'live' && goneMs === undefined

/** The session as listings show it. */
export const rowOf = ({ session, goneMs }: StoredSession): Session =>
  goneMs === undefined ? session : { ...session, goneMs }
