import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ScrollbackError } from '../../errors.ts'
import { readPrivateFile, writePrivateFile } from '../../io/own-files.ts'
import { SinkError } from '../../sinks/sink.ts'
import { type TokenSource, tokenFrom } from '../../sinks/token.ts'
import type { Context } from './context.ts'

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
  const given = { tokenEnv, tokenFile, variables: context.environment.variables }
  const own = join(context.dataFolder, name)
  try {
    if (tokenEnv === undefined && tokenFile === undefined) {
      if (!holdsText(own)) writePrivateFile(own, `${randomBytes(32).toString('base64url')}\n`)
      return { token: bearer({ ...given, tokenFile: own }), hint: `--token-file ${own}` }
    }
    const token = bearer(given)
    if (token.length < SHORTEST)
      throw new ScrollbackError(
        'bad-option',
        `${tokenEnv === undefined ? '--token-file' : '--token-env'}: the token has fewer than ${SHORTEST} characters, so it can be guessed`,
        'Use a long random one, such as the output of: openssl rand -base64 24',
      )
    return { token, hint: tokenEnv ? `--token-env ${tokenEnv}` : `--token-file ${tokenFile}` }
  } catch (error) {
    if (error instanceof SinkError)
      throw new ScrollbackError('bad-option', error.message, error.wayOut, error)
    throw error
  }
}

const bearer = (source: TokenSource): string => tokenFrom(source).header()!.slice('Bearer '.length)

function holdsText(path: string): boolean {
  try {
    return readPrivateFile(path).text.trim() !== ''
  } catch {
    return false
  }
}

/** Resolves when the user stops a server, at once if nothing could. */
export const stopped = (stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!stop || stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
