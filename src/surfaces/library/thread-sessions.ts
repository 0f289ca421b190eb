import { chooseNamed } from '../../commands/kit/choose-sessions.ts'
import { loadSessions } from '../../commands/kit/load-sessions.ts'
import { findTranscript, tellTranscript } from '../../commands/kit/read-targets.ts'
import type { Item, Session } from '../../model/session.ts'
import { contextOf } from './context.ts'
import { timesOf } from './convert.ts'
import { redacted } from './gate.ts'
import type { MachineOptions, SessionFilter } from './shapes.ts'

/** Yields the items of one transcript. */
export async function* readSessionHere(
  pathOrId: string,
  redact: boolean,
  machine: MachineOptions,
): AsyncGenerator<Item, void> {
  const context = contextOf(machine, false)
  for (const item of tellTranscript(findTranscript(pathOrId, context), { redact }))
    yield redact ? redacted(item) : item
}

/** Yields the sessions of this machine, newest first, from their transcripts. */
export async function* findSessionsHere(
  filter: SessionFilter,
  machine: MachineOptions,
): AsyncGenerator<Session, void> {
  const { project, platform, agent, kind } = filter
  const context = contextOf(machine, false)
  const loaded = loadSessions({ platform, agent, kind, ...timesOf(filter) }, context)
  const { sessions } = await chooseNamed(
    loaded,
    { name: project, all: project === undefined, agent },
    context,
  )
  for (const session of sessions) yield redacted(session)
}
