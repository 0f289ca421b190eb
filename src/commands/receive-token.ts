import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ScrollbackError } from '../errors.ts'
import { readPrivateFile, writePrivateFile } from '../io/private-file.ts'
import { SinkError } from '../sinks/sink.ts'
import { tokenFrom } from '../sinks/token.ts'
import type { Context } from './command.ts'

/** The token, and what a collector is told to find it with. A token of our own stays the same from run to run. */
export function tokenOf(
  { tokenEnv, tokenFile }: { tokenEnv?: string; tokenFile?: string },
  context: Context,
): { token: string; hint: string } {
  const place = { tokenEnv, tokenFile, variables: context.environment.variables }
  const own = join(context.dataFolder, 'receive-token')
  try {
    if (tokenEnv === undefined && tokenFile === undefined) {
      if (!holdsText(own)) writePrivateFile(own, `${randomBytes(32).toString('base64url')}\n`)
      return { token: bearer({ ...place, tokenFile: own }), hint: `--token-file ${own}` }
    }
    return { token: bearer(place), hint: tokenEnv ? `--token-env ${tokenEnv}` : `--token-file ${tokenFile}` }
  } catch (error) {
    if (error instanceof SinkError)
      throw new ScrollbackError('bad-option', error.message, error.wayOut, error)
    throw error
  }
}

const bearer = (place: Parameters<typeof tokenFrom>[0]): string =>
  tokenFrom(place).header()!.slice('Bearer '.length)

function holdsText(path: string): boolean {
  try {
    return readPrivateFile(path).text.trim() !== ''
  } catch {
    return false
  }
}
