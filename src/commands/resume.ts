import { statSync } from 'node:fs'
import * as z from 'zod/mini'
import { printable } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import { chooseNamed } from './choose-sessions.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import { type Loaded, loadSessions } from './load.ts'
import { filters } from './options.ts'
import { resumeLine, resumption } from './resume-command.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    session: z.string(),
    platform: z.string(),
    command: z.array(z.string()),
    /** Variables that it is to be started with. */
    variables: z.record(z.string(), z.string()),
    directory: z.nullable(z.string()),
    shell: z.string(),
    /** With --run: what the agent ended with. */
    exitCode: z.nullable(z.number()),
  })

export const resume = defineCommand({
  name: 'resume',
  summary: 'the command that goes on with a session, in its own agent and folder',
  details: 'Prints it, or runs it with --run. Nothing of the session is changed before.',
  examples: [
    { command: 'scrollback resume 640ab4c7', tells: 'what to type' },
    { command: 'scrollback resume eastore:latest --run', tells: 'go on with the last one of a project' },
    { command: 'scrollback resume 640ab4c7 --json | jq .shell', tells: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or its beginning, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    run: field.flag({ description: 'start it here and now' }),
  }),
  output,
  async run({ session: wanted, agent, run }, context): Promise<z.output<ReturnType<typeof output>>> {
    if (wanted === undefined)
      throw new ScrollbackError(
        'bad-option',
        'Which session?',
        `Name its id or the beginning of it, or take the last one: ${context.suggest('resume', 'latest')}`,
      )
    const found = await one(wanted, agent, loadSessions({ agent }, context), context)
    const how = resumption(found, context.environment)
    if ('impossible' in how)
      throw new ScrollbackError(
        'no-session',
        `${found.id} cannot be gone on with: ${how.impossible}.`,
        `What was said in it: ${context.suggest('read', found.id)}`,
      )
    const { words, variables, directories } = how
    const directory = directories.find(isDirectory) ?? null
    if (directories.length > 0 && directory !== directories[0])
      context.note(
        `${directories[0]} is not there any more${directory === null ? ': recent versions of Claude Code find the session from any folder, older ones only from that one' : `: this is the folder that it was made from`}.`,
      )
    else if (directories.length === 0 && found.platform === 'claude-code')
      context.note(
        'No record says in which folder it took place: older versions of Claude Code find it only from there.',
      )
    const shell = resumeLine(words, variables, directory)
    return {
      version: 1,
      session: found.id,
      platform: found.platform,
      command: words,
      variables,
      directory,
      shell,
      exitCode: run ? await start() : null,
    }

    async function start(): Promise<number> {
      if (!context.start)
        throw new ScrollbackError(
          'bad-option',
          '--run: nothing can be started here',
          'Run the printed command.',
        )
      const code = await context.start(words, directory ?? context.here, variables)
      if (code === undefined)
        throw new ScrollbackError(
          'no-session',
          `${words[0]} is not installed, or not on your PATH.`,
          `Install it, or run elsewhere: ${shell}`,
        )
      if (code !== 0) context.partly?.()
      return code
    }
  },
  *render({ shell, exitCode }) {
    if (exitCode === null) yield `${printable(shell)}\n`
  },
})

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const OFFERED = 20

/** The one session that a name means; of several files of it the one that still lives. */
async function one(
  wanted: string,
  agent: string | undefined,
  loaded: Loaded,
  context: Context,
): Promise<Session> {
  const { sessions, by } = await chooseNamed(loaded, { name: wanted, all: false, agent }, context)
  const living = sessions.filter(({ state, goneMs }) => state === 'live' && goneMs === undefined)
  const candidates = living.length > 0 ? living : sessions
  if (candidates.length === 1 || by === 'id') return candidates[0]!
  const newest = candidates.filter(({ kind }) => kind !== 'subagent').slice(0, OFFERED)
  const options = newest.map(({ id, title = '' }) => ({
    label: id,
    hint: title.replace(/\s+/g, ' ').slice(0, 60),
  }))
  const picked = await context.choose?.(`Which session of "${wanted}"?`, options)
  if (picked !== undefined) return newest[picked]!
  throw new ScrollbackError(
    'several-sessions',
    `"${wanted}" has ${candidates.length} sessions. The last ones:\n${options
      .slice(0, 5)
      .map(({ label, hint }) => `  ${label}  ${hint}`)
      .join('\n')}`,
    `Name one of them, or take the last one: ${context.suggest('resume', `${wanted}:latest`)}`,
  )
}
