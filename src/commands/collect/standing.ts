import * as z from 'zod/mini'
import type { DestinationRow } from '../../collect/delivery/state/state.ts'
import { faultOf } from '../../io/archive/claim.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { stateOf } from '../../io/archive/directory-state.ts'
import { knownArchive } from '../../sinks/file.ts'
import { knownOf } from './run.ts'

export const archiveShape = () => z.object({ id: z.nullable(z.string()), problem: z.nullable(z.string()) })

/**
 * Whether a directory is still the archive that was delivered to. Null for destinations that are not
 * archives. Writes nothing.
 */
export function archiveOf(row: DestinationRow): z.output<ReturnType<typeof archiveShape>> | null {
  if (!row.url.startsWith('file:')) return null
  return { id: row.archive, problem: problemOf(row.url.slice('file:'.length), row) }
}

function problemOf(folder: string, row: DestinationRow): string | null {
  const known = knownOf(row)
  try {
    const standing = stateOf(folder)
    const fault = known && faultOf(folder, standing, knownArchive(known))
    if (fault) return `${fault.message} ${fault.wayOut}`
    if (standing.type !== 'archive') return null
    const { faults, manifest } = contentsOf(folder)
    const damaged = faults.length > 0 || manifest?.segments.some((segment) => segment.damaged)
    return damaged ? `${folder} is damaged. collect --verify shows where.` : null
  } catch (error) {
    return `${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`
  }
}
