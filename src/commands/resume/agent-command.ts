import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { platformOf } from '../../platforms/index.ts'
import type { Resumption } from '../../platforms/platform.ts'
import { shellWord } from '../kit/command-line.ts'

/** How to resume a session in its own client, or why it cannot be resumed. */
export function resumption(session: Session, environment: Environment): Resumption {
  const { platform, state, goneMs } = session
  if (state === 'purged')
    return { impossible: 'only its prompts are left: the agent has deleted the transcript' }
  if (goneMs !== undefined) return { impossible: 'its transcript is gone' }
  return platformOf(platform).resume(session, environment)
}

/** The resuming command as a line for a shell: PowerShell on Windows, a POSIX shell elsewhere. */
export function resumeLine(
  words: readonly string[],
  variables: Record<string, string>,
  directory: string | null,
  platform: NodeJS.Platform = process.platform,
): string {
  const quoted = (word: string): string => shellWord(word, platform)
  const command = words.map(quoted).join(' ')
  const set = Object.entries(variables)
  if (platform !== 'win32') {
    const line = [...set.map(([name, value]) => `${name}=${quoted(value)}`), command].join(' ')
    return directory === null ? line : `cd ${quoted(directory)} && ${line}`
  }
  // PowerShell has no variables for one command, and its older versions no `&&`.
  const steps = set.map(([name, value]) => `$env:${name} = '${value.replaceAll("'", "''")}'`)
  return [...(directory === null ? [] : [`cd ${quoted(directory)}`]), ...steps, command].join('; ')
}
