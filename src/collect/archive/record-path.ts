import type { Envelope } from '../../model/delivery.ts'
import { identityOf } from '../../platforms/identities.ts'
import { platformOf } from '../../platforms/index.ts'
import { rowFor } from '../delivery/table-row.ts'
import { encodedName } from './names.ts'

/** Where a record is unpacked: below the tree of its device and root. */
export interface RecordPath {
  platform: string
  root: string
  below: string
  /** Whether the record is a whole file rather than a line. */
  whole: boolean
}

/** Undefined for kinds without a file of their own. */
export function recordPathOf({ platform, path, kind, session }: Envelope): RecordPath | undefined {
  const found = splitRoot(platform, path)
  if (!found) return undefined
  const [root, below] = found
  const { delivery } = platformOf(platform)
  const whole = kind !== 'transcript' && rowFor(below, delivery.table, [kind])?.mode !== 'incremental'
  const file = delivery.fileOf?.(below, kind, session)
  if (file) return { platform, root, below: file.map(encodedName).join('/'), whole }
  // Rows of other tables have no file of their own.
  if (/\.sqlite(?:#.*)?$/s.test(below)) return undefined
  return { platform, root, below: named(below).replace(/\.zst$/, ''), whole }
}

function splitRoot(platform: string, path: string): [root: string, below: string] | undefined {
  for (const pattern of identityOf(platform).below) {
    const found = pattern.exec(withSlashes(path))
    if (found) return [found[1]!, found[2]!]
  }
  return undefined
}

/** On other systems a name may contain a backslash. */
const withSlashes = (path: string): string =>
  /^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path

const named = (path: string): string => path.split('/').map(encodedName).join('/')

/** The tree of a device, named after its random id. */
export const treeOfDevice = ({ platform, root }: RecordPath, deviceId: string): string =>
  `${platform}/id-${encodedName(deviceId)}/${encodedName(root)}`

/** The tree of a host, for old records without a device id. Several machines may share its name. */
export const treeOfHost = ({ platform, root }: RecordPath, host: string): string =>
  `${platform}/host-${encodedName(host)}/${encodedName(root)}`
