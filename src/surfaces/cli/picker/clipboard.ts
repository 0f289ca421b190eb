import type { Context } from '../../../context/context.ts'
import type { Host } from '../../host.ts'

/** The programs that put their input on the clipboard, by what they need. */
const PROGRAMS: readonly { words: readonly string[]; works(env: NodeJS.ProcessEnv): boolean }[] = [
  { words: ['pbcopy'], works: () => process.platform === 'darwin' },
  { words: ['clip'], works: () => process.platform === 'win32' },
  { words: ['wl-copy'], works: ({ WAYLAND_DISPLAY }) => WAYLAND_DISPLAY !== undefined },
  { words: ['xclip', '-selection', 'clipboard'], works: ({ DISPLAY }) => DISPLAY !== undefined },
]

/** A text of this length fits into what terminals accept. */
const MOST = 70_000
const LIMITS = { milliseconds: 2000, bytes: 1000 }

/**
 * Puts a text on the clipboard: by the terminal itself, which also works over SSH, and by the system's own
 * program, because not every terminal does it.
 */
export function toClipboard(text: string, { pipe }: Pick<Context, 'pipe'>, { stdout, env }: Host): void {
  const encoded = Buffer.from(text).toString('base64')
  if (encoded.length < MOST) stdout.stream().write(`\x1b]52;c;${encoded}\x07`)
  const program = env.SSH_CONNECTION === undefined ? PROGRAMS.find(({ works }) => works(env)) : undefined
  // A program that is missing or fails leaves it to the terminal.
  if (program) void pipe?.(program.words, text, LIMITS).catch(() => {})
}
