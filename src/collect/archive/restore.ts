import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Contents, contentsOf } from '../../io/archive/contents.ts'
import { headAt } from '../../io/archive/first-format.ts'
import { replaceOwn } from '../../io/own-files.ts'
import type { SegmentPlace } from '../../io/segment-walk.ts'
import { readSmall } from '../../io/source.ts'
import { createLayout, type LaidOut } from './layout.ts'
import { type ArchiveFaults, addStrange, archiveFrames, envelopeOf, NO_RECORD, noFaults } from './records.ts'

/** How far an archive was laid out, what was wrong with it up to there, and of each file how many lines of which generation. */
interface Progress extends LaidOut {
  version: 3
  faults: ArchiveFaults
  at?: {
    segment: string
    /** Where the last frame begins, and what is behind it; `chain` in hex. */
    last: number
    place: Omit<SegmentPlace, 'chain'> & { chain?: string | undefined }
  }
}

export interface Restored extends ArchiveFaults {
  claudeDirs: string[]
  openclawDirs: string[]
  records: number
}

const PROGRESS = 'progress.json'
const LARGEST = 1024 * 1024 * 1024
/** What is laid out takes so many bytes at most, and so many times those of the archive. */
const ALWAYS = 64 * 1024 * 1024
const MOST_TIMES = 100

/**
 * Lays an archive out as the trees it was made of, so that everything that reads those reads it: per device and root a folder, in it the
 * files with their lines where they were. Only what is new in the archive since the last time is read. A session out of a database
 * becomes a file of its own. What an archive leaves out stays an empty line, so that a line keeps its number. A record that cannot be
 * laid out is reported in `strangeLines`; the others are laid out. A file that was written anew has the lines of all its generations.
 */
export function restoreArchive(archive: string, folder: string): Restored {
  const contents = contentsOf(archive)
  const progress = progressFor(folder, contents)
  const { faults } = progress
  // Files and tails may have been mended since.
  faults.files = []
  faults.torn = []
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let records = 0
  let allowed = ALWAYS
  const layout = createLayout(folder, progress)
  const room = (bytes: number): number => {
    allowed += bytes * MOST_TIMES
    return allowed - layout.bytes()
  }
  try {
    for (const frame of archiveFrames(archive, faults, { contents, room, after: placeIn(progress) })) {
      const { segment, offset, lines, behind } = frame
      for (const [index, line] of lines.entries()) {
        const envelope = envelopeOf(line)
        const reason = envelope ? layout.add(envelope, line, allowed) : NO_RECORD
        if (reason === undefined) records++
        else addStrange(faults, { segment, offset, line: index + 1, reason })
      }
      progress.at = { segment, last: offset, place: { ...behind, chain: behind.chain?.toString('hex') } }
    }
    faults.damaged = onceEach(faults.damaged)
    const save = (): void => replaceOwn(join(folder, PROGRESS), JSON.stringify(progress))
    layout.finish(save)
    save()
  } finally {
    layout.close()
  }
  return { ...faults, records, ...rootsOf(Object.keys(progress.files), folder) }
}

/** Where it was left, when the archive is still the one that was read; from the beginning otherwise. */
function progressFor(folder: string, contents: Contents): Progress {
  const known = readProgress(join(folder, PROGRESS))
  if (known && goesOn(known, contents)) return known
  rmSync(folder, { recursive: true, force: true })
  return { version: 3, files: {}, claims: {}, unmerged: [], faults: noFaults() }
}

function readProgress(path: string): Progress | undefined {
  try {
    const content = existsSync(path) ? readSmall(path, LARGEST) : undefined
    const known = content && (JSON.parse(content.toString('utf8')) as Progress)
    return known?.version === 3 ? known : undefined
  } catch {
    return undefined
  }
}

function goesOn({ at }: Progress, { segments }: Contents): boolean {
  if (!at) return true
  const segment = segments.find(({ name }) => name === at.segment)
  const head = segment && headAt(segment.path, at.last)
  return head?.type === 'first'
    ? at.place.chain === undefined
    : head?.type === 'lines' && head.seal.toString('hex') === at.place.chain
}

const placeIn = ({ at }: Progress) =>
  at && {
    segment: at.segment,
    place: {
      ...at.place,
      chain: at.place.chain === undefined ? undefined : Buffer.from(at.place.chain, 'hex'),
    },
  }

/** What is damaged at the end is met each time. */
const onceEach = (damaged: ArchiveFaults['damaged']): ArchiveFaults['damaged'] => [
  ...new Map(damaged.map((each) => [`${each.segment} ${each.offset} ${each.what}`, each])).values(),
]

function rootsOf(names: readonly string[], folder: string): Pick<Restored, 'claudeDirs' | 'openclawDirs'> {
  const roots = new Set(names.map((name) => name.split('/').slice(0, 3).join('/')))
  const of = (platform: string): string[] =>
    [...roots].filter((root) => root.startsWith(`${platform}/`)).map((root) => join(folder, root))
  return { claudeDirs: of('claude-code'), openclawDirs: of('openclaw') }
}
