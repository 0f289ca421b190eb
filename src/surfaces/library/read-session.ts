import { chooseNamed } from '../../commands/choose-sessions.ts'
import { loadSessions } from '../../commands/load.ts'
import { findTranscript, tellTranscript } from '../../commands/one-transcript.ts'
import type { Item, Session } from '../../model/session.ts'
import { contextOf } from './context.ts'
import { timesOf } from './convert.ts'
import { told } from './gate.ts'
import type { Places, SessionFilter } from './shapes.ts'

export interface ReadSessionOptions extends Places {
  /** False leaves secrets in. */
  redact?: boolean
}

/**
 * What one session tells, condensed, in order, from its transcript: a path, an id, or the beginning of one (four characters or more).
 * Keeps nothing. Fails with `no-session` or `several-sessions`, or the system's error where the file cannot be read.
 */
export async function* readSession(
  pathOrId: string,
  options: ReadSessionOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const { redact = true, ...places } = options
  const context = contextOf(places, false)
  for (const item of tellTranscript(findTranscript(pathOrId, context), { redact }))
    yield redact ? told(item) : item
}

/** The sessions of this machine, the newest first, from their transcripts; nothing is kept. `openStore` is quicker the second time. */
export async function* findSessions(
  options: Places & SessionFilter = {},
): AsyncGenerator<Session, void, undefined> {
  const { project, platform, agent, kind } = options
  const context = contextOf(options, false)
  const loaded = loadSessions({ platform, agent, kind, ...timesOf(options) }, context)
  const { sessions } = await chooseNamed(
    loaded,
    { name: project, all: project === undefined, agent },
    context,
  )
  for (const session of sessions) yield told(session)
}
