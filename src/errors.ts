/** Every error that a user can fix, with its exit code. */
const EXIT_CODES = {
  'bad-option': 2,
  'bad-time': 2,
  'bad-pattern': 2,
  'several-projects': 2,
  'several-sessions': 2,
  'several-jobs': 2,
  'no-project': 1,
  'no-agent': 1,
  'no-session': 1,
  'no-job': 1,
  'nothing-found': 1,
  'writer-failed': 1,
  unreadable: 1,
  'store-newer': 1,
  'store-full': 1,
  'store-unreachable': 1,
  'store-unreadable': 1,
  'old-node': 1,
  interrupted: 3,
} as const

export type ErrorCode = keyof typeof EXIT_CODES

const MISSING: readonly ErrorCode[] = ['no-project', 'no-agent', 'no-session', 'no-job', 'nothing-found']

/**
 * An error with its cause in `message` and its remedy in `wayOut`.
 *
 * @example
 * import { readSession, ScrollbackError } from 'agent-scrollback'
 *
 * const error = await readSession('ffffffff', { demo: true }).next().catch((reason: unknown) => reason)
 * error instanceof ScrollbackError && error.code // => 'no-session'
 */
export class ScrollbackError extends Error {
  readonly code: ErrorCode
  readonly wayOut: string | undefined
  /** The names to choose from, if several match. */
  readonly matches?: readonly string[]

  constructor(code: ErrorCode, message: string, wayOut?: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ScrollbackError'
    this.code = code
    this.wayOut = wayOut
  }

  get exitCode(): number {
    return EXIT_CODES[this.code]
  }

  /** The requested thing was not found. */
  get isMissing(): boolean {
    return MISSING.includes(this.code)
  }
}

/** Adds the names to choose from to an error. */
export const among = (error: ScrollbackError, matches: readonly string[]): ScrollbackError =>
  Object.assign(error, { matches })
