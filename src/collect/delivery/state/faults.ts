import { ScrollbackError } from '../../../errors.ts'
import { isDamage, isFull, isReadOnly } from '../../../store/sqlite/faults.ts'

/** Engine errors that are bugs of this program: wrong statements and violated constraints. */
const OWN_FAULTS = { ERROR: 1, CONSTRAINT: 19, MISMATCH: 20, MISUSE: 21, RANGE: 25 }

/**
 * Describes an error of the delivery state; other errors are returned unchanged. Without the state nothing is
 * delivered, to avoid delivering records twice.
 */
export function stateFault(error: unknown, path: string): unknown {
  if (error instanceof ScrollbackError) return error
  if (isDamage(error))
    return new ScrollbackError(
      'unreadable',
      `${path} is damaged, or not a delivery state.`,
      'Move it away. Everything is then delivered again, and a destination that keys on "id" stores no duplicates.',
      error,
    )
  if (isFull(error))
    return new ScrollbackError('store-full', `${path}: its disk is full.`, 'Free some space on it.', error)
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string }
  if (isReadOnly(error) || code === 'ENOTDIR')
    return new ScrollbackError(
      'unreadable',
      `${path} cannot be written.`,
      'Name a writable file with --state, or set SCROLLBACK_HOME.',
      error,
    )
  const system =
    errcode === undefined ? /^E[A-Z]+$/.test(code ?? '') : !Object.values(OWN_FAULTS).includes(errcode & 0xff)
  if (!system) return error
  return new ScrollbackError(
    'unreadable',
    `${path} cannot be read or written: ${message}.`,
    'Run the command again, or name a file on another disk with --state. Records without a checkpoint are delivered again.',
    error,
  )
}

/** Wraps the methods so that they throw described errors. */
export function withDescribedFaults<State extends { readonly path: string }>(state: State): State {
  const parts: [string, unknown][] = Object.entries(state)
  const wrapped = parts.map(([name, value]) => [
    name,
    typeof value !== 'function'
      ? value
      : (...given: unknown[]) => {
          try {
            return value(...given)
          } catch (error) {
            throw stateFault(error, state.path)
          }
        },
  ])
  return Object.fromEntries(wrapped) as State
}
