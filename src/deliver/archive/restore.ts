import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Contents, contentsOf } from '../../io/archive/contents.ts'
import { headAt } from '../../io/archive/manifest.ts'
import type { SegmentPosition } from '../../io/archive/segments.ts'
import { makeFolders, replaceOwn } from '../../io/own-files.ts'
import { readSmall } from '../../io/source.ts'
import { identities } from '../../platforms/identities.ts'
import { createLayout, type TreeOrigin, type UnpackedTrees } from './layout.ts'
import { type ArchiveFaults, addStrange, archiveFrames, envelopeOf, NO_RECORD, noFaults } from './records.ts'

/** How far an archive was unpacked, the faults up to there, and the lines and generation of each file. */
interface Progress extends UnpackedTrees {
  version: 10
  faults: ArchiveFaults
  at?: {
    segment: string
    /** Where the last frame begins, and what follows it. `chain` in hex. */
    last: number
    position: Omit<SegmentPosition, 'chain'> & { chain?: string | undefined }
  }
}

interface Restored extends ArchiveFaults {
  /** The roots that were unpacked, by platform. */
  dirs: Record<string, string[]>
  /** Where each of these roots comes from. */
  origins: ReadonlyMap<string, TreeOrigin>
  records: number
}

const PROGRESS = 'progress.json'
const LARGEST = 1024 * 1024 * 1024
/** Limits for unpacked data: a fixed number of bytes, or a multiple of the archive's size. */
const ALWAYS = 64 * 1024 * 1024
const MOST_TIMES = 100

/**
 * Unpacks an archive into the directory trees it was made from, so that everything that reads those can read
 * it: a folder per device and root, with the files and their lines in place. Only reads what is new since the
 * last time. A session from a database becomes a file of its own. Missing lines stay empty, so that line
 * numbers are kept. A record that cannot be unpacked is reported in `strangeLines` and does not stop the
 * others. A rewritten file has the lines of all its generations.
 */
export function restoreArchive(archive: string, folder: string): Restored {
  const contents = contentsOf(archive)
  const progress = progressFor(folder, contents)
  const { faults } = progress
  // Files and torn ends may have been repaired since.
  faults.files = []
  faults.torn = []
  makeFolders(folder)
  let records = 0
  let allowed = ALWAYS
  const layout = createLayout(folder, progress)
  const room = (bytes: number): number => {
    allowed += bytes * MOST_TIMES
    return allowed - layout.bytes()
  }
  try {
    for (const frame of archiveFrames(archive, faults, { contents, room, after: positionIn(progress) })) {
      const { segment, offset, lines, end } = frame
      for (const [index, line] of lines.entries()) {
        const envelope = envelopeOf(line)
        const reason = envelope ? layout.add(envelope, line, allowed) : NO_RECORD
        if (reason === undefined) records++
        else addStrange(faults, { segment, offset, line: index + 1, reason })
      }
      progress.at = { segment, last: offset, position: { ...end, chain: end.chain?.toString('hex') } }
    }
    faults.damaged = distinct(faults.damaged)
    const save = (): void => replaceOwn(join(folder, PROGRESS), JSON.stringify(progress))
    layout.finish(save)
    save()
  } finally {
    layout.close()
  }
  const origins = new Map(
    Object.entries(progress.origins).map(([tree, origin]) => [join(folder, tree), origin] as const),
  )
  return { ...faults, records, dirs: rootsOf(Object.keys(progress.files), folder), origins }
}

/** The progress of the last time if it belongs to this archive, else the beginning. */
function progressFor(folder: string, contents: Contents): Progress {
  const known = readProgress(join(folder, PROGRESS))
  if (known && canResume(known, contents)) return known
  rmSync(folder, { recursive: true, force: true })
  return { version: 10, files: {}, claims: {}, unmerged: [], origins: {}, faults: noFaults() }
}

function readProgress(path: string): Progress | undefined {
  try {
    const content = existsSync(path) ? readSmall(path, LARGEST) : undefined
    const known = content && (JSON.parse(content.toString('utf8')) as Progress)
    return known?.version === 10 ? known : undefined
  } catch {
    return undefined
  }
}

function canResume({ at }: Progress, { segments }: Contents): boolean {
  if (!at) return true
  const segment = segments.find(({ name }) => name === at.segment)
  const head = segment && headAt(segment.path, at.last)
  return head?.type === 'first'
    ? at.position.chain === undefined
    : head?.type === 'lines' && head.seal.toString('hex') === at.position.chain
}

const positionIn = ({ at }: Progress) =>
  at && {
    segment: at.segment,
    position: {
      ...at.position,
      chain: at.position.chain === undefined ? undefined : Buffer.from(at.position.chain, 'hex'),
    },
  }

/** Damage at the end of the archive is found every time, so it is reported once. */
const distinct = (damaged: ArchiveFaults['damaged']): ArchiveFaults['damaged'] => [
  ...new Map(damaged.map((each) => [`${each.segment} ${each.offset} ${each.what}`, each])).values(),
]

export function rootsOf(names: readonly string[], folder: string): Restored['dirs'] {
  const roots = new Set(names.map((name) => name.split('/').slice(0, 3).join('/')))
  const of = (platform: string): string[] =>
    [...roots].filter((root) => root.startsWith(`${platform}/`)).map((root) => join(folder, root))
  return Object.fromEntries(identities.map(({ id }) => [id, of(id)]))
}
