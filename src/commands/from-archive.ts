import { hash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { restoreArchive } from '../collect/archive/restore.ts'
import { ScrollbackError } from '../errors.ts'
import { segmentsIn } from '../io/segments.ts'

/** An archive as trees that every command reads, with a store of their own. */
export interface FromArchive {
  claudeDirs: string[]
  openclawDirs: string[]
  storePath: string
  /** What of it could not be read. */
  notes: string[]
}

/** Lays out what is new in an archive below the folder of all that is ours. */
export function fromArchive(archive: string, dataFolder: string): FromArchive {
  if (!existsSync(archive) || segmentsIn(archive).length === 0)
    throw new ScrollbackError(
      'bad-option',
      `--from ${archive}: no archive is there`,
      'Name a directory that "scrollback collect" delivered to.',
    )
  const place = join(dataFolder, 'from', hash('sha256', realpathSync(archive), 'hex').slice(0, 16))
  const { claudeDirs, openclawDirs, damaged, strange } = restoreArchive(archive, join(place, 'trees'))
  const notes = damaged.map(
    ({ segment, offset, records }) =>
      `${join(archive, segment)} is damaged at byte ${offset}: ${records} records are missing`,
  )
  if (strange > 0) notes.push(`${archive}: ${strange} lines are no records of scrollback`)
  return { claudeDirs, openclawDirs, storePath: join(place, 'store.sqlite'), notes }
}
