import { hash } from 'node:crypto'
import type { Envelope } from '../../model/delivery.ts'

/** An envelope with all but its record, which the destination does not take; undefined for one that is a stub already. */
export function asStub(record: Uint8Array, reason: string): Uint8Array | undefined {
  const envelope = JSON.parse(Buffer.from(record).toString('utf8')) as Envelope
  if (envelope.stub) return undefined
  const raw = JSON.stringify(envelope.raw)
  const stub = { bytes: Buffer.byteLength(raw), sha256: hash('sha256', raw, 'hex'), reason }
  const { normalized: _, ...rest } = envelope
  return Buffer.from(`${JSON.stringify({ ...rest, stub, raw: null })}\n`)
}
