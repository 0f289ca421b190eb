import { hash } from 'node:crypto'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ScrollbackError } from '../../errors.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { segmentsIn } from '../../io/archive/segments.ts'
import type { TreeOrigin } from './layout.ts'
import type { ArchiveFaults } from './records.ts'
import { restoreArchive } from './restore.ts'

/** An unpacked archive that every command can read, with a store of its own. */
export interface FromArchive {
  /** Its roots by platform. */
  dirs: Record<string, string[]>
  storePath: string
  /** Where each root comes from. */
  origins: ReadonlyMap<string, TreeOrigin>
  /** What could not be read in it. */
  notes: string[]
}

/** Unpacks the new records of an archive into our data folder. */
export function fromArchive(archive: string, dataFolder: string): FromArchive {
  const isNone = (): boolean => segmentsIn(archive).length === 0 && contentsOf(archive).id === undefined
  if (!existsSync(archive) || isNone())
    throw new ScrollbackError(
      'bad-option',
      `--from ${archive}: not an archive`,
      'Give a directory that "scrollback collect" delivered to.',
    )
  const { folder, former } = foldersOf(archive, dataFolder)
  for (const each of former) rmSync(each, { recursive: true, force: true })
  // Earlier versions unpacked it here.
  rmSync(join(dataFolder, 'from', keyOf(realpathSync(archive))), { recursive: true, force: true })
  const { dirs, origins, ...faults } = restoreArchive(archive, join(folder, 'trees'))
  return { dirs, origins, storePath: join(folder, 'store.sqlite'), notes: notesOf(archive, faults) }
}

/** Deletes what was unpacked of an archive. */
export function dropUnpacked(archive: string, dataFolder: string): void {
  const { folder, former } = foldersOf(archive, dataFolder)
  for (const each of [...former, folder]) rmSync(each, { recursive: true, force: true })
}

/**
 * Where an archive is unpacked, and where it was before. Another archive in the same directory gets another
 * folder, and so does one in which something was forgotten.
 */
function foldersOf(archive: string, dataFolder: string): { folder: string; former: string[] } {
  const { id, manifest } = contentsOf(archive)
  const times = manifest?.forgotten?.segments.length ?? 0
  const names = Array.from({ length: times + 1 }, (_, count) => (count > 0 ? ` ${count}` : ''))
  const folders = names.map((name) =>
    join(dataFolder, 'from', keyOf(`${realpathSync(archive)} ${id ?? ''}${name}`)),
  )
  return { folder: folders.at(-1)!, former: folders.slice(0, -1) }
}

const keyOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 16)

function notesOf(archive: string, { files, damaged, strange, strangeLines }: ArchiveFaults): string[] {
  const notes = files.map(({ name, what }) => `${join(archive, name)}: ${what}`)
  for (const { segment, offset, records, what } of damaged)
    notes.push(
      `${join(archive, segment)} is damaged at byte ${offset}: ${what}${records === 0 ? '' : `; ${records ?? 'an unknown number of'} records are missing`}`,
    )
  for (const { segment, offset, line, reason } of strangeLines)
    notes.push(
      `${join(archive, segment)}: record ${line} of the frame at byte ${offset} was skipped: ${reason}`,
    )
  if (strange > strangeLines.length)
    notes.push(`${archive}: ${strange - strangeLines.length} more records were skipped`)
  return notes
}
