import type { Session } from './session.ts'

/** The fields of a session that its project is derived from. */
export type ProjectFacts = Pick<
  Session,
  | ('id' | 'platform' | 'agent' | 'slug' | 'parentSessionId')
  | ('cwds' | 'touched' | 'origins' | 'startedMs' | 'lastActivityMs')
>

/** The sessions of one project, or of none. */
export interface ProjectMembers {
  project?: { name: string; path: string }
  /** The ids of their files in the store. */
  artifacts: readonly number[]
}

/** The same of a stored session, with the project that it is assigned to. */
export interface AssignedFacts extends ProjectFacts {
  /** The id of its file in the store. */
  artifact: number
  assigned: ProjectMembers['project']
}

/** What the project of a session was derived from. */
export interface ProjectEvidence {
  /** The id of its file in the store. */
  artifact: number
  session: string
  parent: string | undefined
  /** The directory and other facts. Sessions with the same evidence have the same project. */
  evidence: string
}

const CUT = 200

/**
 * Claude Code's name for a directory's project folder. It cannot be reversed: many paths have the same slug.
 */
export function slugOf(path: string): string {
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-')
  return slug.length <= CUT ? slug : slug.slice(0, CUT)
}

/** The slug under the older rule, which only replaces separators. */
const plainSlugOf = (path: string): string => path.replace(/\//g, '-')

/** The drive letter can be of either case: `c--Users-ann`. */
const withDrive = (slug: string): string => slug.replace(/^[a-z](?=--)/, (letter) => letter.toUpperCase())

/**
 * Whether a folder name can be the slug of a path. Long slugs end in a hash, which differs between client
 * versions.
 */
export function slugMatches(name: string, path: string): boolean {
  const slug = withDrive(name)
  const expected = withDrive(slugOf(path))
  if (expected.length >= CUT) return slug.startsWith(expected)
  return slug === expected || slug === plainSlugOf(path)
}
