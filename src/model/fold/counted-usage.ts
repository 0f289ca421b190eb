import type { ReplyUsage } from '../event.ts'

/** Usage of one reply, with the time and model of its first record. */
export interface CountedUsage extends ReplyUsage {
  at?: number
  /** The request that the reply answers, as a hash, and the turn it was in. */
  request?: number
  turn?: number
}
