import type { Environment } from '../model/artifact.ts'
import { finish, type Steps } from '../model/iteration.ts'
import type { Printed } from '../render/gate.ts'
import type { Suggest } from '../render/terminal.ts'
import type { Store } from '../store/store.ts'
import type { SpaceAddress, StorePart } from '../store/team.ts'
import type { FoldedFiles } from '../sync/read-increment.ts'
import type { Synced } from '../sync/sync.ts'
import type { GlobalFlags } from './flags.ts'

/** The machine that a command reads, and the one it runs on. */
export interface Machine {
  environment: Environment
  /** With the sessions of an archive: the folders of this machine that flags name. */
  ownDirs?: Environment['dirs']
  /** Milliseconds since 1970. */
  now: number
  /** The current directory. */
  directory: string
  /** The base of relative paths that the user gives. With demo data it differs from `directory`. */
  here: string
  threads: number
  /** The version of this program, where other machines are told it. */
  version?: string
  machine: { device: string; user: string }
}

/** Where our own files are. */
export interface Storage {
  /** The path of the store. `:memory:` keeps it in memory. */
  storePath: string
  /** With the sessions of an archive: the store of this machine. */
  ownStorePath?: string
  /** The folder of the store and of our other files. */
  dataFolder: string
  /** The team store, if the answers come from one. */
  remote?: { address: SpaceAddress; open(context: ReadingContext, part?: StorePart): FreshStore }
  /** The password of a team store that a command names itself, and of the one it copies from. */
  storePasswords?: { to: string | undefined; from: string | undefined }
  /** The store, once a command has requested it: see `freshStore`. */
  fresh?: FreshStore
  /** Transcripts that stay folded, in a program that stays. */
  folded?: FoldedFiles
  /** Called before what is new in a file is stored. */
  willWrite?: (path: string) => void
  /** While files are read, `store` stores what was read so far. Call it between two steps. */
  unstored?: { store?(): void }
}

/** The values of the global flags. */
export interface GlobalSettings {
  /** Whether secrets are redacted. If not, texts come from the files, and all else from the store. */
  redact: boolean
  /** Days after which Claude Code deletes transcripts. */
  retentionDays?: number
  /**
   * The flags themselves, for files and command lines that start this program again. With `demo`, files count
   * as modified with their last record, because their times are those of the installation.
   */
  globalFlags?: GlobalFlags
}

/** What is reported besides the answer. */
export interface Reports {
  /** Reports that something could not be read or shown. With `partly`, the exit code is 3. */
  note(message: string, weight?: 'partly'): void
  /** The answer is incomplete. The exit code is 3. */
  partly?(): void
  /** Shows the progress of long work, by default in bytes. */
  progress?: {
    start(label: string, total: number, unit?: 'messages'): void
    advance(count: number): void
    stop(): void
  }
}

/** What another program writes to a command. */
interface Input {
  /**
   * What is on standard input, at most 256 KiB of it. Empty at a terminal, and where nothing comes in time.
   */
  standardInput?(): Promise<string>
}

/** Output while a command runs. */
export interface Output {
  /** Writes a file whose name is taken under a free one, `name-2`: nobody can choose another name here. */
  freeNames?: boolean
  /** The width of lines, if known, and whether colors are shown. */
  columns?: number
  color?: boolean
  /**
   * Prints while the command runs: text, or JSON. Fails with the system's error if the reader has closed the
   * pipe.
   */
  print(piece: Printed, form?: 'json'): Promise<void>
  /**
   * Writes records of JSON to standard output, on a terminal with what that would execute escaped. Resolves
   * when the reader has taken them. Fails with the system's error.
   */
  deliverOut(bytes: Uint8Array): Promise<void>
}

/** Questions and suggestions for a human. */
export interface Dialog {
  /** Asks a human to choose. Absent without a terminal. Undefined when they decline. */
  choose?(question: string, options: { label: string; hint?: string }[]): Promise<number | undefined>
  /** Formats a command line for people to paste. */
  suggest: Suggest
}

/** How long a command runs, and what happens at its end. */
export interface Lifetime {
  /** Aborts when the caller wants the command to end. */
  stop?: AbortSignal
  /** Registers a callback for when the answer is written. */
  atEnd?(done: () => void): void
  /** Does long work in steps, so that the caller can cancel it in between. */
  inTurns?<Result>(steps: Steps<Result>): Promise<Result>
  /** Does long work until the human interrupts it. Then the result is undefined. */
  untilInterrupted?<Result>(steps: Steps<Result>): Promise<Result | undefined>
  /** Registers a callback for when the settings must be read again. Returns a function that removes it. */
  onReload?(reload: () => void): () => void
}

/** Does long work so that the caller can cancel it in between, where there is one that may. */
export const inTurns = async <Result>(
  steps: Steps<Result>,
  context: Pick<Lifetime, 'inTurns'>,
): Promise<Result> => (context.inTurns ? context.inTurns(steps) : finish(steps))

/** How long a program may run, in ms, and how much it may print, in bytes. */
export interface PipeLimits {
  milliseconds: number
  bytes: number
}

