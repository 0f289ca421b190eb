import * as z from 'zod/mini'
import { entryJson } from '../../condense/item-json.ts'
import type { NamedSession } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { withoutIdentities } from '../../render/text.ts'

/** A session that appears only in a session index, as JSON. */
export const namedShape = () =>
  z.object({
    ...{ id: z.string(), platform: z.string(), agent: z.string(), path: z.string() },
    kind: z.nullable(z.string()),
    title: z.nullable(z.string()),
    updatedAt: z.nullable(z.string()),
    sessionKey: z.optional(z.string()),
    entry: z.optional(z.looseObject({})),
  })

export type NamedJson = z.output<ReturnType<typeof namedShape>>

export function namedJson({ hint, ...named }: NamedSession, identities: boolean): NamedJson {
  const { kindHint: kind, titleHint: title, sessionKey, entry, updatedMs } = hint
  const row = { title, sessionKey, entry } as Session
  const shown = identities ? row : withoutIdentities(row)
  const { id, platform, agent, path } = named
  return {
    ...{ id, platform, agent, path },
    kind: kind ?? null,
    title: shown.title ?? null,
    updatedAt: updatedMs === undefined ? null : new Date(updatedMs).toISOString(),
    ...(shown.sessionKey === undefined ? {} : { sessionKey: shown.sessionKey }),
    ...(shown.entry === undefined ? {} : { entry: entryJson(shown.entry) }),
  }
}
