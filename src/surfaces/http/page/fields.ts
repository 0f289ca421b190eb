import type { IncomingMessage } from 'node:http'
import { readBody, Unreadable } from '../body.ts'
import type { Given } from './protocol.ts'
import { type Refusal, refusal } from './refusal.ts'

const MOST_BYTES = 64 * 1024
const SILENCE_MS = 10_000

/** The fields in the body of a request that changes something. Only our own page sends such requests. */
export async function fieldsOf(request: IncomingMessage): Promise<Given | Refusal> {
  const { origin, 'content-type': type = '' } = request.headers
  // A foreign one was refused before. Forms of other pages may send none.
  if (origin === undefined) return refusal(403, 'The header Origin is missing.')
  if (type.split(';')[0]!.trim().toLowerCase() !== 'application/json')
    return refusal(415, 'application/json is required.')
  try {
    const body = await readBody(request, MOST_BYTES, SILENCE_MS)
    const fields: unknown = JSON.parse(body.toString())
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return { fields: fields as Record<string, unknown> }
    return refusal(400, 'The body is not a JSON object.')
  } catch (error) {
    if (error instanceof Unreadable)
      return refusal(error.status, `The body cannot be read: ${error.message}.`)
    if (error instanceof SyntaxError) return refusal(400, 'The body is not JSON.')
    throw error
  }
}
