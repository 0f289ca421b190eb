import type { Context } from '../../../commands/kit/context.ts'
import { freshStore } from '../../../commands/kit/fresh-store.ts'
import { findSession } from '../../../commands/serve/question.ts'
import { ScrollbackError } from '../../../errors.ts'
import { answersFromTeamStore } from '../../team-store.ts'

/** Questions of the page that a team store answers, besides those that are commands. */
const OWN = new Set([
  'items',
  'outline',
  'branches',
  'record',
  'image',
  'live',
  'listing',
  'choices',
  'neighbors',
  'tags',
  'openapi.json',
])

/**
 * Throws a `ScrollbackError` if a question is about files or jobs of a machine, and the answers come from a
 * team store: this machine has another answer. Names the machine if the question is about a session.
 */
export function refuseElsewhere(name: string, input: Record<string, unknown>, context: Context): void {
  if (!context.remote || OWN.has(name) || answersFromTeamStore(name)) return
  const { session } = input
  const device =
    typeof session === 'string' ? findSession(session, freshStore(context)!).session.device : undefined
  throw new ScrollbackError(
    'bad-option',
    `This is only known on ${device ?? 'the machine itself'}: a team store has no ${WANTED[name] ?? 'files'}.`,
    'Start "scrollback serve" there, without --store.',
  )
}

/** What a question needs, if not files. */
const WANTED: Readonly<Record<string, string>> = {
  changes: 'tool input',
  cron: 'jobs',
  collector: 'state of deliveries',
}
