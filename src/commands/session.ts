import * as z from 'zod/mini'
import { sessionJson } from '../condense/item-json.ts'
import { ScrollbackError } from '../errors.ts'
import type { NamedSession } from '../model/artifact.ts'
import { chooseNamed } from './choose-sessions.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { type Loaded, loadSessions } from './load.ts'
import { namedJson, namedShape } from './named-sessions.ts'
import { filters, identities } from './options.ts'
import { finishSession } from './read-job.ts'
import { namedText, sessionText } from './session-text.ts'
import { sessionShape } from './sessions.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    /** The files of one session, the newest first. */
    sessions: z.array(sessionShape()),
    named: z.array(namedShape()),
  })

/** Files of a session that are shown; a project has more sessions than anybody asked for. */
const MOST = 20

export const session = defineCommand({
  name: 'session',
  summary: 'all that is known of one session: words, counts, tokens, what the agent’s index says',
  details:
    'What OpenClaw’s sessions.json says is a hint, as fresh as OpenClaw keeps it. Sessions that only the index names are told too.',
  examples: [
    { command: 'scrollback session 640ab4c7', tells: 'by the beginning of its id' },
    { command: 'scrollback session latest', tells: 'the last one' },
    { command: 'scrollback session 640ab4c7 --json | jq .sessions[0].entry', tells: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or its beginning, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    ...identities,
  }),
  output,
  async run(given, context): Promise<z.output<ReturnType<typeof output>>> {
    const { session: wanted, agent } = given
    if (wanted === undefined)
      throw new ScrollbackError(
        'bad-option',
        'Which session?',
        `Name its id or the beginning of it, or take the last one: ${context.suggest('session', 'latest')}`,
      )
    const loaded = loadSessions({ agent }, context)
    const named = loaded.sessions.some(({ id }) => begins(id, wanted)) ? [] : namedBy(loaded, wanted)
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

const SHORTEST = 4

const begins = (id: string, wanted: string): boolean =>
  wanted.length >= SHORTEST && (id.startsWith(wanted) || id.startsWith(`agent-${wanted}`))

const namedBy = ({ named }: Loaded, wanted: string): NamedSession[] => {
  const found = named.filter(({ id }) => begins(id, wanted))
  const exact = found.filter(({ id }) => id === wanted)
  return (exact.length > 0 ? exact : found).slice(0, MOST)
}

async function chosen(loaded: Loaded, wanted: string, agent: string | undefined, context: Context) {
  const { sessions, by, nameOf } = await chooseNamed(loaded, { name: wanted, all: false, agent }, context)
  const ids = new Set(sessions.map(({ id }) => id))
  if (by !== 'id' && ids.size > 1)
    throw new ScrollbackError(
      'several-sessions',
      `"${wanted}" has ${ids.size} sessions.`,
      `List them: ${context.suggest('sessions', wanted)}, or take the last one: ${context.suggest('session', `${wanted}:latest`)}`,
    )
  return { sessions: sessions.slice(0, MOST), nameOf }
}
