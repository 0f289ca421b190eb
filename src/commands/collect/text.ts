import { counted, homely, readableBytes } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import type { CollectAnswer } from './answer.ts'
import { repairedText, verifiedText } from './archive.ts'
import { listText } from './list.ts'
import { statusText } from './status.ts'

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
  const what = report.url.startsWith('clickhouse:') ? 'message' : 'record'
  const much = `${counted(report.records, what)} (${readableBytes(report.bytes)})`
  const rest = `${counted(report.unchanged, 'source')} unchanged.`
  if (dryRun) yield `Would deliver ${much} to ${address}; ${rest}\n`
  else if (report.records === 0)
    yield `${report.error === null ? 'Nothing new' : 'Nothing delivered'} for ${address}; ${rest}\n`
  else if (report.error === null) yield `Delivered ${much} to ${address}; ${rest}\n`
  else yield `Delivered ${much} to ${address}, but not all; ${rest}\n`
  const secrets = Object.values(report.redactions).reduce((sum, one) => sum + one, 0)
  const details = [
    secrets > 0 ? `${counted(secrets, 'secret')} redacted` : '',
    report.passedOver > 0 ? `${counted(report.passedOver, 'record')} from before the history you chose` : '',
    report.forgotten > 0 ? `${counted(report.forgotten, 'record')} of forgotten sessions left out` : '',
    skippedText(report.skipped),
    report.stubs > 0 ? `${counted(report.stubs, 'record')} too large, sent as stubs` : '',
    report.malformed > 0 ? `${counted(report.malformed, 'line')} not JSON, sent as text` : '',
    report.quarantined > 0 ? `${counted(report.quarantined, 'record')} refused, see --status` : '',
    report.gone > 0 ? `${counted(report.gone, 'source')} deleted since` : '',
  ].filter((one) => one !== '')
  if (details.length > 0) yield `  ${details.join('; ')}.\n`
}

function skippedText(skipped: Record<string, number>): string {
  const types = Object.entries(skipped)
    .sort((one, other) => other[1] - one[1])
    .map(([type, found]) => `${found.toLocaleString('en-US')} ${printable(type)}`)
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
