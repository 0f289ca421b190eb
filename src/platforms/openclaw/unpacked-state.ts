import { join } from 'node:path'
import { listDirectory } from '../../io/directories.ts'
import type { RecordKind } from '../../model/delivery.ts'
import type { JsonObject } from '../../model/json.ts'
import { ROWS, unpackedRows } from '../unpacked-rows.ts'
import { hasFolder } from './files.ts'

/** The file that the rows of the state database of one kind are unpacked to, in its folder. */
export const unpackedState = (kind: RecordKind): string => `${kind}${ROWS}`

/**
 * The rows of the state database as an archive has them. Undefined where nothing was unpacked. Throws the
 * system's error.
 */
export const unpackedStateRows = (root: string, kind: RecordKind): JsonObject[] | undefined =>
  hasFolder(root, listDirectory(root).entries, 'state')
    ? unpackedRows(join(root, 'state'), unpackedState(kind))
    : undefined
