/** Every fault the user can do something about, with the exit code it ends in. */
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
  unreadable: 1,
  'store-newer': 1,
  'store-full': 1,
  'store-unreadable': 1,
  'old-node': 1,
} as const

export type ErrorCode = keyof typeof EXIT_CODES

const MISSING: readonly ErrorCode[] = ['no-project', 'no-agent', 'no-session', 'no-job', 'nothing-found']

/** Says what is wrong and where; `wayOut` says what to do about it. */
export class ScrollbackError extends Error {
  readonly code: ErrorCode
  readonly wayOut: string | undefined

  constructor(code: ErrorCode, message: string, wayOut?: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ScrollbackError'
    this.code = code
    this.wayOut = wayOut
  }

  get exitCode(): number {
    return EXIT_CODES[this.code]
  }

  /** What was asked for was not found. */
  get isMissing(): boolean {
    return MISSING.includes(this.code)
  }
}
