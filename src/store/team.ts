import type { LeftOut } from '../model/artifact.ts'
import type { Erased, Store } from './store.ts'

/** Where the server of a team store is, and who asks. */
export interface TeamAddress {
  /** `https://host:8443`, without user, password and database. */
  url: string
  user: string
  password: string
  database: string
}

/** Some sessions of a team store. What is not given does not matter. */
export interface StorePart {
  /** The beginnings of their ids. Also those that they started or ran through, whatever their ids are. */
  ids?: readonly string[]
  /** The name of their machine, and of their person, or a part of a name if it is no whole one. */
  device?: string
  person?: string
  /** Active since, in ms. */
  sinceMs?: number
}

export interface TeamStoreOptions extends TeamAddress {
  /** The name of this machine: what is written belongs to it. */
  device: string
  /** Who works on this machine. */
  person?: string
  /** Read what every device has stored. Otherwise only files of this device are listed. */
  everyone?: boolean
  /** Called with each file that lists leave out because its row is malformed, as this store shows it. */
  onMalformed?(path: string): void
  /** Makes this process the only writer of the device. Returns undefined if another one is. */
  lock?(): { release(): void } | undefined
}

/** A store that several machines share. */
export interface TeamStore extends Store {
  team: Team
  /** Lists some sessions and their files. The engine finds them, so that no others are read. */
  listing(part: StorePart): Pick<Store, 'known' | 'sessions'>
}

/** A session, by its platform and id. */
export interface SessionName {
  platform: string
  session: string
}

/** A session that nobody may write again. */
export interface Forgotten extends SessionName {
  atMs: number
  /** The id of the session that was forgotten with it and started it, or ran through it. */
  parent?: string
}

/** A session that its owner shows to others. */
interface Share extends SessionName {
  owner: string
  /** The user who may read it. Empty for everyone. */
  reader: string
  atMs: number
}

/** What concerns everyone who uses the store. */
export interface Team {
  /** What the store does not take, whoever writes it. */
  leftOut(): LeftOut
  /** The sessions that nobody may write again. */
  forgotten(): Forgotten[]
  /** Notes that nobody may write these sessions. What is stored of them stays; see `eraseAll`. */
  forgetSessions(sessions: readonly (SessionName & { parent?: string })[], atMs: number): void
  /** Takes that back. */
  acceptAgain(sessions: readonly SessionName[]): void
  /** Notes that sessions which ended earlier are left out. */
  leaveOutBefore(cutoffMs: number): void
  /** Erases files of any device for good. */
  eraseAll(ids: readonly number[]): Erased
  /** How many messages each file contains, by its id. Files without any are missing. */
  messagesByFile(ids: readonly number[]): Map<number, number>
  /** The shares that this user may know of: their own, and those that concern them. */
  shares(): Share[]
  /** Shares sessions of this user. */
  share(sessions: readonly SessionName[], reader: string, atMs: number): void
  /** Takes that back. */
  unshare(sessions: readonly SessionName[], reader: string): void
  /** How many messages were written through this store that were not there before. */
  added(): number
  /** The user of the database. */
  user(): string
}

/** Somebody who may use a team store. `name` is the user of the database. */
export type Account =
  /** `persons` are those whose sessions the machine has. */
  | { kind: 'device'; name: string; device: string; persons: readonly string[] }
  /** `persons` are those whose sessions the reader sees besides their own, `teams` teams of such persons. */
  | { kind: 'reader'; name: string; persons: readonly string[]; teams?: readonly string[] }
  | { kind: 'admin'; name: string }

/** An account, and the SHA-256 of its password in hexadecimal digits. */
export type AccountWithPassword = Account & { hash: string }

/** Where the tables are. */
export interface TeamLocation {
  database: string
  /** The name of the cluster. Then policies are about the tables with the rows of one shard. */
  cluster?: string | undefined
}

/**
 * An engine that keeps team stores. Statements are for an administrator, who reviews and runs them. Every
 * engine passes `test/contract/team-*.test.ts`.
 */
export interface TeamEngine {
  /**
   * Reads the address that `flag` was given. Throws a `ScrollbackError` that does not repeat the address,
   * which may contain a password.
   */
  addressIn(text: string, flag: string): Omit<TeamAddress, 'password'>
  /**
   * Opens a store in a database, and creates its tables if there are none. Throws a `ScrollbackError` if the
   * server cannot be reached or refuses.
   */
  open(options: TeamStoreOptions): TeamStore
  /** What the user names of machines begin with. */
  deviceUser: string
  /** Create or upgrade the tables. */
  schemaStatements(cluster?: string): string[]
  /** Create an account, or replace everything about it. */
  accountStatements(account: AccountWithPassword, location: TeamLocation): string[]
  /** Say who is in a team. Whoever is not named any more leaves it. */
  memberStatements(
    team: { team: string; persons: readonly string[] },
    location: Pick<TeamLocation, 'database'>,
  ): string[]
}