/** What a program did with a text. */
export interface Piped {
  /** `missing`: there is no such program. `slow` and `long`: it was ended because of a limit. */
  ended: 'exited' | 'missing' | 'slow' | 'long'
  /** The exit code, or null after a signal. */
  code: number | null
  output: string
  /** The end of what it printed to standard error. */
  errors: string
}

/** Other programs, and how they start this one. */
export interface Programs {
  /**
   * Starts another program in a folder, with our terminal and with additional variables. Resolves to its exit
   * code, or undefined if there is no such program. `aside`: it asks nothing, and its output is no answer.
   */
  start?(
    words: readonly string[],
    directory: string,
    variables: Record<string, string>,
    output?: 'aside',
  ): Promise<number | undefined>
  /**
   * Starts another program without a shell and without a terminal, gives it a text, and resolves to what it
   * printed. The program and everything that it started end with this process. Absent where nobody could stop
   * it.
   */
  pipe?(words: readonly string[], text: string, limits: PipeLimits): Promise<Piped>
  /** Opens an address in the user's browser. Resolves to false if that fails. Absent without a terminal. */
  openBrowser?(address: string): Promise<boolean>
  /** How this program is started, for files that make the system start it. */
  started: { executable: string; script: string }
}

/** Servers that a command may run. */
interface Servers {
  /** Receives records over HTTP. Absent if nothing could stop the server. */
  listen?(options: ListenOptions): Promise<Listening>
  /** Serves the page in a browser. */
  servePage?(context: Context, options: PageOptions): Promise<PageListening>
  /**
   * Offers commands as tools to the agent that started this program. Resolves when the agent disconnects or
   * `stop` aborts.
   */
  offerTools?(context: Context): Promise<void>
}

/** What reading sessions needs, from the store or from files. */
export type ReadingContext = Machine & Storage & GlobalSettings & Reports & Lifetime

/** What delivering needs. It shows no messages and does not use the store. */
export type DeliveringContext = Machine & Storage & GlobalSettings & Reports & Output & Dialog & Lifetime

/**
 * What a surface gives a command. Commands do not access the process themselves, and request the capabilities
 * they need.
 */
export interface Context
  extends Machine,
    Storage,
    GlobalSettings,
    Reports,
    Input,
    Output,
    Dialog,
    Lifetime,
    Programs,
    Servers {}

/** The store, and what was discovered when it was brought up to date. */
export interface FreshStore {
  store: Store
  found: Synced
  /** The rest is being indexed meanwhile. */
  indexing?: Indexing
  /** Only of a store that other machines fill: what is in it now. */
  reload?(): Synced
}

/** Indexing that goes on while questions are answered. */
export interface Indexing {
  files: Progress
  bytes: Progress
  /** Messages whose words are indexed, once all files are read. */
  messages?: Progress
  /** Indexes one file now, without its words. */
  indexNow(path: string): void
  /** Indexes the words of what is read, for a short time, and from then on before anything else is read. */
  indexWords(): void
}

interface Progress {
  done: number
  all: number
}

/** What a surface needs to receive records over HTTP. */
export interface ListenOptions {
  host: string
  /** 0 for any free port. */
  port: number
  token: string
  /** Accepted host names besides those of this machine. */
  names: readonly string[]
  /** The largest request body, compressed and uncompressed, in bytes. */
  maxBody: number
  /**
   * Accepts lines, and resolves when they are durable. `packed` is one zstd frame of them, if they arrived as
   * one. Resolves to `too-large` if there are too many at once.
   */
  take(lines: Buffer, packed?: Buffer): Promise<{ answer: object; partly: boolean } | 'too-large'>
  /** Reports a fault that prevented an answer. */
  fault(message: string): void
}

export interface Listening {
  host: string
  port: number
  /** Accepts no more requests, and resolves when open ones are answered. */
  close(): Promise<void>
}

/** The built files of the page. Only listed ones can be read, so no address leads to another file. */
export interface PageFiles {
  /** Whether the page is built. */
  isBuilt(): boolean
  /** A file by its address: `assets/index-abc.js`. Undefined if there is none. */
  read(address: string): Buffer | undefined
  /** The same compressed with gzip. Undefined if that would not be smaller. */
  packed(address: string): Buffer | undefined
}

/** A proxy in front of the page that lets only users through who have signed in. */
export interface TrustedProxy {
  /** The header with the name of the user, in lower case. */
  header: string
  /** The addresses from which the header is believed. */
  addresses: readonly string[]
}

/** What a surface needs to serve the page. */
export interface PageOptions {
  host: string
  /** 0 for any free port. */
  port: number
  token: string
  /** Accepted host names besides those of this machine. */
  names: readonly string[]
  files: PageFiles
  /** The certificate and its key, in PEM. Without them, HTTP is not encrypted. */
  tls?: { cert: string; key: string }
  proxy?: TrustedProxy
  /** Reports a fault that prevented an answer. */
  fault(message: string): void
}

export interface PageListening extends Listening {
  /** A code that opens the page once, for a command line that others may see. */
  code(): string
}
