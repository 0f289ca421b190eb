import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  fileInside,
  identityOf,
  isFolder,
  isLink,
  isPlainFolder,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import {
  type Artifact,
  copiedName,
  type Environment,
  isAskedFor,
  type Notice,
  type Refusal,
  type Root,
  type Unread,
} from '../../model/artifact.ts'
import { type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { isTimed, sessionIdIn } from './file-names.ts'
import { MEMBERS, type Member, piIdentity, variablesOf } from './identity.ts'

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

/**
 * The allow-list: transcripts in `sessions/` and in its folders, one for each working directory. Where a
 * variable names a folder for sessions, and where the oldest versions left some, they are in the root itself,
 * by the client's names only. Links are not followed.
 */
export function discover({ path: root, reason }: Root, environment: Environment): Found {
  const notices: Notice[] = []
  const artifacts: Artifact[] = []
  const unread: Unread[] = []
  const agent = memberAt(root, reason)
  const sessions = join(root, 'sessions')
  for (const { name } of list(root)) if (isTimed(name)) add(root, name)
  for (const { name } of list(sessions))
    if (isPlainFolder(join(sessions, name)))
      for (const each of list(join(sessions, name))) add(join(sessions, name), each.name)
    else add(sessions, name)
  return { artifacts, notices, unread }

  function list(path: string) {
    if (path !== root && isLink(path)) {
      notices.push({ platform, path, message: 'is a link and was not followed' })
      return []
    }
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT') notices.push({ platform, path, message: `cannot be listed (${error})` })
    return entries
  }

  function add(folder: string, name: string): void {
    const copied = copiedName(name)
    if (name.startsWith('.') || (copied === undefined && !name.endsWith('.jsonl'))) return
    const path = join(folder, name)
    const state = copied === undefined ? ('live' as const) : ('backup' as const)
    if (!isAskedFor(state, environment))
      return void unread.push({ path, reason: 'a copy of a transcript', copy: true })
    const stats = fileInside(folder, path, NO_LINKS)
    if (!stats) return
    artifacts.push({
      platform,
      agent,
      root,
      path,
      kind: 'transcript',
      state,
      sessionId: sessionIdIn(copied ?? name.slice(0, -'.jsonl'.length)),
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
    })
  }
}

/** A transcript outside of the roots. Another platform writes the same records, so its name decides. */
export const given: GivenFile = {
  isOwn: () => false,
  isOwnName: isTimed,
  facts: (path) => ({ agent: memberAt(path), state: 'live' }),
}
