import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn, replaceOwn } from '../../io/own-files.ts'
import type { Environment } from '../../model/artifact.ts'
import { textDigest } from '../../model/item-key.ts'
import { asObject } from '../../model/json.ts'
import { identities } from '../../platforms/identities.ts'

/** The figures of a status line, as of the last update of the store. */
export interface StatusFigures {
  version: 1
  /** The time of that update, in ms. */
  at: number
  today: { day: string; cost: number | null; tokens: number }
  /** The block of five hours that was running then. */
  block: StatusBlock | null
  /** The cost of recent sessions, in US dollars, by id. */
  sessions: Record<string, number>
}

interface StatusBlock {
  untilMs: number
  cost: number | null
  tokens: number
  costPerHour: number | null
  projectedCost: number | null
}

const LARGEST = 256 * 1024

/** The folder of the status line's cached figures. */
export const statusFolder = (dataFolder: string): string => join(dataFolder, 'statusline')

/** Identifies the folders that are read, because each tree has its own figures. */
export const scopeOf = ({ home, variables, dirs, deleted, backups }: Environment): string =>
  textDigest(
    JSON.stringify([
      home,
      ...identities.flatMap((each) => each.variables.map((name) => variables[name])),
      dirs,
      deleted,
      backups,
    ]),
  ).toString(36)

const pathOf = (folder: string, scope: string): string => join(folder, `${scope}.json`)

/** The figures of a tree. Undefined if there are no usable ones. */
export function readFigures(folder: string, scope: string): StatusFigures | undefined {
  try {
    const found = asObject(JSON.parse(readOwn(pathOf(folder, scope), LARGEST)?.toString() ?? 'null'))
    const whole = asObject(found?.today) && asObject(found?.sessions)
    return found?.version === 1 && whole ? (found as unknown as StatusFigures) : undefined
  } catch {
    // A damaged file is rewritten.
    return undefined
  }
}

/** Throws the system's error. */
export function writeFigures(folder: string, scope: string, figures: StatusFigures): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceOwn(pathOf(folder, scope), JSON.stringify(figures))
}
