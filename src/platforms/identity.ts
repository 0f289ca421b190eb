import type { FoldTraits } from '../model/fold/tool-arguments.ts'
import { shortName } from '../model/hidden.ts'

/** What reading records needs to know of their platform, also in browsers. */
export interface RecordFacts {
  /** Identifies the platform in flags, JSON and stores. Never changes. */
  id: string
  /** The agent id, if the files contain none. */
  defaultAgent: string
  /** Whether its transcripts repeat replies as copies for a channel. */
  mirrorsReplies?: boolean
  /** Whether its agents work in folders of their own, so that only the changed files identify the project. */
  ownFolders: boolean
  /** Fields with the ids of a record and of its predecessor, as paths, if its records have any. */
  record: { id?: string; parentId?: string }
  /** Shell commands that prompt an agent of the platform. */
  commands: readonly string[]
}

/** The behavior of the fold for a platform. `asks`: see `FoldTraits`. */
export const foldTraits = ({ ownFolders, mirrorsReplies }: RecordFacts, asks: RegExp): FoldTraits => ({
  touched: ownFolders,
  mirrors: mirrorsReplies === true,
  asks,
})

/**
 * Names and paths of a platform, as the rest of the program needs them. Plain data and pure functions, so
 * that it loads fast.
 */
export interface PlatformIdentity extends RecordFacts {
  /** The name in sentences: `Claude Code`. */
  name: string
  /** The newest version of its client that was tried; `npm run test:clients` renews it. */
  tried?: string
  /** The name in narrow columns: `claude`. */
  short: string
  /** The prefix of an agent id in narrow columns: `oc` becomes `oc:main`. No two platforms share one. */
  prefix: string
  /** The color of its sign in lists, of the 16 that every terminal has. Each platform has its own. */
  color: SignColor
  /**
   * Names the flag and the library option for its roots: `claude` becomes `--claude-dir` and `claudeDirs`.
   */
  dirName: string
  /** The default name of its folder in the home directory: `.claude`. */
  folder: string
  /** Environment variables that point to its files. */
  variables: readonly string[]
  /** The name of the agent as a speaker, unless it is one of `programs`. If absent, the agent id is used. */
  speaker?: string
  /** Whether its agents have ids. Otherwise there is only one, which is not named. */
  manyAgents: boolean
  /** The names of its agents, if each of them is a program of its own: `{ omp: 'Oh My Pi' }`. */
  programs?: Readonly<Record<string, string>>
  /**
   * Whether its client also runs inside other platforms, whose sessions name the session they ran through.
   */
  runsInside?: boolean
  /** Folders of its agents that are not projects. */
  agentHome?: RegExp
  /** Matches the end of the path of an agent's workspace. */
  workspace?: RegExp
  /** The folder of an agent below a root: `agents/main`. */
  agentFolder?(agent: string): string
  /** The provider of its models, if there is only one. */
  provider?: string
  /**
   * The days for which the client keeps transcripts by default, if it deletes them, and the setting that
   * changes it. The settings themselves stay closed: they may hold keys. The days begin with the last change
   * of the file, or with the last activity that the transcript records.
   */
  keeps?: { days: number; setting: string; since: 'file' | 'record' }
  /** Patterns that split a path in an archive into the root and what is below it. The first match applies. */
  below: readonly RegExp[]
  /**
   * The ids that its client gives to sessions. A file, a folder or a database may name another one, such as
   * `--help`, which must not reach the client.
   */
  sessionId: RegExp
  /** The keys that open its sessions, if these are not their ids. */
  sessionKey?: RegExp
  /** The command that begins a session at the terminal, but for the prompt that follows. */
  begins?: readonly string[]
  /** Its flag that names the session. Without one, the client would continue its main session. */
  sessionFlag?: string
  /** How `setup` adds the MCP server to the client and removes it. Absent if it cannot. */
  client?: ClientSetup
  /**
   * Where its client reads skills: in `skills` of its folder, as clients do that `setup` adds the MCP server
   * to, or in another folder of the home directory.
   */
  skills?: true | string
  /** The file in its folder that configures a status line, if the client has one. */
  statusLine?: string
  /** The event of its hooks that tells a prompt before the model reads it. Set in the same file. */
  recallHook?: string
}

type SignColor =
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'
  | 'redBright'
  | 'greenBright'
  | 'yellowBright'
  | 'blueBright'
  | 'magentaBright'
  | 'cyanBright'
  | 'gray'

/** The forms that ids of sessions have. */
export const ID_FORMS = {
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  word: /^[\da-z][\w-]*$/i,
  dottedWord: /^[\da-z][\w.-]*$/i,
} as const

/** The commands of a client that change and show its settings. Adding fails if there is such a server. */
export interface ClientSetup {
  /** `server`: the command that starts the server. */
  add(server: readonly [program: string, ...args: string[]]): string[]
  remove: readonly string[]
  /** Fails if the client has no such server. */
  show: readonly string[]
}

/** The name of an agent in sentences: `Claude Code`, `OpenClaw main`. */
export const agentName = ({ name, programs, manyAgents }: PlatformIdentity, agent: string): string =>
  programs?.[agent] ?? (manyAgents ? `${name} ${shortName(agent)}` : name)

/** The name of an agent in narrow columns: `claude`, `oc:main`. */
export const shortAgent = (
  { short, prefix, programs, manyAgents }: PlatformIdentity,
  agent: string,
): string =>
  programs?.[agent] === undefined ? (manyAgents ? `${prefix}:${shortName(agent)}` : short) : agent
