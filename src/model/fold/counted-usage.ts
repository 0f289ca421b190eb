import type { ReplyUsage } from '../event.ts'

/** Usage of one reply, with the time and model of its first record. */
export interface CountedUsage extends ReplyUsage {
  at?: number
}
