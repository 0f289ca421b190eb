import type { Environment } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import { platformOf } from './index.ts'
import type { Resumption } from './platform.ts'

type Resuming = Exclude<Resumption, { impossible: string }>

/** The command that resumes a session in its client, word by word, or the reason why there is none. */
export function resumption(
  session: Session,
  environment: Environment,
): Omit<Resuming, 'id'> | { impossible: string } {
  const { identity, resume } = platformOf(session.platform)
  const unusual = unusualId(session)
  if (unusual !== undefined) return { impossible: unusual }
  const form = identity.sessionKey ?? identity.sessionId
  const how = resume(session, environment)
  if ('impossible' in how) return how
  const { id, words, ...rest } = how
  // An id may also come from a record.
  if (!form.test(id)) return { impossible: `${identity.name} gives no session such an id` }
  const last = words.at(-1)!
  return { ...rest, words: last.endsWith('=') ? [...words.slice(0, -1), last + id] : [...words, id] }
}

/** Why the id of a session, which may come from somebody else, is not one of its client. */
export function unusualId({ id, platform }: Pick<Session, 'id' | 'platform'>): string | undefined {
  const { identity } = platformOf(platform)
  return identity.sessionId.test(id) ? undefined : `${identity.name} gives no session such an id`
}
