import * as z from 'zod/mini'
import type { StoredDocument } from '../../store/stored.ts'
import { dayOf, kindOf, ownerOf } from './find.ts'

export const documentShape = () =>
  z.object({
    name: z.string(),
    platform: z.string(),
    agent: z.string(),
    project: z.nullable(z.string()),
    kind: z.enum(['memory', 'log', 'note', 'personality', 'instructions']),
    day: z.nullable(z.string()),
    path: z.string(),
    bytes: z.number(),
    modifiedAt: z.string(),
    versions: z.number(),
    change: z.nullable(z.object({ since: z.string(), added: z.number(), removed: z.number() })),
    goneSince: z.optional(z.string()),
    text: z.optional(z.string()),
    diff: z.optional(z.string()),
  })

export type DocumentJson = z.output<ReturnType<typeof documentShape>>

/** The fields that all versions of a document share. */
export function rowOf(document: StoredDocument): Omit<DocumentJson, 'bytes' | 'modifiedAt' | 'change'> {
  const { artifact, goneMs, versions } = document
  return {
    name: artifact.sessionId,
    platform: artifact.platform,
    agent: artifact.agent,
    project: artifact.slug === undefined ? null : ownerOf(document),
    kind: kindOf(document),
    day: dayOf(document) ?? null,
    path: artifact.path,
    versions: versions.length,
    ...(goneMs === undefined ? {} : { goneSince: new Date(goneMs).toISOString() }),
  }
}
