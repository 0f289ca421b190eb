/** Platform-specific behavior of the fold. */
export interface FoldTraits {
  /** Collect the paths that tools change, because nothing else identifies the project. */
  touched: boolean
  /** Remember the latest replies, because copies for a channel may repeat them. */
  mirrors: boolean
  /** Matches a command that prompts an agent; see `askingCommand`. */
  asks: RegExp
}

/** Other programs that prompt agents or run them. */
const OTHERS = ['codex', 'tmux']

/** Matches a shell command that runs one of these programs. */
export const askingCommand = (programs: readonly string[]): RegExp =>
  new RegExp(`(?:^|[\\s;&|(\`"'/])(?:${[...programs, ...OTHERS].join('|')})(?:\\.cmd|\\.exe)?\\s`)

export const PLAIN: FoldTraits = { touched: false, mirrors: true, asks: askingCommand([]) }
