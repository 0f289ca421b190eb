import * as z from 'zod/mini'
import { unreadShape } from '../kit/scanned.ts'
import { driftShape } from './drift.ts'

export const output = () => {
  const count = z.number()
  return z.object({
    version: z.literal(1),
    ok: z.boolean(),
    deep: z.boolean(),
    sources: z.array(
      z.object({ platform: z.string(), path: z.string(), reason: z.string(), found: z.boolean() }),
    ),
    store: z.object({ path: z.string(), bytes: count, messages: count, occurrences: count }),
    artifacts: z.array(
      z.object({
        path: z.string(),
        kind: z.string(),
        state: z.string(),
        bytes: count,
        lines: count,
        accounting: z.nullable(
          z.object({
            events: count,
            skipped: z.record(z.string(), count),
            unknown: z.record(z.string(), count),
            malformed: count,
            malformedAt: z.optional(z.array(count)),
          }),
        ),
        stored: z.nullable(
          z.object({
            messages: count,
            offset: count,
            line: count,
            generation: count,
            goneSince: z.nullable(z.string()),
          }),
        ),
        problems: z.array(z.string()),
      }),
    ),
    refused: z.array(
      z.object({ path: z.string(), reason: z.string(), bytes: z.number(), spare: z.optional(z.boolean()) }),
    ),
    unread: unreadShape(),
    warnings: z.array(z.string()),
    drift: z.optional(driftShape()),
  })
}

export type Diagnosis = z.output<ReturnType<typeof output>>
/** The diagnosis of one file. */
export type FileDiagnosis = Diagnosis['artifacts'][number]

/** The sum of counts by type. */
export const total = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, each) => sum + each, 0)
