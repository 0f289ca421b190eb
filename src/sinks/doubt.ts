import { SinkError } from './sink.ts'

/** After this many rejected records in a row, and none accepted, the address is assumed to be wrong. */
const MOST = 20

/**
 * Distinguishes bad records from an address that accepts no records at all. Such an address would reject
 * every record, and nothing would be left to deliver once it is fixed.
 */
export function createDoubt(name: string) {
  let rejected = 0
  let trusted = false
  return {
    accepted(): void {
      trusted = true
    },
    /** Interprets the error of a request with this many records. */
    judge(error: unknown, records: number): unknown {
      if (trusted || !(error instanceof SinkError) || error.fault !== 'rejected' || records > 1) return error
      rejected++
      if (rejected <= MOST) return error
      return new SinkError('stop', `${name} has rejected all ${rejected} records so far.`, {
        wayOut: 'Check the address.',
        cause: error,
      })
    },
  }
}
