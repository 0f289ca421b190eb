import { among, ScrollbackError } from '../../errors.ts'
import type { Session } from '../../model/session.ts'
import type { Context } from '../kit/command.ts'

/** The shortest accepted prefix of an id. A shorter text only matches a whole id. */
const SHORTEST = 3

/** Ids that are longer than this do not widen the column of ids, so that titles have room. */
export const LONGEST_ID = 14

type WithId = Pick<Session, 'id'>

/**
 * The short form of an id that `read` accepts: a prefix of a random id, any other id in full, because the ids
 * of subagents all begin alike.
 */
export function shortId(id: string): string {
  const own = id.replace(/^agent-/, '')
  return /^[0-9a-f]{8}/.test(own) ? own.slice(0, 8) : own
}

/** The sessions with this id, or with an id that begins with it. */
export function sessionsOfId<Kind extends WithId>(sessions: readonly Kind[], name: string): Kind[] {
  const exact = sessions.filter(({ id }) => id === name)
  return exact.length > 0 || name.length < SHORTEST
    ? exact
    : sessions.filter(({ id }) => id.startsWith(name) || id.startsWith(`agent-${name}`))
}

/**
 * Finds the session with an id. If there are several, a human picks one. Without a terminal, it fails with
 * the list.
 */
export async function pickSession<Kind extends WithId & { title?: string; path: string }>(
  sessions: readonly Kind[],
  name: string,
  context: Context,
): Promise<Kind[]> {
  const ids = [...new Set(sessions.map(({ id }) => id))]
  if (ids.length === 1) return [...sessions]
  const options = ids.map((id) => {
    const one = sessions.find((each) => each.id === id)!
    return { label: id, hint: one.title?.replace(/\s+/g, ' ').slice(0, 60) ?? one.path }
  })
  const picked = await context.choose?.(`Which session is "${name}"?`, options)
  if (picked !== undefined) return sessions.filter(({ id }) => id === ids[picked])
  throw among(
    new ScrollbackError(
      'several-sessions',
      `"${name}" is ambiguous: ${ids.length} session ids begin with it:\n${options.map(({ label, hint }) => `  ${label}  ${hint}`).join('\n')}`,
      'Use a longer part of the id.',
    ),
    ids,
  )
}
