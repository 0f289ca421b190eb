import * as z from 'zod/mini'
import { sessionJson } from '../../condense/item-json.ts'
import { among, ScrollbackError } from '../../errors.ts'
import { chooseNamed } from '../kit/choose-sessions.ts'
import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { filters, identities } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'
import { type Loaded, loadSessions } from '../kit/load-sessions.ts'
import { finishSession } from '../kit/read-messages.ts'
import { namedJson, namedShape, sessionShape } from '../kit/session-json.ts'
import { partOfNames, sessionsOfId } from '../kit/session-names.ts'
import { namedText, sessionText } from './text.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    /** The files of one session, newest first. */
    sessions: z.array(sessionShape()),
    named: z.array(namedShape()),
  })

/** How many files of a session are shown. A project has more sessions than anybody requested. */
const MOST = 20

export const session = defineCommand({
  name: 'session',
  summary: 'show the details of a session: messages, counts, tokens, and the client’s own index entry',
  details:
    'The entry of the client’s session index may be outdated. Sessions that appear only in that index are shown too.',
  examples: [
    { command: 'scrollback session 640ab4c7', tells: 'show a session by the beginning of its id' },
    { command: 'scrollback session latest', tells: 'show the last session' },
    { command: 'scrollback session 640ab4c7 --json | jq .sessions[0].entry', tells: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or the beginning of one, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    ...identities,
  }),
  output,
  needs: 'messages',
  async run(given, context): Promise<z.output<ReturnType<typeof output>>> {
    const { session: wanted, agent } = given
    if (wanted === undefined)
      throw new ScrollbackError(
        'bad-option',
        'The session is missing.',
        `Use its id or a prefix of it, or show the last one: ${context.suggest('session', 'latest')}`,
      )
    const loaded = loadSessions({ agent }, context, agent === undefined ? partOfNames([wanted]) : undefined)
    const named =
      sessionsOfId(loaded.sessions, wanted).length > 0
        ? []
        : sessionsOfId(loaded.named, wanted).slice(0, MOST)
    const { sessions, nameOf } =
      named.length > 0
        ? { sessions: [], nameOf: () => undefined }
        : await chosen(loaded, wanted, agent, context)
    return {
      version: 1,
      sessions: sessions.map((each) => sessionJson(finishSession(each, given.identities), nameOf(each))),
      named: named.map((each) => namedJson(each, given.identities)),
    }
  },
  *render({ sessions, named }, screen) {
    for (const [index, row] of sessions.entries()) yield* sessionText(row, index > 0, screen)
    for (const [index, row] of named.entries()) yield* namedText(row, index > 0, screen)
  },
})

async function chosen(loaded: Loaded, wanted: string, agent: string | undefined, context: Context) {
  const { sessions, by, nameOf } = await chooseNamed(loaded, { name: wanted, all: false, agent }, context)
  const ids = new Set(sessions.map(({ id }) => id))
  if (by !== 'id' && ids.size > 1)
    throw among(
      new ScrollbackError(
        'several-sessions',
        `"${wanted}" has ${ids.size} sessions.`,
        `List them: ${context.suggest('sessions', wanted)}\nOr show the last one: ${context.suggest('session', `${wanted}:latest`)}`,
      ),
      [...ids],
    )
  return { sessions: sessions.slice(0, MOST), nameOf }
}
