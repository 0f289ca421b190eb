import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isFolder, isPlainFolder } from '../../io/directories.ts'
import type { Environment, Refusal, Root } from '../../model/artifact.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, stemOf, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { isTimed, isTimedStem, sessionIdIn } from './file-names.ts'
import { piIdentity, variablesOf } from './identity.ts'
import { MEMBERS, type Member } from './record-facts.ts'

const { id: platform, defaultAgent } = piIdentity

/** The folder of pi, and those of the programs that are pi under another name, if they exist. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [folderOf(path), '--pi-dir'] as const),
    )
  return rootsAt(
    platform,
    MEMBERS.flatMap((member) => {
      const names = variablesOf(member)
      const [folder, sessions] = [names.agent, names.sessions].map((name) => variables[name]?.trim())
      const usual = join(home, `.${member}`, 'agent')
      return [
        ...(folder ? [[withHome(folder, home), names.agent] as const] : []),
        ...(!folder && (member === defaultAgent || existsSync(usual)) ? [[usual, 'default'] as const] : []),
        ...(sessions ? [[withHome(sessions, home), names.sessions] as const] : []),
      ]
    }),
  )
}

/** The folder with the sessions, where a home directory or the client's own one was given. */
const folderOf = (path: string): string =>
  [path, join(path, 'agent'), join(path, piIdentity.folder, 'agent')].find((each) =>
    isFolder(join(each, 'sessions')),
  ) ?? path

const OWNER = new RegExp(`[/\\\\]\\.(${MEMBERS.join('|')})(?:[/\\\\]|$)`)

/** The program that writes below a path. A variable names it where the path does not. */
const memberAt = (path: string, reason = ''): Member =>
  (OWNER.exec(path)?.[1] as Member | undefined) ??
  MEMBERS.find((member) => Object.values<string>(variablesOf(member)).includes(reason)) ??
  defaultAgent

/** The program that a root belongs to. */
export const memberOf = ({ path, reason }: Pick<Root, 'path' | 'reason'>): Member => memberAt(path, reason)

const NEVER: Reasons = [
  [/^auth\.json/, 'keys of your accounts'],
  [/^models(?:-store)?\.json/, 'may contain keys'],
  [/^(?:settings|mcp)\.json/, 'may contain keys'],
  [/(?:-debug\.log|^crashes\.json)$/, 'logs that may contain tokens'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

/** Subagents of subagents are in folders of folders. Deeper ones are not read. */
const MOST_NESTED = 8

/**
 * The allow-list: transcripts in `sessions/` and in its folders, one for each working directory. omp keeps
 * those of subagents, `<name>.jsonl`, in a folder named like the file of the session that started them. Where
 * a variable names a folder for sessions, and where the oldest versions left some, they are in the root
 * itself, by the client's names only. Links are not followed.
 */
export function discover(from: Root, environment: Environment): Found {
  const { path: root, reason } = from
  const { found, list, ...finder } = finderIn(from, environment)
  const agent = memberAt(root, reason)
  const sessions = join(root, 'sessions')
  for (const { name } of list(root)) if (isTimed(name)) add(root, name)
  for (const { name } of list(sessions)) {
    const path = join(sessions, name)
    if (!isPlainFolder(path)) add(sessions, name)
    else if (isTimedStem(name)) nested(path, sessionIdIn(name))
    else
      for (const each of list(path))
        if (isTimedStem(each.name) && each.isDirectory())
          nested(join(path, each.name), sessionIdIn(each.name))
        else add(path, each.name)
  }
  return found

  function nested(folder: string, parentSessionId: string, depth = 1): void {
    for (const entry of list(folder)) {
      // Many sessions have subagents of one name.
      if (!entry.isDirectory()) add(folder, entry.name, parentSessionId)
      else if (depth < MOST_NESTED)
        nested(join(folder, entry.name), `${entry.name}.${parentSessionId}`, depth + 1)
    }
  }

  function add(folder: string, name: string, parentSessionId?: string): void {
    const stem = stemOf(name)
    if (stem === undefined || name.startsWith('.')) return
    const facts =
      parentSessionId === undefined
        ? { sessionId: sessionIdIn(stem) }
        : { sessionId: `${stem}.${parentSessionId}`, parentSessionId, kindHint: 'subagent' as const }
    finder.add(folder, name, { agent, ...facts })
  }
}

/** A transcript outside of the roots. Another platform writes the same records, so its name decides. */
export const given: GivenFile = {
  isOwn: () => false,
  isOwnName: isTimed,
  facts: (path) => ({ agent: memberAt(path), state: 'live' }),
}
