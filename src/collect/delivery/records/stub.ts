import { hash } from 'node:crypto'
import { memberText } from '../../../io/json-member.ts'
import type { Envelope } from '../../../model/delivery.ts'

/**
 * Replaces the record of an envelope that the destination rejected as too large. Undefined if it is a stub
 * already.
 */
export function asStub(record: Uint8Array, reason: string): Uint8Array | undefined {
  const text = Buffer.from(record).toString('utf8')
  const envelope = JSON.parse(text) as Envelope
  if (envelope.stub) return undefined
  const raw = memberText(text, 'raw') ?? 'null'
  const stub = { bytes: Buffer.byteLength(raw), sha256: hash('sha256', raw, 'hex'), reason }
  const { normalized: _, ...rest } = envelope
  return Buffer.from(`${JSON.stringify({ ...rest, stub, raw: null })}\n`)
}
