import * as z from 'zod/mini'
import { repairedShape, verifiedShape } from './archive.ts'
import { listShape } from './list.ts'
import { statusShape } from './status.ts'

const count = () => z.number()
const counts = () => z.record(z.string(), z.number())

const deliveryShape = () =>
  z.object({
    url: z.string(),
    error: z.nullable(z.string()),
    ...{ records: count(), bytes: count(), batches: count(), stubs: count(), quarantined: count() },
    ...{ retries: count(), read: count(), passedOver: count(), malformed: count() },
    /** Records of sessions that were forgotten, here or at the destination. */
    forgotten: count(),
    ...{ sources: count(), unchanged: count(), gone: count() },
    /** Skipped records, by type. */
    skipped: counts(),
    redactions: counts(),
    faults: z.array(z.object({ path: z.string(), fault: z.string() })),
  })

const importedShape = () =>
  z.object({
    url: z.string(),
    files: count(),
    unknown: z.array(z.string()),
    shorter: z.array(z.string()),
    refused: z.array(z.object({ path: z.string(), reason: z.string() })),
  })

/** Each mode of the command has its own part of the answer. */
export const collectShape = () =>
  z.object({
    version: z.literal(1),
    state: z.string(),
    dryRun: z.optional(z.boolean()),
    destinations: z.optional(z.array(deliveryShape())),
    list: z.optional(listShape()),
    status: z.optional(statusShape()),
    verified: z.optional(verifiedShape()),
    repaired: z.optional(repairedShape()),
    imported: z.optional(z.array(importedShape())),
    /** The address of the forgotten destination. */
    forgotten: z.optional(z.string()),
    schema: z.optional(z.unknown()),
    service: z.optional(z.string()),
  })

export type CollectAnswer = z.output<ReturnType<typeof collectShape>>
