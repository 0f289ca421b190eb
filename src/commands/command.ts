import type * as z from 'zod/mini'
import type { Environment, PlatformId } from '../model/artifact.ts'
import type { Steps } from '../model/steps.ts'
import type { FreshStore } from './fresh-store.ts'
import type { Listening, ListenOptions } from './listening.ts'
import type { Suggest } from './shell-word.ts'

/** What a surface gives a command to work with. Commands read nothing of the process themselves. */
export interface Context {
  environment: Environment
  /** Milliseconds since 1970. */
  now: number
  /** The current directory. */
  directory: string
  /** Where relative paths of what is written or named by hand begin; with invented data the two differ. */
  here: string
  threads: number
  /** Whether secrets are taken out of what is shown. */
  redact: boolean
  /** Where the store lies; without one, commands read the transcripts themselves. */
  storePath?: string
  /** Where the store and all else of ours lies. */
  dataFolder: string
  machine: { device: string; user: string }
  /** How wide lines may be, where that is known, and whether colours are shown; for commands that write while they run. */
  columns?: number
  color?: boolean
  /** Prints while the command runs. Fails with the system's error where nobody reads it. */
  print(text: string): Promise<void>
  /** Hands records to a program that reads our output, as they are. Resolves when it took them; fails with the system's error. */
  deliverOut(bytes: Uint8Array): Promise<void>
  /** The store, once a command asked for it: see `freshStore`. */
  fresh?: FreshStore
  /** Days after which Claude Code deletes transcripts. */
  retentionDays?: number
  /** The answer is not whole: ends in exit code 3. */
  partly?(): void
  /** Does long work so that whoever asked can say meanwhile that they do not want it any more. */
  inTurns?<Result>(steps: Steps<Result>): Promise<Result>
  /** Aborted when whoever asked wants it to end. */
  stop?: AbortSignal
  /** Calls whenever the settings are to be read again; what it returns ends that. */
  onReload?(reload: () => void): () => void
  /** Starts another program in a folder, with our terminal and variables besides ours; its exit code, or undefined where there is no such program. */
  start?(
    words: readonly string[],
    directory: string,
    variables: Record<string, string>,
  ): Promise<number | undefined>
  /** How this program is started, for files that make the system start it. */
  started: { executable: string; script: string }
  /** Takes records of others over HTTP; absent where nobody would end it. */
  listen?(options: ListenOptions): Promise<Listening>
  /** Offers commands as tools to the agent that started us; resolves when it is gone, or `stop` says so. */
  offerTools?(context: Context): Promise<void>
  /** Is called when the answer is written. */
  atEnd?(done: () => void): void
  /** Long work tells how far it is; `total` in bytes. */
  progress?: { start(label: string, total: number): void; advance(bytes: number): void; stop(): void }
  /** Lets a human choose; absent where nobody can be asked. Undefined when they decline. */
  choose?(question: string, options: { label: string; hint?: string }[]): Promise<number | undefined>
  /** Makes a command line to try next, for people to paste. */
  suggest: Suggest
  /** Something was not readable, or not shown, and the answer is still good. `partly` ends in exit code 3. */
  note(message: string, weight?: 'partly'): void
}

/** How an answer is laid out for people. */
export interface Screen {
  /** How wide lines may be; infinite where nobody said, as in a pipe: then nothing is broken or cut. */
  columns: number
  color: boolean
  /** A person is looking: long listings stop at a screenful. */
  terminal: boolean
  home: string
  now: number
  /** Makes a command line to try next, for people to paste. */
  suggest: Suggest
}

interface Example {
  command: string
  tells: string
}

/** One operation. Every surface offers it from this alone. */
export interface Command<Input extends z.ZodMiniObject = z.ZodMiniObject, Output = unknown> {
  name: string
  summary: string
  details?: string
  examples: readonly Example[]
  /** Made of `field`, so that every surface can describe it. */
  input: Input
  /** The shape of the JSON answer; made when somebody asks. */
  output(): z.ZodMiniType
  run(input: z.output<Input>, context: Context): Promise<Output> | Output
  /** For people, in pieces: text, or UTF-8 that is ready to be written. */
  render(output: Output, screen: Screen): Iterable<string | Uint8Array>
  /** The answer is meant for a program or a file, whoever looks: no line of it is broken. */
  isVerbatim?(output: Output): boolean
  /** For programs, in pieces. Without it the output itself is the JSON. */
  json?(output: Output): Iterable<string | Uint8Array>
  /** Prints while it runs, so that its answer is short. */
  stays?: true
  /** What a human at a terminal may ask for once the answer stands there; undefined when they want no more. */
  follow?(
    output: Output,
    screen: Screen,
    choose: NonNullable<Context['choose']>,
  ): Promise<Iterable<string> | undefined>
}

export const defineCommand = <Input extends z.ZodMiniObject, Output>(
  command: Command<Input, Output>,
): Command<Input, Output> => command

export const PLATFORM_IDS = ['claude-code', 'openclaw'] as const satisfies readonly PlatformId[]
