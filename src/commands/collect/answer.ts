import * as z from 'zod/mini'
import { shownName } from '../../model/hidden.ts'
import { counted, homely, readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { repairedShape, repairedText, verifiedShape, verifiedText } from './archive.ts'
import { listShape, listText, statusShape, statusText } from './status.ts'

const count = () => z.number()
const counts = () => z.record(z.string(), z.number())

const deliveryShape = () =>
  z.object({
    url: z.string(),
    error: z.nullable(z.string()),
    records: count(),
    bytes: count(),
    batches: count(),
    stubs: count(),
    quarantined: count(),
    retries: count(),
    read: count(),
    passedOver: count(),
    malformed: count(),
    /** Records of sessions that were forgotten, here or at the destination. */
    forgotten: count(),
    sources: count(),
    unchanged: count(),
    gone: count(),
    /** Skipped records, by type. */
    skipped: counts(),
    redactions: counts(),
    faults: z.array(z.object({ path: z.string(), fault: z.string() })),
  })

const importedShape = () =>
  z.object({
    url: z.string(),
    files: count(),
    unknown: z.array(z.string()),
    shorter: z.array(z.string()),
    refused: z.array(z.object({ path: z.string(), reason: z.string() })),
  })

/** Each mode of the command has its own part of the answer. */
export const collectShape = () =>
  z.object({
    version: z.literal(1),
    state: z.string(),
    dryRun: z.optional(z.boolean()),
    destinations: z.optional(z.array(deliveryShape())),
    list: z.optional(listShape()),
    status: z.optional(statusShape()),
    verified: z.optional(verifiedShape()),
    repaired: z.optional(repairedShape()),
    imported: z.optional(z.array(importedShape())),
    /** The address of the forgotten destination. */
    forgotten: z.optional(z.string()),
    schema: z.optional(z.unknown()),
    service: z.optional(z.string()),
  })

export type CollectAnswer = z.output<ReturnType<typeof collectShape>>

/** Renders the answer of any mode for people. */
export function* collectText(answer: CollectAnswer, screen: Screen): Generator<string> {
  if (answer.list) yield* listText(answer.list, screen)
  else if (answer.status) yield* statusText(answer.status, screen)
  else if (answer.verified) yield* verifiedText(answer.verified, screen)
  else if (answer.repaired) yield* repairedText(answer.repaired, screen)
  else if (answer.imported) yield* importedText(answer.imported, screen)
  else if (answer.forgotten !== undefined)
    yield `Forgotten: ${addressOf(answer.forgotten, screen)}. Its data remains.\n`
  else if (answer.schema !== undefined) yield `${JSON.stringify(answer.schema, null, 2)}\n`
  else if (answer.service !== undefined) yield answer.service
  else
    for (const each of answer.destinations ?? []) {
      if (each.url === 'stdout:') continue
      yield* deliveryText(each, answer.dryRun === true, screen)
    }
}

const addressOf = (url: string, { home }: Screen): string =>
  url.startsWith('file:') ? homely(url.slice('file:'.length), home) : url

function* deliveryText(
  report: NonNullable<CollectAnswer['destinations']>[number],
  dryRun: boolean,
  screen: Screen,
): Generator<string> {
  const address = addressOf(report.url, screen)
  const isSpace = report.url.startsWith('clickhouse:')
  const what = isSpace ? 'message' : 'record'
  const isAll = report.error === null && report.quarantined === 0
  const much = `${counted(report.records, what)} (${readableBytes(report.bytes)})`
  const rest = `${counted(report.unchanged, 'source')} unchanged.`
  if (dryRun) yield `Would deliver ${much} to ${address}; ${rest}\n`
  else if (report.records === 0)
    yield `${isAll ? 'Nothing new' : 'Nothing delivered'} for ${address}; ${rest}\n`
  else if (isAll) yield `Delivered ${much} to ${address}; ${rest}\n`
  else yield `Delivered ${much} to ${address}, but not all; ${rest}\n`
  const secrets = Object.values(report.redactions).reduce((sum, one) => sum + one, 0)
  const details = [
    secrets > 0 ? `${counted(secrets, 'secret')} redacted` : '',
    report.passedOver > 0 ? `${counted(report.passedOver, 'record')} from before the history you chose` : '',
    report.forgotten > 0
      ? isSpace
        ? `${counted(report.forgotten, 'file')} refused, of sessions that were forgotten there or are too old`
        : `${counted(report.forgotten, 'record')} of forgotten sessions left out`
      : '',
    skippedText(report.skipped),
    report.stubs > 0 ? `${counted(report.stubs, 'record')} too large, sent as stubs` : '',
    report.malformed > 0 ? `${counted(report.malformed, 'line')} not JSON, sent as text` : '',
    report.quarantined > 0 ? `${counted(report.quarantined, 'record')} refused, see collect status` : '',
    report.gone > 0 ? `${counted(report.gone, 'source')} ${isSpace ? 'removed there' : 'deleted since'}` : '',
  ].filter((one) => one !== '')
  if (details.length > 0) yield `  ${details.join('; ')}.\n`
}

function skippedText(skipped: Record<string, number>): string {
  const types = Object.entries(skipped)
    .sort((one, other) => other[1] - one[1])
    .map(([type, found]) => `${found.toLocaleString('en-US')} ${shownName(type)}`)
  return types.length === 0 ? '' : `skipped: ${types.join(', ')}`
}

/** How many names are shown of what could not be imported. */
const NAMED = 5

function* importedText(all: NonNullable<CollectAnswer['imported']>, screen: Screen): Generator<string> {
  for (const { url, files, unknown, shorter, refused } of all) {
    yield `${addressOf(url, screen)} resumes after the other collector in ${counted(files, 'file')}.\n`
    if (shorter.length > 0)
      yield `  Shorter than it says, so delivered from their beginning: ${named(shorter)}\n`
    if (unknown.length > 0) yield `  Not here, or none that is collected: ${named(unknown)}\n`
    for (const { path, reason } of refused.slice(0, NAMED)) yield `  ${path}: ${reason}\n`
    if (refused.length > NAMED)
      yield `  … and ${counted(refused.length - NAMED, 'entry')} more that could not be taken over; --json names them\n`
  }
}

const named = (paths: readonly string[]): string =>
  `${paths.slice(0, NAMED).join(', ')}${paths.length > NAMED ? `, and ${paths.length - NAMED} more` : ''}`
