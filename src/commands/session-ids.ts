import { ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import type { Context } from './command.ts'

/** Ids are told apart by so many characters at least; anything shorter is an id only as a whole. */
const SHORTEST = 4

type WithId = Pick<Session, 'id'>

/** The sessions of an id, or of all ids that begin so. */
export function sessionsOfId<Kind extends WithId>(sessions: readonly Kind[], name: string): Kind[] {
  const exact = sessions.filter(({ id }) => id === name)
  return exact.length > 0 || name.length < SHORTEST
    ? exact
    : sessions.filter(({ id }) => id.startsWith(name) || id.startsWith(`agent-${name}`))
}

/** Those of one id: the only one, or the one that a human picks. Fails with the list where nobody can be asked. */
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
  throw new ScrollbackError(
    'several-sessions',
    `"${name}" begins ${ids.length} session ids:\n${options.map(({ label, hint }) => `  ${label}  ${hint}`).join('\n')}`,
    'Give more of the id.',
  )
}
