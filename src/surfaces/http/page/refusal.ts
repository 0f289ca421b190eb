import { type ErrorCode, ScrollbackError } from '../../../errors.ts'

/** An error as the answer to a request. */
export interface Refusal {
  status: number
  body: { version: 1; error: string; hint?: string; matches?: readonly string[] }
}

export const refusal = (status: number, error: string, hint?: string): Refusal => ({
  status,
  body: { version: 1, error, ...(hint === undefined ? {} : { hint }) },
})

const STATUS: Partial<Record<ErrorCode, number>> = {
  'bad-option': 400,
  'bad-time': 400,
  'bad-pattern': 400,
  'several-projects': 409,
  'several-sessions': 409,
  'several-jobs': 409,
}

/** The status and the words for an error of a command. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ScrollbackError)) return refusal(500, 'This is a fault of the program itself.')
  const status = STATUS[error.code] ?? (error.isMissing ? 404 : 500)
  const { body } = refusal(status, error.message, error.wayOut)
  return { status, body: status === 409 ? { ...body, matches: error.matches ?? [] } : body }
}
