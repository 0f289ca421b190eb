import type { PlatformIdentity, RecordFacts } from '../identity.ts'

/** OpenCode, or a program that is OpenCode under another name. */
interface BuildOf {
  name: string
  platform: string
  /** The program at the terminal. */
  command: string
  /** The variable with the path of its database, or with its name in the data folder. */
  variable: string
}

/** All of them, by the name of their folders and databases: `~/.local/share/kilo/kilo.db`. */
export const BUILDS = {
  opencode: { name: 'OpenCode', platform: 'opencode', command: 'opencode', variable: 'OPENCODE_DB' },
  mimocode: { name: 'MiMo Code', platform: 'opencode', command: 'mimo', variable: 'MIMOCODE_DB' },
  kilo: { name: 'Kilo Code', platform: 'kilo-code', command: 'kilo', variable: 'KILO_DB' },
} as const satisfies Record<string, BuildOf>

export type Build = keyof typeof BUILDS

const ALL = Object.keys(BUILDS) as Build[]

/** Those of a platform. The first is its own client. */
export const buildsOf = (platform: string): Build[] =>
  ALL.filter((build) => BUILDS[build].platform === platform)

/** Patterns for the names of files that begin with the name of one: `{opencode,kilo}`. */
export const ANY_BUILD = /* @__PURE__ */ (() => `{${ALL.join(',')}}`)()

/** The database of one, or of one of its release channels: `opencode-dev.db`. */
export const isDatabaseOf = (name: string, builds: readonly Build[]): boolean =>
  builds.some((build) => name.startsWith(build) && CHANNEL.test(name.slice(build.length)))

const CHANNEL = /^(?:-[\w.-]+)?\.db$/

/** The build of a platform that a folder or a database is named after. */
export const buildAt = (platform: string, name: string): Build | undefined =>
  buildsOf(platform).find((build) => name === build || isDatabaseOf(name, [build]))

/** What reading the records of these platforms has in common. */
export const SHARED_FACTS = {
  ownFolders: false,
  record: { id: 'id', parentId: 'parentId' },
} as const satisfies Partial<RecordFacts>

/** What the identities of these platforms have in common. */
export const SHARED_IDENTITY = {
  manyAgents: false,
  below: [
    /^(.*)\/(storage\/session\/[^/]+\/[^/]+\.json)$/s,
    /^(.*)\/((?:sessions|plans)\/[^/]+\.(?:jsonl|md))$/s,
    /^(.*)\/(prompt-history\.jsonl|[^/#]+\.db|[^/]*#.*)$/s,
  ],
} as const satisfies Partial<PlatformIdentity>

/** The variables that point to the files of a platform. */
export const variablesOf = (platform: string): string[] => [
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  ...buildsOf(platform).map((build) => BUILDS[build].variable),
]
