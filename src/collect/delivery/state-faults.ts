import { ScrollbackError } from '../../errors.ts'
import { isDamage, isFull, isReadOnly } from '../../store/sqlite/faults.ts'

/** What the engine tells of a statement that is wrong, and of a rule of the schema that is broken: faults of the program. */
const OWN_FAULTS = { ERROR: 1, CONSTRAINT: 19, MISMATCH: 20, MISUSE: 21, RANGE: 25 }

/** What went wrong with the state of deliveries, in words; anything else as it is. Without its state nothing is delivered: what was would be again. */
export function stateFault(error: unknown, path: string): unknown {
  if (error instanceof ScrollbackError) return error
  if (isDamage(error))
    return new ScrollbackError(
      'unreadable',
      `${path} is damaged, or no state of deliveries.`,
      'Move it away: everything is then delivered again, and a destination that keys on "id" keeps each record once.',
      error,
    )
  if (isFull(error))
    return new ScrollbackError('store-full', `${path}: its disk is full.`, 'Make room on it.', error)
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string }
  if (isReadOnly(error) || code === 'ENOTDIR')
    return new ScrollbackError(
      'unreadable',
      `${path} cannot be written.`,
      'Name a file that can with --state, or set SCROLLBACK_HOME.',
      error,
    )
  const system =
    errcode === undefined ? /^E[A-Z]+$/.test(code ?? '') : !Object.values(OWN_FAULTS).includes(errcode & 0xff)
  if (!system) return error
  return new ScrollbackError(
    'unreadable',
    `${path} cannot be read or written: ${message}.`,
    'What was delivered so far is noted, or is delivered again. Try again, or name a file on another disk with --state.',
    error,
  )
}

/** The same methods, with whatever goes wrong in words. */
export function withFaultsTold<State extends { readonly path: string }>(state: State): State {
  const parts: [string, unknown][] = Object.entries(state)
  const telling = parts.map(([name, value]) => [
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
  return Object.fromEntries(telling) as State
}
