import * as z from 'zod/mini'
import { noticesShape, scannedShape } from '../kit/scanned.ts'
import { recallShape } from './recall.ts'
import { documentShape } from './row.ts'
import { semanticShape } from './semantic.ts'

export const output = () =>
  z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    documents: z.array(documentShape()),
    semantic: z.array(semanticShape()),
    recall: z.optional(recallShape()),
  })

export type MemoryAnswer = z.output<ReturnType<typeof output>>
