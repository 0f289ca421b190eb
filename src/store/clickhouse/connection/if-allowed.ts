import { NotAllowed } from './faults.ts'

/** What `work` returns. Undefined if the server does not allow it to this user. */
export function ifAllowed<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NotAllowed) return undefined
    throw error
  }
}
