import { askingCommand, type FoldTraits } from '../model/fold/tool-arguments.ts'
import { claudeCodeIdentity } from './claude-code/identity.ts'
import { clineIdentity } from './cline/identity.ts'
import { codexIdentity } from './codex/identity.ts'
import { continueIdentity } from './continue/identity.ts'
import { copilotIdentity } from './copilot/identity.ts'
import { geminiCliIdentity } from './gemini-cli/identity.ts'
import { foldTraits, ID_FORMS, type PlatformIdentity } from './identity.ts'
import { kiloCodeIdentity } from './kilo-code/identity.ts'
import { kimiCodeIdentity } from './kimi-code/identity.ts'
import { openclawIdentity } from './openclaw/identity.ts'
import { opencodeIdentity } from './opencode/identity.ts'
import { piIdentity } from './pi/identity.ts'
import { qwenCodeIdentity } from './qwen-code/identity.ts'

/** All platforms, in the order in which they are listed. Types come from it; all else takes `identities`. */
export const IDENTITIES = [
  claudeCodeIdentity,
  openclawIdentity,
  codexIdentity,
  piIdentity,
  opencodeIdentity,
  geminiCliIdentity,
  copilotIdentity,
  kiloCodeIdentity,
  qwenCodeIdentity,
  kimiCodeIdentity,
  clineIdentity,
  continueIdentity,
] as const

/** The ids of the platforms. */
export type KnownPlatform = (typeof IDENTITIES)[number]['id']

export const identities: readonly PlatformIdentity[] = [...IDENTITIES]

/** The ids of all platforms, for flags and schemas. */
export const platformIds = (): [string, ...string[]] =>
  identities.map(({ id }) => id) as [string, ...string[]]

/** The names of all platforms as a phrase: `Claude Code and OpenClaw`. */
export const platformNames = (joint: 'and' | 'or'): string =>
  joined(
    identities.map(({ name }) => name),
    joint,
  )

/** Names in a phrase: `Claude Code or OpenClaw`. */
export const joined = (names: readonly string[], joint: 'and' | 'or'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)!}`

/** Examples of what selects an agent: `main, openclaw:main`. */
export const agentExamples = (): string => {
  const { id, defaultAgent } = identities.find(({ manyAgents }) => manyAgents) ?? identities[0]!
  return `${defaultAgent}, ${id}:${defaultAgent}`
}

/** The name of the platform whose client also runs inside others. */
export const runtimeName = (): string => identities.find(({ runsInside }) => runsInside)?.name ?? 'client'

/** The platform whose client has a status line. */
export const statusLinePlatform = (): PlatformIdentity => identities.find(({ statusLine }) => statusLine)!

/** The platforms with a client that `setup` knows, by the name that `setup` takes. */
export const clients = (): ReadonlyMap<string, PlatformIdentity> =>
  new Map(
    identities.flatMap((identity) =>
      identity.client || identity.skills ? [[identity.short, identity] as const] : [],
    ),
  )

/** The identity of a platform. An unknown platform is named by its id. */
export const identityOf = (id: string): PlatformIdentity =>
  identities.find((identity) => identity.id === id) ?? {
    id,
    name: id,
    short: id,
    prefix: id,
    color: 'gray',
    dirName: id,
    folder: '',
    variables: [],
    defaultAgent: '',
    manyAgents: true,
    ownFolders: false,
    sessionId: ID_FORMS.dottedWord,
    below: [],
    record: {},
    commands: [],
  }

/** Whether agents of a platform work in folders of their own. */
export const ownFolders = (id: string): boolean => identityOf(id).ownFolders

const ASKS = askingCommand(identities.flatMap(({ commands }) => commands))

/** The platform-specific behavior of the fold. */
export const traitsOf = (id: string): FoldTraits => foldTraits(identityOf(id), ASKS)

/** Where a folder has the name of the repository: work trees of Cursor, the desktop app and Conductor. */
const NAMED =
  /^((?:\/(?!\/)|[A-Za-z]:[/\\]).*?[/\\](?:\.cursor[/\\]worktrees|\.claude-worktrees|conductor[/\\]workspaces)[/\\][^/\\]+)[/\\][^/\\]+/
/** Conductor also makes them inside the repository. */
const INSIDE = /^((?:\/(?!\/)|[A-Za-z]:[/\\]).*?)[/\\]\.conductor[/\\][^/\\]+/

/**
 * The work tree that an absolute path is in, if another program made it. `project`: its repository, or else a
 * folder that has the name of the repository.
 */
export function foreignWorktree(path: string): { tree: string; project: string } | undefined {
  const found = NAMED.exec(path) ?? INSIDE.exec(path)
  return found ? { tree: found[0], project: found[1]! } : undefined
}
