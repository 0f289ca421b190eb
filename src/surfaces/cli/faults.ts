import { CommanderError } from 'commander'
import { ScrollbackError } from '../../errors.ts'
import { ClosedPipe, type Output } from './output.ts'

/** The system lacks a resource, or a disk fails. Not a fault of this program. */
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'EIO', 'ENOSPC', 'EDQUOT', 'ENOMEM', 'EROFS'])

/** Reports the error that ended the program, and returns the exit code. */
export function reportFault(error: unknown, output: Output): number {
  const code = String((error as NodeJS.ErrnoException)?.code)
  if (error instanceof ClosedPipe || code === 'EPIPE') return 0
  // Commander has already printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ScrollbackError) {
    report(error, output)
    return error.exitCode
  }
  if (SHORTAGES.has(code)) {
    output.say(`scrollback: the system refused: ${(error as Error).message}\n`)
    return 1
  }
  output.say(
    `scrollback: this is a fault of the program itself; please report it with the lines below.\n${(error as Error)?.stack ?? error}\n`,
  )
  return 1
}

export function report({ message, wayOut }: ScrollbackError, output: Output): void {
  output.say(`scrollback: ${message}\n${wayOut ? `${wayOut}\n` : ''}`)
}
