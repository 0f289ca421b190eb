import { among, ScrollbackError } from '../../errors.ts'
import type { Session } from '../../model/session.ts'
import type { Context } from '../kit/command.ts'
import type { Loaded } from '../kit/load.ts'
import { chooseNamed } from './sessions.ts'

const OFFERED = 20

/** The requested session, and the command that the way out of an error names. */
interface Single {
  name: string
  agent?: string
}

/** Finds the one session that a name means. Of several files, the live one. */
export async function chooseOne(loaded: Loaded, { name, agent }: Single, context: Context): Promise<Session> {
  const { sessions, by } = await chooseNamed(loaded, { name, all: false, agent }, context)
  const living = sessions.filter(({ state, goneMs }) => state === 'live' && goneMs === undefined)
  const candidates = living.length > 0 ? living : sessions
  if (candidates.length === 1 || by === 'id') return candidates[0]!
  const newest = candidates.filter(({ kind }) => kind !== 'subagent').slice(0, OFFERED)
  const options = newest.map(({ id, title = '' }) => ({
    label: id,
    hint: title.replace(/\s+/g, ' ').slice(0, 60),
  }))
  const picked = await context.choose?.(`Which session of "${name}"?`, options)
  if (picked !== undefined) return newest[picked]!
  throw among(
    new ScrollbackError(
      'several-sessions',
      `"${name}" has ${candidates.length} sessions. The last ones:\n${options
        .slice(0, 5)
        .map(({ label, hint }) => `  ${label}  ${hint}`)
        .join('\n')}`,
      `Name one of them, or use the last one: ${context.suggest.again({ arguments: [`${name}:latest`] })}`,
    ),
    newest.map(({ id }) => id),
  )
}
