import { SinkError } from './sink.ts'

/** Records in a row that a server rejects one by one, having taken none, before it is taken for the wrong one. */
const MOST = 20

/**
 * Tells records that are at fault from an address that takes no records at all: that would refuse each of them, and nothing would be
 * left to deliver when it is mended.
 */
export function createDoubt(place: string) {
  let rejected = 0
  let trusted = false
  return {
    took(): void {
      trusted = true
    },
    /** What a fault of a request with so many records means. */
    judge(error: unknown, records: number): unknown {
      if (trusted || !(error instanceof SinkError) || error.fault !== 'rejected' || records > 1) return error
      rejected++
      if (rejected <= MOST) return error
      return new SinkError('stop', `${place} has rejected each of ${rejected} records and taken none.`, {
        wayOut: 'See whether the address is the right one.',
        cause: error,
      })
    },
  }
}
