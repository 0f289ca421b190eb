import { existsSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Reports } from '../../context/context.ts'
import { lockArchive } from '../../deliver/archive/own-archives.ts'
import { isSound, verifyArchive } from '../../deliver/archive/records.ts'
import { type Repaired, repairArchive } from '../../deliver/archive/rewrite.ts'
import { ScrollbackError } from '../../errors.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { stateOf } from '../../io/archive/directory.ts'
import { segmentsIn } from '../../io/archive/segments.ts'
import { shortName, shownName } from '../../model/hidden.ts'
import { counted, grouped, homely, readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { SEGMENT_BYTES } from '../../sinks/file.ts'

const count = () => z.number()
const counts = () => z.record(z.string(), z.number())
const fileFault = () =>
  z.object({ name: z.string(), what: z.string(), state: z.enum(['missing', 'damaged', 'foreign']) })
const repairedSegment = () =>
  z.object({ name: z.string(), at: z.string(), recovered: count(), lost: z.nullable(count()) })

export const verifiedShape = () =>
  z.object({
    folder: z.string(),
    id: z.optional(z.string()),
    segments: count(),
    frames: count(),
    bytes: count(),
    records: count(),
    distinct: count(),
    stubs: count(),
    strange: count(),
    kinds: counts(),
    devices: counts(),
    files: z.array(fileFault()),
    damaged: z.array(
      z.object({
        segment: z.string(),
        offset: count(),
        bytes: count(),
        records: z.nullable(count()),
        what: z.string(),
      }),
    ),
    torn: z.array(z.object({ segment: z.string(), bytes: count() })),
    strangeLines: z.array(
      z.object({ segment: z.string(), offset: count(), line: count(), reason: z.string() }),
    ),
    repaired: z.array(repairedSegment()),
  })

export const repairedShape = () =>
  z.object({
    folder: z.string(),
    files: z.array(z.string()),
    segments: z.array(repairedSegment()),
    kept: z.array(z.string()),
  })

type VerifiedAnswer = z.output<ReturnType<typeof verifiedShape>>
type RepairedAnswer = z.output<ReturnType<typeof repairedShape>>

/** Checks every bit of an archive. */
export function verified(folder: string, { progress, partly }: Reports): VerifiedAnswer {
  refuseOther('collect verify', folder)
  progress?.start('Verifying', 0)
  const found = verifyArchive(folder, progress?.advance)
  progress?.stop()
  if (!isSound(found)) partly?.()
  return { folder, ...found }
}

/** Recovers the intact records of a damaged archive. */
export async function repaired(folder: string, { partly }: Reports): Promise<RepairedAnswer> {
  refuseOther('collect repair', folder)
  const lock = lockArchive(folder)
  try {
    const done: Repaired = await repairArchive(folder, { segmentBytes: SEGMENT_BYTES, nowMs: Date.now })
    if (done.segments.some(({ lost }) => lost !== 0)) partly?.()
    return { folder, ...done }
  } finally {
    lock.release()
  }
}

function refuseOther(option: string, folder: string): void {
  const { type } = existsSync(folder) ? stateOf(folder) : { type: 'missing' as const }
  const any = type !== 'missing' && (segmentsIn(folder).length > 0 || contentsOf(folder).id !== undefined)
  if (any && (option === 'collect verify' || type !== 'foreign')) return
  throw new ScrollbackError(
    'bad-option',
    `${option} ${folder}: not an archive`,
    'Give a directory that "scrollback collect" delivered to.',
  )
}

export function* verifiedText(each: VerifiedAnswer, { home, suggest }: Screen): Generator<string> {
  yield `${homely(each.folder, home)}: ${isSound(each) ? 'whole' : 'damaged'}\n`
  yield `  ${grouped(each.records)} records in ${counted(each.segments, 'segment')} (${readableBytes(each.bytes)}), ${grouped(each.distinct)} by different ids\n`
  for (const [kind, number] of Object.entries(each.kinds).sort(([, a], [, b]) => b - a))
    yield `  ${grouped(number).padStart(12)}  ${shortName(kind)}\n`
  const devices = Object.entries(each.devices)
  if (devices.length > 1)
    yield `  of ${devices.map(([name, number]) => `${shortName(name)} (${grouped(number)})`).join(', ')}\n`
  if (each.stubs > 0) yield `  ${counted(each.stubs, 'record')} only as stubs\n`
  for (const { name, what } of each.files) yield `  ${shownName(name)}: ${shownName(what)}\n`
  for (const { segment, offset, records, what } of each.damaged)
    yield `  ${segment}: damaged at byte ${offset}: ${what}; ${lostText(records)}\n`
  for (const { segment, bytes } of each.torn)
    yield `  ${segment}: the last ${bytes} bytes are a write that was never finished or acknowledged; the next delivery cuts them off\n`
  for (const { segment, offset, line, reason } of each.strangeLines)
    yield `  ${segment}: record ${line} of the frame at byte ${offset}: ${shownName(reason)}\n`
  if (each.strange > each.strangeLines.length)
    yield `  ${counted(each.strange - each.strangeLines.length, 'more record')} that are none\n`
  for (const one of each.repaired) yield `  ${repairedLine(one)}, repaired ${one.at.slice(0, 10)}\n`
  if (!isSound(each)) yield `To recover the intact records: ${suggest('collect', ['repair', each.folder])}\n`
}

export function* repairedText(
  { folder, files, segments, kept }: RepairedAnswer,
  { home }: Screen,
): Generator<string> {
  const path = homely(folder, home)
  if (files.length === 0 && segments.length === 0) {
    yield `${path}: nothing to repair\n`
    return
  }
  yield `${path}: repaired\n`
  for (const file of files) yield `  ${file}; it was recreated\n`
  for (const each of segments) yield `  ${repairedLine(each)}\n`
  for (const path of kept) yield `  the original was moved to ${homely(path, home)}\n`
  if (segments.some(({ lost }) => lost !== 0))
    yield 'To deliver lost records that are still on this machine again, collect with --redeliver.\n'
}

const repairedLine = ({ name, recovered, lost }: RepairedAnswer['segments'][number]): string =>
  `${name}: ${counted(recovered, 'record')} recovered, ${lost === null ? 'an unknown number lost' : `${grouped(lost)} lost`}`

const lostText = (records: number | null): string =>
  records === null
    ? 'an unknown number of records missing'
    : records === 0
      ? 'no record missing'
      : `${counted(records, 'record')} missing`
