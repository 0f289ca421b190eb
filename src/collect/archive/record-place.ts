import type { Envelope } from '../../model/delivery.ts'
import { encodedName } from './names.ts'

/** Where a record is laid out: below the tree of its device and root. */
export interface Place {
  platform: string
  root: string
  below: string
}

/** What stands below the root of a platform; of several that fit a path the last place counts. */
const BELOW = {
  'claude-code': [/^(.*)\/((?:projects|todos|plans)\/.*)$/s, /^(.*)\/(history\.jsonl)$/s],
  openclaw: [
    /^(.*)\/(agents\/.*)$/s,
    /^(.*)\/((?:cron|subagents|state|workspace|workspace-[^/]+)\/.*)$/s,
    /^(.*)\/(sessions\/.*)$/s,
  ],
} as const

const DATABASE = 'agent/openclaw-agent.sqlite'

/** Undefined for kinds that are no file of their own. */
export function placeOf({ platform, path, kind, session }: Envelope): Place | undefined {
  const found = splitRoot(platform, path)
  if (!found) return undefined
  const [root, below] = found
  const database = new RegExp(`^(.*)/${DATABASE}(#.*)?$`, 's').exec(below)
  if (database) {
    const agent = named(database[1]!)
    if (kind === 'session-index' && database[2] === undefined)
      return { platform, root, below: `${agent}/sessions/sessions.json` }
    if (kind === 'transcript' && database[2] !== undefined)
      return { platform, root, below: `${agent}/sessions/${encodedName(session ?? 'unknown')}.jsonl` }
  }
  // Rows of other tables are no file of their own.
  if (/\.sqlite(?:#.*)?$/s.test(below)) return undefined
  return { platform, root, below: named(below).replace(/\.zst$/, '') }
}

function splitRoot(platform: string, path: string): [root: string, below: string] | undefined {
  if (platform !== 'claude-code' && platform !== 'openclaw') return undefined
  for (const pattern of BELOW[platform]) {
    const found = pattern.exec(withSlashes(path))
    if (found) return [found[1]!, found[2]!]
  }
  return undefined
}

/** Elsewhere a name may hold a backslash. */
const withSlashes = (path: string): string =>
  /^(?:[A-Za-z]:|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path

const named = (path: string): string => path.split('/').map(encodedName).join('/')

/** The tree of a device by its id, which is random. */
export const treeOfDevice = ({ platform, root }: Place, deviceId: string): string =>
  `${platform}/id-${encodedName(deviceId)}/${encodedName(root)}`

/** The tree of a machine by its name: records had no other device once, and several machines may have one name. */
export const treeOfHost = ({ platform, root }: Place, host: string): string =>
  `${platform}/host-${encodedName(host)}/${encodedName(root)}`
