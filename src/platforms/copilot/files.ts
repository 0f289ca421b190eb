import { basename, dirname, join } from 'node:path'
import { directoryOrHome, fileInside, isFolder, NO_LINKS } from '../../io/directories.ts'
import { readSmall } from '../../io/source.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, stemOf, withHome } from '../folders.ts'
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
export function discover(from: Root, environment: Environment): Found {
  const { path: root } = from
  const { found, list, ...finder } = finderIn(from, environment)
  const sessions = join(root, SESSIONS)
  for (const { name } of list(sessions)) {
    const path = join(sessions, name)
    if (isFolder(path)) {
      for (const each of list(path)) if (stemOf(each.name) === 'events') add(path, each.name, name)
    } else if (ID.test(stemOf(name) ?? '')) add(sessions, name, stemOf(name)!)
  }
  const early = join(root, 'history-session-state')
  for (const { name } of list(early))
    found.unread.push({
      path: join(early, name),
      reason: 'the form of the first versions, which is not read',
    })
  return found

  function add(within: string, name: string, sessionId: string): void {
    const besideMs = fileInside(within, join(within, WORKSPACE), NO_LINKS)?.mtimeMs
    finder.add(within, name, { agent, sessionId, besideMs })
  }
}

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
