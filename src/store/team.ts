import type { ChangedFile, ChangedItem, ChangedUsage } from './changes.ts'
import type { Store } from './store.ts'

/** Where the server of a space is, and who asks. A space is a database that many machines fill. */
export interface SpaceAddress {
  /** `https://host:8443`, without user, password and database. */
  url: string
  user: string
  password: string
  database: string
}

/** Some sessions of a space. What is not given does not matter. */
export interface StorePart {
  /** The beginnings of their ids. Also those that they started or ran through, whatever their ids are. */
  ids?: readonly string[]
  /** The name of their machine, and of their person, or a part of a name if it is no whole one. */
  device?: string
  person?: string
  /** Active since, in ms. */
  sinceMs?: number
}

export interface SpaceOptions extends SpaceAddress {
  /** The name of this machine, whose files are shown without it. */
  device: string
  /** Called with each file that lists leave out because its row is malformed, as this store shows it. */
  onMalformed?(path: string): void
  /** Called with what a newer program added to the space, which this one does not see. */
  onUnseen?(adds: string): void
  /**
   * One name for each folder of a project, as each machine only names those that it has. By default, each has
   * the name that its machine gave it.
   */
  nameProjects?(
    named: readonly { folder: string; name: string }[],
    agents: ReadonlySet<string>,
  ): ReadonlyMap<string, string>
}

/** The part of a store that a space has: it is read here, and written by `Inbox` and `Administration`. */
export type SpaceStore = Store & {
  /** Lists some sessions and their files. The engine finds them, so that no others are read. */
  listing(part: StorePart): Pick<Store, 'known' | 'sessions'>
}

/** A session, by its platform and id. */
export interface SessionName {
  platform: string
  session: string
}

/** A session that the space refuses. */
export interface Forgotten extends SessionName {
  atMs: number
  /** Who forgot it. */
  by: string
  /** The id of the session that was forgotten with it and started it, or ran through it. */
  parent?: string
}

/** The last delivery of a machine. */
export interface Machine {
  device: string
  person: string
  /** The version of its program, and the format that this program writes. */
  program: string
  format: number
  files: number
  messages: number
  /** Files that the space has refused, because they were forgotten or are too old. */
  refused: number
  /** When it delivered, by the clock of the server, and how long ago that is. In ms. */
  deliveredMs: number
  agoMs: number
  /** The time of the newest message, in ms. */
  newestMs: number
}

/** What an administrator does with a space. */
export interface Administration {
  /** The sessions that the space refuses. */
  forgotten(): Forgotten[]
  /** Refuses these sessions from now on, whatever the clocks of machines say. */
  forget(sessions: readonly (SessionName & { parent?: string })[]): void
  /** Takes that back. */
  acceptAgain(sessions: readonly SessionName[]): void
  /** Refuses sessions that ended earlier, in ms. */
  retain(cutoffMs: number): void
  /** Sessions that ended earlier are refused. Undefined if nothing is too old. */
  cutoff(): number | undefined
  /** Erases files of any machine, and all rows of sessions, for good. */
  erase(ids: readonly number[], sessions: readonly SessionName[]): void
  /** Erases for good what machines have removed since: until parts are merged, its rows are there. */
  eraseRemoved(): void
  /** How many messages no file but these has. */
  messagesOnlyIn(ids: readonly number[]): number
  /**
   * Rows with something of these files and sessions, in all tables and parts, also those that were replaced.
   */
  count(ids: readonly number[], sessions: readonly SessionName[]): number
  /** How many messages each file contains, by its id. Files without any are missing. */
  messagesByFile(ids: readonly number[]): Map<number, number>
  machines(): Machine[]
  format(): number
  close(): void
}

/** What a machine sends. */
export interface SentFile extends ChangedFile {
  person: string
  /** When its session ended, with everything that it started, in ms. 0 if it is none. */
  endedMs: number
}

/** Some rows of a file. */
export interface SentPart {
  file: SentFile
  items: readonly ChangedItem[]
  usages: readonly ChangedUsage[]
}

/** Takes what a machine sends, without ever answering what it has. */
export interface Inbox {
  /**
   * Announces new files, before anything of them is sent. Returns those that the space refuses because their
   * session was forgotten, or is too old.
   */
  announce(files: readonly SentFile[]): SentFile[]
  /** Sends rows. `version` orders what this machine sends. Returns the files that the space refuses. */
  send(parts: readonly SentPart[], version: number): SentFile[]
  /** Makes what was sent of files visible, or removes them. Returns those that the space refuses. */
  finish(files: readonly SentFile[], version: number): SentFile[]
  /** Notes that everything was sent. */
  delivered(counts: Pick<Machine, 'person' | 'program' | 'files' | 'messages' | 'refused' | 'newestMs'>): void
  /** The bytes that were sent. */
  bytes(): number
  close(): void
}

/** Somebody who may use a space. `name` is the user of the database. */
export type Account =
  /** Adds what its machine has, and reads nothing. */
  | { kind: 'device'; name: string; device: string }
  /** Reads everything, within limits. */
  | { kind: 'reader'; name: string }
  | { kind: 'admin'; name: string }

/** An account, and how the server knows it: by the SHA-256 of its password, or by an LDAP server. */
export type AccountWithPassword = Account & { proof: { hash: string } | { ldap: string } }

/** Where the tables are. */
export interface SpaceLocation {
  /** Those of all spaces that an account may use. */
  databases: readonly string[]
  /** The name of the cluster, if there is one. */
  cluster?: string | undefined
}

/** What an upgrade does to a space. */
export interface Upgrade {
  from: number
  to: number
  statements: string[]
}

/**
 * An engine that keeps spaces. Statements are for an administrator, who reviews and runs them. Every engine
 * passes `test/contract/team-*.test.ts`.
 */
export interface TeamEngine {
  /**
   * Reads the address that `flag` was given. Throws a `ScrollbackError` that does not repeat the address,
   * which may contain a password.
   */
  addressIn(text: string, flag: string): Omit<SpaceAddress, 'password'>
  /** Opens a space for reading. Throws a `ScrollbackError` if the server cannot be reached or refuses. */
  open(options: SpaceOptions): SpaceStore
  /** Opens a space for what a machine sends. The first request reaches the server. */
  inbox(address: SpaceAddress, device: string): Inbox
  /** Opens a space for an administrator. */
  administer(address: SpaceAddress): Administration
  /** Brings the tables to the format of this program, or only says what that takes. */
  upgrade(address: SpaceAddress, dryRun: boolean): Upgrade
  /** What the user names of machines begin with. */
  deviceUser: string
  /** Create or upgrade the tables. */
  schemaStatements(cluster?: string): string[]
  /** Create an account, or replace everything about it. */
  accountStatements(account: AccountWithPassword, location: SpaceLocation): string[]
}
