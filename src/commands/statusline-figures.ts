import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn, replaceOwn } from '../io/own-files.ts'
import type { Environment } from '../model/artifact.ts'
import { textDigest } from '../model/item-key.ts'
import { asObject } from '../model/json.ts'

/** What a status line tells, as it was when the store was last brought up to date. */
export interface StatusFigures {
  version: 1
  /** When this was, in ms. */
  at: number
  today: { day: string; cost: number | null; tokens: number }
  /** The block of five hours that ran then. */
  block: StatusBlock | null
  /** What recent sessions cost, in US dollars, by id. */
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

/** Where all that the status line keeps lies. */
export const statusFolder = (dataFolder: string): string => join(dataFolder, 'statusline')

/** Names what is looked at: figures of one tree are none of another's. */
export const scopeOf = ({ home, variables, claudeDirs, deleted, backups }: Environment): string =>
  textDigest(JSON.stringify([home, variables.CLAUDE_CONFIG_DIR, claudeDirs, deleted, backups])).toString(36)

const pathOf = (folder: string, scope: string): string => join(folder, `${scope}.json`)

/** The figures of a tree; undefined where there are none that can be used. */
export function readFigures(folder: string, scope: string): StatusFigures | undefined {
  try {
    const found = asObject(JSON.parse(readOwn(pathOf(folder, scope), LARGEST)?.toString() ?? 'null'))
    const whole = asObject(found?.today) && asObject(found?.sessions)
    return found?.version === 1 && whole ? (found as unknown as StatusFigures) : undefined
  } catch {
    // Whatever lies there is made anew.
    return undefined
  }
}

/** Throws the system's error. */
export function writeFigures(folder: string, scope: string, figures: StatusFigures): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceOwn(pathOf(folder, scope), JSON.stringify(figures))
}
