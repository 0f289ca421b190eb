import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import { filters } from '../context/filters.ts'
import { field, resumeLine } from '../context/flags.ts'
import { ScrollbackError } from '../errors.ts'
import { isFolder } from '../io/directories.ts'
import { notStarted } from '../io/process.ts'
import type { Environment } from '../model/artifact.ts'
import { shownName } from '../model/hidden.ts'
import type { Session } from '../model/session.ts'
import { shellWord } from '../model/shell-word.ts'
import { resumption } from '../platforms/resuming.ts'
import { printable } from '../render/terminal.ts'
import { chooseOne } from '../selection/choose-sessions.ts'
import { loadSessions } from '../selection/load-sessions.ts'
import { archivesHere } from '../selection/vanishing.ts'
import { backLine } from '../selection/way-back.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    session: z.string(),
    platform: z.string(),
    command: z.array(z.string()),
    /** Variables to start it with. */
    variables: z.record(z.string(), z.string()),
    directory: z.nullable(z.string()),
    shell: z.string(),
    /** Why it may not start where the session ran. */
    warning: z.nullable(z.string()),
    /** With `--run`: the exit code of the client. */
    exitCode: z.nullable(z.number()),
  })

export const resume = defineCommand({
  name: 'resume',
  summary: 'print or run the command that resumes a session in its own client',
  details: 'Prints the command, or runs it with --run. The session itself does not change until then.',
  examples: [
    { command: 'scrollback resume 640ab4c7', description: 'print the command' },
    {
      command: 'scrollback resume eastore:latest --run',
      description: 'resume the last session of a project',
    },
    { command: 'scrollback resume 640ab4c7 --json | jq .shell', description: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or the beginning of one, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    run: field.flag({ description: 'run the command now' }),
  }),
  output,
  needs: 'messages',
  async run({ session: wanted, agent, run }, context): Promise<z.output<ReturnType<typeof output>>> {
    if (wanted === undefined)
      throw new ScrollbackError(
        'bad-option',
        'The session is missing.',
        `Use its id or a prefix of it, or resume the last one: ${context.suggest('resume', ['latest'])}`,
      )
    const found = await chooseOne(loadSessions({ agent }, context), { name: wanted, agent }, context)
    const how = howToResume(found, context.environment)
    if ('impossible' in how)
      throw new ScrollbackError(
        'no-session',
        `${found.id} cannot be resumed: ${how.impossible}.`,
        `${backLine(found, archivesHere(context), context)}Read it instead: ${context.suggest('read', [found.id])}`,
      )
    const { words, variables, directory, warning, shell } = how
    // What is printed is a command, for a shell or a program.
    if (warning !== null) context.note(shownName(warning))
    return {
      version: 1,
      session: found.id,
      platform: found.platform,
      command: words,
      variables,
      directory,
      shell,
      warning,
      exitCode: run ? await start() : null,
    }

    async function start(): Promise<number> {
      if (!context.start)
        throw new ScrollbackError(
          'bad-option',
          '--run: cannot start a program here',
          'Run the printed command.',
        )
      const code = await context.start(words, directory ?? context.here, variables)
      if (code === undefined)
        throw new ScrollbackError(
          'no-session',
          `${words[0]} ${notStarted()}.`,
          `Install it, or run this yourself:\n${shell}`,
        )
      if (code !== 0) context.partly?.()
      return code
    }
  },
  // A client's command may be longer than a line.
  isVerbatim: () => true,
  *render({ shell, exitCode }) {
    if (exitCode !== null) return
    yield `${printable(shell)}\n`
  },
})

/** What differs from where the session ran. Null if nothing does. */
function warningOf(
  [first, ...others]: readonly string[],
  directory: string | null,
  elsewhere: string | undefined,
): string | null {
  if (first === undefined)
    return elsewhere === undefined ? null : `No record names the folder in which it ran: ${elsewhere}.`
  if (directory === first) return null
  const instead =
    directory === null
      ? elsewhere
      : others.includes(directory)
        ? 'using the folder that it was made from'
        : undefined
  return `${shellWord(first)} no longer exists${instead === undefined ? '' : `: ${instead}`}.`
}

interface Resume {
  /** The command: the client and its arguments. */
  words: string[]
  variables: Record<string, string>
  /** The folder to start it in, if there is one. */
  directory: string | null
  /** All of it as one line for a shell. */
  shell: string
  /** What differs from where the session ran. */
  warning: string | null
}

/** How to resume a session in its own client now, or why that is impossible. */
export function howToResume(session: Session, environment: Environment): Resume | { impossible: string } {
  const { state, goneMs } = session
  if (state === 'purged')
    return { impossible: 'only its prompts are left: the agent has deleted the transcript' }
  if (goneMs !== undefined) return { impossible: 'its transcript is gone' }
  const how = resumption(session, environment)
  if ('impossible' in how) return how
  const { words, variables, directories, elsewhere } = how
  const directory = directories.find(isFolder) ?? null
  const warning = warningOf(directories, directory, elsewhere)
  return { words, variables, directory, shell: resumeLine(words, variables, directory), warning }
}
