import { existsSync } from 'node:fs'
import * as z from 'zod/mini'
import { printable } from '../condense/printable.ts'
import { ScrollbackError } from '../errors.ts'
import type { Session } from '../model/session.ts'
import { defineCommand } from './command.ts'
import { field } from './fields.ts'
import { loadSessions } from './load.ts'
import { resumption } from './resume-command.ts'
import { shellWord } from './shell-word.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    session: z.string(),
    platform: z.string(),
    command: z.array(z.string()),
    directory: z.nullable(z.string()),
    shell: z.string(),
    /** With --run: what the agent ended with. */
    exitCode: z.nullable(z.number()),
  })

/** Ids are told apart by so many characters at least. */
const SHORTEST = 4

export const resume = defineCommand({
  name: 'resume',
  summary: 'the command that goes on with a session, in its own agent and folder',
  details: 'Prints it, or runs it with --run. Nothing of the session is changed before.',
  examples: [
    { command: 'scrollback resume 640ab4c7', tells: 'what to type' },
    { command: 'scrollback resume 640ab4c7 --run', tells: 'do it' },
    { command: 'scrollback resume 640ab4c7 --json | jq .shell', tells: 'for programs' },
  ],
  input: z.object({
    session: field.text({ description: 'session id or its beginning', positional: true }),
    run: field.flag({ description: 'start it here and now' }),
  }),
  output,
  async run({ session: wanted, run }, context): Promise<z.output<ReturnType<typeof output>>> {
    if (wanted === undefined || wanted.length < SHORTEST)
      throw new ScrollbackError(
        'bad-option',
        'Which session?',
        'Name its id or at least four characters of it: scrollback sessions lists them.',
      )
    const found = await one(wanted, loadSessions({}, context).sessions, context.choose)
    const how = resumption(found)
    if ('impossible' in how)
      throw new ScrollbackError(
        'no-session',
        `${found.id} cannot be gone on with: ${how.impossible}.`,
        `What was said in it: scrollback read ${found.id}`,
      )
    if (how.unsure) context.note(how.unsure)
    const { words, directory } = how
    const missing = directory !== null && !existsSync(directory)
    if (missing && run)
      throw new ScrollbackError(
        'no-session',
        `${found.id} took place in ${directory}, which is not there.`,
        'Claude Code finds a session only from its own folder: make it again, or put it back.',
      )
    if (missing) context.note(`${directory} is not there: make it again, or put it back.`)
    const line = words.map(shellWord).join(' ')
    const shell = directory === null ? line : `cd ${shellWord(directory)} && ${line}`
    const exitCode = run ? await start(words, directory) : null
    return {
      version: 1,
      session: found.id,
      platform: found.platform,
      command: words,
      directory,
      shell,
      exitCode,
    }

    async function start(command: readonly string[], folder: string | null): Promise<number> {
      if (!context.start)
        throw new ScrollbackError(
          'bad-option',
          '--run: nothing can be started here',
          'Run the printed command.',
        )
      const code = await context.start(command, folder ?? context.here)
      if (code === undefined)
        throw new ScrollbackError(
          'no-session',
          `${command[0]} is not installed, or not on your PATH.`,
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

async function one(
  wanted: string,
  sessions: readonly Session[],
  choose:
    | ((question: string, options: { label: string; hint?: string }[]) => Promise<number | undefined>)
    | undefined,
): Promise<Session> {
  const exact = sessions.filter(({ id }) => id === wanted)
  const begun =
    exact.length > 0
      ? exact
      : sessions.filter(({ id }) => id.startsWith(wanted) || id.startsWith(`agent-${wanted}`))
  // Of several files of one session the one that still lives is meant.
  const living = begun.filter(({ state, goneMs }) => state === 'live' && goneMs === undefined)
  const candidates = living.length > 0 ? living : begun
  if (candidates.length === 1) return candidates[0]!
  if (candidates.length === 0)
    throw new ScrollbackError(
      'no-session',
      `No session begins with "${wanted}".`,
      'See them with: scrollback sessions --all',
    )
  const options = candidates.map(({ id, title }) => ({ label: id, hint: title }))
  const picked = await choose?.(`Which session is "${wanted}"?`, options)
  if (picked !== undefined) return candidates[picked]!
  throw new ScrollbackError(
    'several-sessions',
    `"${wanted}" begins ${candidates.length} session ids:\n${options.map(({ label, hint }) => `  ${label}  ${hint ?? ''}`).join('\n')}`,
    'Give more of the id.',
  )
}
