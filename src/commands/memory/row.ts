import * as z from 'zod/mini'
import type { Documents } from '../../store/store.ts'
import type { StoredDocument } from '../../store/stored.ts'
import { dayOf, kindOf, ownerOf } from './find.ts'
import { changeBetween } from './versions.ts'

const changeShape = () => z.nullable(z.object({ since: z.string(), added: z.number(), removed: z.number() }))

/** The fields that each version has for itself. */
const versionShape = () =>
  z.object({ number: z.number(), bytes: z.number(), modifiedAt: z.string(), change: changeShape() })

export type VersionJson = z.output<ReturnType<typeof versionShape>>

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
    number: z.number(),
    versions: z.number(),
    change: changeShape(),
    history: z.optional(z.array(versionShape())),
    goneSince: z.optional(z.string()),
    text: z.optional(z.string()),
    diff: z.optional(z.string()),
  })

export type DocumentJson = z.output<ReturnType<typeof documentShape>>

/** The fields that all versions of a document share. */
export function rowOf(document: StoredDocument): Omit<DocumentJson, keyof VersionJson> {
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

/** The fields of one version, by its number, with the change since the version before it. */
export function versionJson(store: Documents, document: StoredDocument, number: number): VersionJson {
  const { at, bytes } = document.versions[number - 1]!
  const change = changeBetween(store, document, number - 1, number)
  return {
    ...{ number, bytes, modifiedAt: new Date(at).toISOString() },
    change: change
      ? { since: new Date(change.from).toISOString(), added: change.added, removed: change.removed }
      : null,
  }
}
