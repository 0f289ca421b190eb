import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type Gate, type Printed, textOfPiece } from '../../render/gate.ts'
import { widthOf } from '../../render/text-width.ts'
import type { Output } from './output.ts'

/** Ends immediately if everything fits, keeps colors, and leaves the text on the screen. */
const USUAL = ['less', '-FRX']

interface Paging {
  output: Output
  gate: Gate
  /** The height of the terminal. */
  rows: number
  columns: number
}

/**
 * Shows a text that is longer than the screen in `$PAGER` or `less`. A shorter one is printed. Text that the
 * user does not scroll to is never created. Without a pager, everything is printed.
 */
export async function page(
  pieces: Iterable<Printed>,
  { output, gate, rows, columns }: Paging,
): Promise<void> {
  const words = process.env.PAGER?.split(/\s+/).filter((word) => word !== '') ?? USUAL
  const rest = pieces[Symbol.iterator]()
  let begun = ''
  let lines = 0
  while (lines < rows) {
    const { done, value } = rest.next()
    if (done) return output.print(begun)
    const text = textOfPiece(value)
    begun += text
    lines += linesOf(text, columns)
  }
  const child = words.length === 0 || words[0] === 'cat' ? undefined : await started(words)
  if (!child) {
    output.print(begun)
    return output.printPieces({ [Symbol.iterator]: () => rest })
  }
  // While the pager runs, it decides what an interrupt means.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  try {
    await feed(child, begun, rest, gate)
  } finally {
    process.off('SIGINT', ignore)
  }
}

function linesOf(text: string, columns: number): number {
  let count = 0
  for (const line of text.split('\n').slice(0, -1)) count += Math.max(1, Math.ceil(widthOf(line) / columns))
  return count
}

/** Starts the pager on our terminal. Undefined if there is no such program. */
async function started([name, ...args]: readonly string[]): Promise<ChildProcess | undefined> {
  const { spawn } = await import('node:child_process')
  const env = { LESS: 'FRX', LESSCHARSET: 'utf-8', ...process.env }
  const child = spawn(name!, args, { stdio: ['pipe', 'inherit', 'inherit'], env })
  return new Promise((settle) => {
    child.once('spawn', () => settle(child))
    child.once('error', () => settle(undefined))
  })
}

/** Writes as fast as the pager reads, until it is closed. */
async function feed(child: ChildProcess, begun: string, rest: Iterator<Printed>, gate: Gate): Promise<void> {
  const { stdin } = child
  let closed = false
  const end = once(child, 'close').then(() => {
    closed = true
  })
  // Quitting before the end closes the pipe.
  stdin!.on('error', () => {
    closed = true
  })
  for (let text: string | undefined = begun; text !== undefined && !closed; ) {
    if (!stdin!.write(gate.output(text))) await Promise.race([once(stdin!, 'drain').catch(() => {}), end])
    const { done, value } = closed ? { done: true, value: undefined } : rest.next()
    text = done ? undefined : textOfPiece(value!)
  }
  rest.return?.()
  stdin!.end()
  await end
}
