import type { Artifact } from '../artifact.ts'
import type { Payload, SessionEvent, SessionKind, TitleSource } from '../event.ts'
import { slugMatches } from '../project.ts'
import type { Session } from '../session.ts'

const RANK: Record<TitleSource, number> = { custom: 0, ai: 1, summary: 2, index: 3, 'last-prompt': 4 }

/** Collects the titles of a session, the last of each kind, and chooses the best. */
export function createTitles(artifact: Artifact) {
  const given = new Map<TitleSource, string>()
  /** Titles for records that may be in another file. */
  const stray: { leaf: string; title: string }[] = []
  return {
    add(payload: Extract<Payload, { type: 'title' }>): void {
      const { leaf, source, title } = payload
      if (leaf === undefined) given.set(source, title)
      else stray.push({ leaf, title })
    },
    /** The best title. The first human message ranks above one from an index, and above the last prompt. */
    best(firstHuman: string | undefined, contains: (leaf: string) => boolean): string | undefined {
      // A title in a file next to the transcript was chosen by a human. One from an index may be just a
      // peer's name.
      const source = artifact.titleHintByHand ? 'custom' : 'index'
      const titles = new Map<TitleSource, string>(artifact.titleHint ? [[source, artifact.titleHint]] : [])
      for (const [from, title] of given) titles.set(from, title)
      const own =
        stray.findLast(({ leaf }) => contains(leaf)) ?? (firstHuman === undefined ? stray.at(-1) : undefined)
      if (own) titles.set('summary', own.title)
      const [best] = [...titles].sort((a, b) => RANK[a[0]] - RANK[b[0]])
      if (best && RANK[best[0]] < RANK.index) return best[1]
      return firstHuman ?? best?.[1]
    },
  }
}

const MOST_BRANCHES = 50
const MOST_OTHER_IDS = 20
/** The branch name that clients record for a detached head. */
const DETACHED = 'HEAD'

/** Collects where a session ran: directories, git branches, client versions, related sessions. */
export function createWhereabouts(artifact: Artifact) {
  const cwds = new Map<string, number>()
  const otherIds = new Set<string>()
  const origins = new Set<string>()
  const gitBranches = new Set<string>()
  let version: string | undefined
  /** The kind that the session states of itself. */
  let kind: SessionKind | undefined
  /** Some of the prompts are copies of another session's. */
  let forked = false
  /** When the session was forked. */
  let forkedMs: number | undefined
  let laterForm: number | string | undefined
  let { subagent } = artifact
  let { parentSessionId } = artifact
  /** Some copies keep the id of the session that they were made from. A subagent has its parent's. */
  let first: string | undefined
  /** Whether a record is older than the fork, so that it was copied. */
  const isOlder = ({ at }: SessionEvent): boolean =>
    at !== undefined && forkedMs !== undefined && at < forkedMs
  return {
    isOlder,
    /** Whether a directory is known. */
    hasDirectory: (): boolean => cwds.size > 0,
    addDirectory(cwd: string | undefined, sessionId: string | undefined): void {
      if (cwd !== undefined) cwds.set(cwd, (cwds.get(cwd) ?? 0) + 1)
      if (sessionId !== undefined && sessionId !== artifact.sessionId && otherIds.size < MOST_OTHER_IDS)
        otherIds.add(sessionId)
    },
    /** Records the client version and the git branch of a prompt. */
    workedWith(prompt: SessionEvent): void {
      version = prompt.version ?? version
      first ??= prompt.sessionId
      const isOwn = prompt.sessionId === artifact.sessionId && first !== artifact.sessionId
      if (prompt.forkedFrom !== undefined || prompt.isCopy || isOlder(prompt)) forked = true
      else if (forked || isOwn) {
        forked = true
        forkedMs ??= prompt.at
      }
      if (prompt.branch === undefined || prompt.branch === DETACHED) return
      gitBranches.delete(prompt.branch)
      if (gitBranches.size < MOST_BRANCHES) gitBranches.add(prompt.branch)
    },
    session(header: Extract<Payload, { type: 'session' }>): void {
      const { sessionId, parentSession = header.forkOf } = header
      if (sessionId && sessionId !== artifact.sessionId) otherIds.add(sessionId)
      if (parentSession) parentSessionId ??= parentSession
      kind ??= header.kind
      laterForm ??= header.laterForm
      subagent ??= header.subagent
      forkedMs ??= header.forkedAt
    },
    link({ relation, target, from }: Extract<Payload, { type: 'link' }>): void {
      if (relation === 'relocated') origins.add(target)
      if (relation === 'worktree' && from) origins.add(from)
    },
    /** The kind of the session according to its path, its index or itself. */
    kindHint: (): SessionKind | undefined => artifact.kindHint ?? kind,
    /** The fields of the session it determines. */
    row: () => ({
      cwds: ownFirst(ranked(cwds), artifact.slug),
      origins: [...origins],
      parentSessionId:
        parentSessionId ?? ((artifact.kindHint ?? kind) === 'subagent' ? [...otherIds][0] : undefined),
      otherIds: [...otherIds],
      version,
      subagent,
      ...(forked ? { forked, ...(forkedMs !== undefined && { forkedMs }) } : {}),
      ...(laterForm === undefined ? {} : { laterForm }),
      ...(gitBranches.size > 0 ? { branches: [...gitBranches] } : {}),
    }),
  }
}

export const ranked = (counts: Map<string, number>): [string, number][] =>
  [...counts].sort((a, b) => b[1] - a[1])

/** Moves the directory that the transcript's folder is named after to the front. */
function ownFirst(cwds: Session['cwds'], slug: string | undefined): Session['cwds'] {
  const at = slug === undefined ? -1 : cwds.findIndex(([path]) => slugMatches(slug, path))
  return at <= 0 ? cwds : [cwds[at]!, ...cwds.slice(0, at), ...cwds.slice(at + 1)]
}
