import { printable } from '../condense/printable.ts'
import type { CollectAnswer } from './collect-answer.ts'
import { repairedText, verifiedText } from './collect-archive.ts'
import { listText } from './collect-list.ts'
import { statusText } from './collect-status.ts'
import type { Screen } from './command.ts'
import { counted, homely, readableBytes } from './table.ts'

/** The answer to whatever was asked, for people. */
export function* collectText(answer: CollectAnswer, screen: Screen): Generator<string> {
  if (answer.list) yield* listText(answer.list, screen)
  else if (answer.status) yield* statusText(answer.status, screen)
  else if (answer.verified) yield* verifiedText(answer.verified, screen)
  else if (answer.repaired) yield* repairedText(answer.repaired, screen)
  else if (answer.imported) yield* importedText(answer.imported, screen)
  else if (answer.forgotten !== undefined)
    yield `Forgotten: ${placeOf(answer.forgotten, screen)}. What lies there stays.\n`
  else if (answer.schema !== undefined) yield `${JSON.stringify(answer.schema, null, 2)}\n`
  else if (answer.service !== undefined) yield answer.service
  else
    for (const each of answer.destinations ?? []) {
      if (each.url === 'stdout:') continue
      yield* deliveryText(each, answer.dryRun === true, screen)
    }
}

const placeOf = (url: string, { home }: Screen): string =>
  url.startsWith('file:') ? homely(url.slice('file:'.length), home) : url

function* deliveryText(
  each: NonNullable<CollectAnswer['destinations']>[number],
  dryRun: boolean,
  screen: Screen,
): Generator<string> {
  const place = placeOf(each.url, screen)
  const much = `${counted(each.records, 'record')} (${readableBytes(each.bytes)})`
  const rest = `${counted(each.unchanged, 'source')} unchanged.`
  if (dryRun) yield `Would deliver ${much} to ${place}; ${rest}\n`
  else if (each.records === 0)
    yield `${each.error === null ? 'Nothing new' : 'Nothing delivered'} for ${place}; ${rest}\n`
  else if (each.error === null) yield `Delivered ${much} to ${place}; ${rest}\n`
  else yield `Delivered ${much} to ${place}, and not the rest; ${rest}\n`
  const secrets = Object.values(each.redactions).reduce((sum, one) => sum + one, 0)
  const told = [
    secrets > 0 ? `${counted(secrets, 'secret')} taken out` : '',
    each.passedOver > 0 ? `${counted(each.passedOver, 'record')} from before the history you chose` : '',
    skippedText(each.skipped),
    each.stubs > 0 ? `${counted(each.stubs, 'record')} too large, sent as stubs` : '',
    each.malformed > 0 ? `${counted(each.malformed, 'line')} that are no JSON, sent as text` : '',
    each.quarantined > 0 ? `${counted(each.quarantined, 'record')} refused, see --status` : '',
    each.gone > 0 ? `${counted(each.gone, 'source')} gone since` : '',
  ].filter((one) => one !== '')
  if (told.length > 0) yield `  ${told.join('; ')}.\n`
}

function skippedText(skipped: Record<string, number>): string {
  const types = Object.entries(skipped)
    .sort((one, other) => other[1] - one[1])
    .map(([type, found]) => `${found.toLocaleString('en-US')} ${printable(type)}`)
  return types.length === 0 ? '' : `left out: ${types.join(', ')}`
}

/** Names that are shown of what could not be taken over. */
const NAMED = 5

function* importedText(all: NonNullable<CollectAnswer['imported']>, screen: Screen): Generator<string> {
  for (const { url, files, unknown, shorter, refused } of all) {
    yield `${placeOf(url, screen)} goes on where the other collector stopped in ${counted(files, 'file')}.\n`
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
