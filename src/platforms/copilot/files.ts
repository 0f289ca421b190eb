import { basename, dirname, join } from 'node:path'
import {
  directoryOrHome,
  fileInside,
  identityOf,
  isFolder,
  isLink,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import { readSmall } from '../../io/source.ts'
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
import { copilotIdentity } from './identity.ts'
import { nameIn } from './workspace.ts'

const { id: platform, defaultAgent: agent, folder } = copilotIdentity

/** The home directories of Copilot CLI, including those that do not exist. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [directoryOrHome(path, folder, hasSessions), '--copilot-dir'] as const),
    )
  const variable = variables.COPILOT_HOME?.trim()
  return rootsAt(
    platform,
    variable ? [[withHome(variable, home), 'COPILOT_HOME']] : [[join(home, folder), 'default']],
  )
}

const hasSessions = (path: string): boolean => isFolder(join(path, SESSIONS))

const NEVER: Reasons = [
  [/^config\.json/, 'may contain keys of your account'],
  [/^(?:settings|mcp-config)\.json/, 'may contain keys'],
  [/^mcp-oauth-config$/, 'keys of MCP servers'],
  [/^logs$/, 'logs that may contain tokens'],
  [/^ide$/, 'locks with tokens of editors'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const SESSIONS = 'session-state'
const WORKSPACE = 'workspace.yaml'
/** Early versions named the file after the session: `session-state/<id>.jsonl`. */
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The allow-list: the events of each session. Links are not followed. */
export function discover({ path: root }: Root, environment: Environment): Found {
  const notices: Notice[] = []
  const artifacts: Artifact[] = []
  const unread: Unread[] = []
  const sessions = join(root, SESSIONS)
  for (const { name } of list(sessions)) {
    const path = join(sessions, name)
    if (isFolder(path)) {
      for (const each of list(path)) if (stemOf(each.name) === 'events') add(path, each.name, name)
    } else if (ID.test(stemOf(name) ?? '')) add(sessions, name, stemOf(name)!)
  }
  const early = join(root, 'history-session-state')
  for (const { name } of list(early))
    unread.push({ path: join(early, name), reason: 'the form of the first versions, which is not read' })
  return { artifacts, notices, unread }

  function list(path: string) {
    if (isLink(path)) {
      notices.push({ platform, path, message: 'is a link and was not followed' })
      return []
    }
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT') notices.push({ platform, path, message: `cannot be listed (${error})` })
    return entries
  }

  function add(within: string, name: string, sessionId: string): void {
    const path = join(within, name)
    const state = copiedName(name) === undefined ? ('live' as const) : ('backup' as const)
    if (!isAskedFor(state, environment))
      return void unread.push({ path, reason: 'a copy of a transcript', copy: true })
    const stats = fileInside(within, path, NO_LINKS)
    if (!stats) return
    artifacts.push({
      platform,
      agent,
      root,
      path,
      kind: 'transcript',
      state,
      sessionId,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
      besideMs: fileInside(within, join(within, WORKSPACE), NO_LINKS)?.mtimeMs,
    })
  }
}

/** The name of a transcript, or of a copy of one, without its ending. */
const stemOf = (name: string): string | undefined =>
  copiedName(name) ?? (name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : undefined)

const LARGEST = 1024 * 1024

/** The name of a session is in a file next to its events. */
export function describe(artifact: Artifact): Artifact {
  const within = dirname(artifact.path)
  const path = join(within, WORKSPACE)
  if (basename(within) === SESSIONS || !fileInside(within, path, NO_LINKS)) return artifact
  try {
    const name = nameIn(readSmall(path, LARGEST)?.toString('utf8') ?? '')
    // It ranks above the first prompt, whoever chose it.
    return name === undefined ? artifact : { ...artifact, titleHint: name, titleHintByHand: true }
  } catch {
    return artifact
  }
}

/** Events outside of the roots. */
export const given: GivenFile = {
  isOwn: ({ type }) => /^(?:session|user|assistant|tool)\.[a-z_]+$/.test(String(type)),
  facts: () => ({ agent, state: 'live' }),
}
