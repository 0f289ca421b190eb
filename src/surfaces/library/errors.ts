import { ScrollbackError } from '../../errors.ts'
import type { SentError } from './protocol.ts'

/** Converts an error to a message for another thread, which would lose its class. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack } = error
  if (error instanceof ScrollbackError)
    return { message, stack, scrollback: { code: error.code, wayOut: error.wayOut } }
  return { message, stack, code: (error as NodeJS.ErrnoException).code }
}

/** Restores the error. */
export function receivedError({ message, stack, scrollback, code }: SentError): Error {
  const error = scrollback
    ? new ScrollbackError(scrollback.code, message, scrollback.wayOut)
    : Object.assign(new Error(message), code === undefined ? {} : { code })
  return Object.assign(error, stack === undefined ? {} : { stack })
}
