import { forgottenKey } from '../../model/artifact.ts'
import type { Source } from './inventory.ts'
import type { RecordSettings } from './slice.ts'

/**
 * Returns a test for records of a source: whether their session, or the one that started that of the source,
 * was forgotten. `damaged`: the text of a record that cannot be parsed, so that nothing says whose it is: one
 * that has the id of a forgotten session counts as a record of it.
 */
export function createForgotten(
  {
    platform,
    artifact,
    parent = artifact?.parentSessionId,
  }: Pick<Source, 'platform' | 'artifact' | 'parent'>,
  { forgotten = [] }: Pick<RecordSettings, 'forgotten'>,
): (session: string | null, damaged?: string) => boolean {
  const keys = new Set(forgotten)
  const beginning = forgottenKey(platform, '')
  const isWhole = parent !== undefined && keys.has(forgottenKey(platform, parent))
  let own: string[] | undefined
  return (session, damaged) => {
    if (keys.size === 0 || isWhole) return isWhole
    if (session !== null) return keys.has(forgottenKey(platform, session))
    if (damaged === undefined) return false
    own ??= forgotten.flatMap((key) => (key.startsWith(beginning) ? key.slice(beginning.length) : []))
    return own.some((id) => id !== '' && damaged.includes(id))
  }
}
