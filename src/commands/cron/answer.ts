import * as z from 'zod/mini'
import { noticesShape, scannedShape } from '../kit/scanned.ts'
import { cronShapes } from './json.ts'

export const output = () => {
  const { job, run } = cronShapes()
  return z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    jobs: z.array(job),
    runs: z.optional(z.array(run)),
  })
}

export type CronAnswer = z.output<ReturnType<typeof output>>
