import type { StoredDocument } from '../../stored.ts'
import type { Cell } from '../connection/connection.ts'
import { rowsIn, timeIn } from '../read/well-formed.ts'

/** A row of `artifact`. */
export interface FileRow {
  id: number
  version: number
  /** The version of the last batch. Later versions have the same messages. */
  written: number
  deleted: number
  revision: number
  device: string
  person: string
  /** A number for whoever wrote the row, so that others can tell. */
  writer: number
  /** When the row was written. Grows with every write of a device. */
  stamp: number
  path: string
  root: string
  platform: string
  agent: string
  session: string
  state: string
  facts: string
  generation: number
  /**
   * The last generation that was read to its end. Negative until what it repeats of earlier generations was
   * removed.
   */
  settled: number
  offset: number
  line: number
  size: number
  modified: number
  identity: string
  headLength: number
  head: string
  tail: string
  parser: number
  racy: number
  gone: number | null
  /** JSON of the lines of cuts, by generation. */
  cuts: string
  /** JSON of the versions of a memory document. */
  versions: string
  /** The session as JSON; empty if the file is none. */
  row: string
}

export const FILE_COLUMNS = [
  ...['id', 'version', 'written', 'deleted', 'revision', 'device', 'person', 'writer', 'stamp'],
  ...[
    'path',
    'root',
    'platform',
    'agent',
    'session',
    'state',
    'facts',
    'generation',
    'settled',
    'offset',
    'line',
    'size',
  ],
  ...['modified', 'identity', 'headLength', 'head', 'tail', 'parser', 'racy', 'gone', 'cuts', 'versions'],
  'row',
] as const satisfies readonly (keyof FileRow)[]

export function fileOf(values: readonly Cell[]): FileRow {
  return Object.fromEntries(FILE_COLUMNS.map((name, index) => [name, values[index]])) as unknown as FileRow
}

/** A generation of which a part was cut off: the line up to which it still belongs to the session. */
export interface Cut {
  generation: number
  /** `UNDECIDED` until the file was read to its end, `ALL` if nothing of the generation is left in it. */
  line: number
}

export const UNDECIDED = 0
export const ALL = Number.MAX_SAFE_INTEGER

export const cutsOf = ({ cuts }: Pick<FileRow, 'cuts'>): Cut[] =>
  cuts === '' ? [] : rowsIn<{ generation: number; line: number }>(cuts, ['generation', 'line'])

export const versionsOf = ({ versions }: Pick<FileRow, 'versions'>): StoredDocument['versions'] =>
  versions === ''
    ? []
    : rowsIn<{ number: number; at: number; bytes: number }>(versions, ['number', 'at', 'bytes']).filter(
        ({ at }) => timeIn(at) !== undefined,
      )
