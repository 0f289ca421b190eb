import type { Artifact } from '../artifact.ts'
import type { Payload, SessionEvent, SessionKind } from '../event.ts'
import type { Session } from '../session.ts'
import { slugMatches } from '../slug.ts'

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
  let { parentSessionId } = artifact
  return {
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
      if (prompt.forkedFrom !== undefined) forked = true
      if (prompt.branch === undefined || prompt.branch === DETACHED) return
      gitBranches.delete(prompt.branch)
      if (gitBranches.size < MOST_BRANCHES) gitBranches.add(prompt.branch)
    },
    session(header: Extract<Payload, { type: 'session' }>): void {
      const { sessionId, parentSession = header.forkOf } = header
      if (sessionId && sessionId !== artifact.sessionId) otherIds.add(sessionId)
      if (parentSession) parentSessionId ??= parentSession
      kind ??= header.kind
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
      ...(forked ? { forked } : {}),
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
