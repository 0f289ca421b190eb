import { join } from 'node:path'
import type { Context } from '../context/context.ts'
import { ScrollbackError } from '../errors.ts'
import { ownTokenFile } from '../io/own-files.ts'
import { shellWord } from '../model/shell-word.ts'
import { SinkError } from '../sinks/sink.ts'
import { type TokenSource, tokenFrom } from '../sinks/token.ts'

/** A shorter token can be guessed. */
const SHORTEST = 16

/**
 * The token, and the flags that pass it to a client. A generated token is stored under `name` in our folder
 * and reused.
 */
export function tokenOf(
  { tokenEnv, tokenFile }: { tokenEnv?: string; tokenFile?: string },
  name: string,
  context: Context,
): { token: string; hint: string } {
  const isOwn = tokenEnv === undefined && tokenFile === undefined
  const file = isOwn ? join(context.dataFolder, name) : tokenFile
  try {
    if (isOwn) ownTokenFile(file!)
    const token = bearer({ tokenEnv, tokenFile: file, variables: context.environment.variables })
    if (token.length < SHORTEST)
      throw new ScrollbackError(
        'bad-option',
        `${file ?? '--token-env'}: the token has fewer than ${SHORTEST} characters, so it can be guessed`,
        isOwn
          ? 'Delete the file. The next start writes a new one.'
          : 'Use a long random one, such as the output of: openssl rand -base64 24',
      )
    return { token, hint: tokenEnv ? `--token-env ${tokenEnv}` : `--token-file ${shellWord(file ?? '')}` }
  } catch (error) {
    if (error instanceof SinkError)
      throw new ScrollbackError('bad-option', error.message, error.wayOut, error)
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof ScrollbackError || code === undefined) throw error
    throw new ScrollbackError(
      'unreadable',
      `The token file ${file} cannot be written (${code}).`,
      'Set SCROLLBACK_HOME to a folder that you can write, or name a file with --token-file.',
      error,
    )
  }
}

const bearer = (source: TokenSource): string => tokenFrom(source).header()!.slice('Bearer '.length)

/** Resolves when the user stops a server, at once if nothing could. */
export const stopped = (stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!stop || stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
