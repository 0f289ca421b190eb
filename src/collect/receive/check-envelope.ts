import * as z from 'zod/mini'
import { asObject } from '../../model/json.ts'
import { envelopeSchema } from '../delivery/schema.ts'

/** Senders of newer versions may add fields. */
const shape = z.looseObject(envelopeSchema.shape)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type CheckedLine =
  | { id: string; stub: boolean; platform: string; session: string | null }
  | { id: string | null; reason: string }

/** Checks whether a line of a request is a valid record, and otherwise says what is wrong. */
export function checkEnvelope(line: Uint8Array): CheckedLine {
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(line))
  } catch {
    return { id: null, reason: 'not JSON in UTF-8' }
  }
  const fields = asObject(value)
  if (!fields) return { id: null, reason: 'not a JSON object' }
  const id = typeof fields.id === 'string' ? fields.id.slice(0, 64) : null
  const checked = shape.safeParse(fields)
  if (!checked.success) {
    const [issue] = checked.error.issues
    return { id, reason: `${issue?.path.join('.') ?? ''}: ${issue?.message}` }
  }
  const stub = checked.data.stub !== undefined
  if (!Object.hasOwn(fields, 'raw')) return { id, reason: 'raw: contains no record' }
  if (stub && fields.raw !== null) return { id, reason: 'raw: a stub contains no record' }
  const { platform, session } = checked.data
  return { id: checked.data.id, stub, platform, session }
}
