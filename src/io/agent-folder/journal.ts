import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asObject, parsedJson } from '../../model/json.ts'
import { listDirectory } from '../directories.ts'
import { makeFolders, readOwn, replaceOwn } from '../own-files.ts'

/** What one step changes. Paths below the root are separated by `/`. */
export type Step =
  /** A file gets another content, or is created (`before: null`). */
  | {
      type: 'write'
      root: string
      below: string
      before: string | null
      after: string
      /** The complete new file, next to the old one. Of a removed file, the one that comes back. */
      draft: string
      backup: string
    }
  | { type: 'remove'; root: string; below: string; before: string; draft: string; backup: string }
  /** A file or folder that is not opened gets another name. `before` is its identity. */
  | { type: 'rename'; root: string; below: string; to: string; before: string }
  /** A folder is removed if nothing is left in it. */
  | { type: 'clear'; root: string; below: string; mode: number }

/**
 * What is being changed, or was changed last. `preparing`: only drafts and folders exist, which are deleted
 * after an interruption. `ready`: everything is prepared, so that an interruption is completed. `done`: it
 * can be undone. `undoing`: an interruption is completed backward.
 */
export interface Journal {
  version: 1
  state: 'preparing' | 'ready' | 'done' | 'undoing'
  /** The command, in words, and when it ran (ISO 8601). */
  command: string
  at: string
  /** The folder of the backups, by name. */
  backups: string
  steps: Step[]
  /** Which of the files that it creates the store knew before. Absent if the store could not be asked. */
  stored?: string[]
  /** Folders that are created, from the outside in. */
  folders: { root: string; below: string }[]
}

const FOLDER = 'changes'
const JOURNAL = 'journal.json'
const BACKUPS = 'backup-'
const LARGEST = 256 * 1024 * 1024

const pathOf = (dataFolder: string): string => join(dataFolder, FOLDER, JOURNAL)

/** A new name for the folder of backups. */
export const backupsName = (): string => `${BACKUPS}${randomBytes(8).toString('hex')}`

export const backupsOf = (dataFolder: string, { backups }: Pick<Journal, 'backups'>): string =>
  join(dataFolder, FOLDER, backups)

/** The journal is not as it was written, so that nothing can be completed or taken back. */
export class DamagedJournal extends Error {
  readonly code = 'ERR_JOURNAL'
}

/** The change that was made last. Undefined if there is none. Throws `DamagedJournal`. */
export function readJournal(dataFolder: string): Journal | undefined {
  const path = pathOf(dataFolder)
  const content = readOwn(path, LARGEST)
  if (!content) return undefined
  const journal = asObject(parsedJson(content.toString('utf8'))) as Journal | undefined
  if (journal?.version !== 1 || !Array.isArray(journal.steps) || !/^backup-[0-9a-f]+$/.test(journal.backups))
    throw new DamagedJournal(`${path} is damaged, or of another version`)
  return journal
}

export function writeJournal(dataFolder: string, journal: Journal): void {
  const backups = backupsOf(dataFolder, journal)
  if (!existsSync(backups)) makeFolders(backups)
  replaceOwn(pathOf(dataFolder), JSON.stringify(journal))
}

/** Deletes the journal, and then the backups. */
export function dropJournal(dataFolder: string, journal: Journal): void {
  rmSync(pathOf(dataFolder), { force: true })
  rmSync(backupsOf(dataFolder, journal), { recursive: true, force: true })
}

/** Deletes everything about changes. */
export const dropAll = (dataFolder: string): void =>
  rmSync(join(dataFolder, FOLDER), { recursive: true, force: true })

/** Deletes the backups of former changes. */
export function dropOtherBackups(dataFolder: string, { backups }: Journal): void {
  for (const { name } of listDirectory(join(dataFolder, FOLDER)).entries)
    if (name.startsWith(BACKUPS) && name !== backups)
      rmSync(join(dataFolder, FOLDER, name), { recursive: true, force: true })
}
