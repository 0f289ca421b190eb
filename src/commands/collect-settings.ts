import { join } from 'node:path'
import type { RecordSettings } from '../collect/delivery/slice.ts'
import { ScrollbackError } from '../errors.ts'
import type { RedactSettings } from '../redact/settings.ts'
import { normalAddress, type SinkOptions } from '../sinks/index.ts'
import type { Context } from './command.ts'
import { parseTime } from './time.ts'

/** What one destination is to get, from flags and configuration. */
export interface DestinationSettings extends SinkOptions {
  /** Its normal address. */
  url: string
  /** `all`, `none` or a span; needed the first time. */
  history?: string
  maxRecords: number
  maxBytes: number
  normalized: boolean
}

export interface CollectSettings {
  destinations: DestinationSettings[]
  state: string
  device: string
  redact: RedactSettings
}

const MAX_RECORDS = 200
const MAX_BYTES = 5 * 1024 * 1024
const UNITS: Record<string, number> = { '': 1, k: 1024, m: 1024 * 1024, g: 1024 ** 3 }

/** `5MB`, `512k` or a plain number, in bytes; undefined for anything else. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)i?b?$/i.exec(text.trim())
  return match ? Math.floor(Number(match[1]) * UNITS[match[2]!.toLowerCase()]!) : undefined
}

/** The moment from which on records are wanted, in ms; null for all of them. */
export function historyFrom(history: string, now: number): number | null {
  if (history === 'all') return null
  if (history === 'none') return now
  return parseTime(history, 'since', now)
}

export interface CollectFlags {
  destination: readonly string[]
  history?: string
  state?: string
  device?: string
  redact?: RedactSettings['level']
  identities: boolean
  normalized: boolean
  maxRecords?: number
  maxBytes?: string
  recordLimit?: string
  tokenEnv?: string
  tokenFile?: string
}

/** What the flags say, over what the configuration says. */
export function settingsFrom(flags: CollectFlags, context: Context): CollectSettings {
  const folder = context.dataFolder
  const bytes = (name: string, text: string | undefined): number | undefined => {
    const found = text === undefined ? undefined : parseBytes(text)
    if (text !== undefined && !found)
      throw new ScrollbackError(
        'bad-option',
        `--${name} ${text}: no size`,
        'Write 5MB, 512k or a number of bytes.',
      )
    return found
  }
  const addresses = flags.destination.length > 0 ? flags.destination : [`file:${join(folder, 'archive')}`]
  const { home } = context.environment
  const urls = addresses.map((address) => normalAddress(address, { home, directory: context.directory }))
  return {
    state: flags.state ?? join(folder, 'collect.sqlite'),
    device: flags.device ?? context.machine.device,
    redact: { level: flags.redact ?? (context.redact ? 'standard' : 'off'), identities: flags.identities },
    destinations: [...new Set(urls)].map((url) => ({
      url,
      history: flags.history,
      maxRecords: flags.maxRecords || MAX_RECORDS,
      maxBytes: bytes('max-bytes', flags.maxBytes) ?? MAX_BYTES,
      recordLimit: bytes('record-limit', flags.recordLimit),
      normalized: flags.normalized,
      tokenEnv: flags.tokenEnv,
      tokenFile: flags.tokenFile,
    })),
  }
}

/** How records are made for one destination. */
export const recordSettings = (
  { device, redact }: CollectSettings,
  destination: DestinationSettings,
  { historyFromMs, tagKey, recordLimit }: Pick<RecordSettings, 'historyFromMs' | 'tagKey' | 'recordLimit'>,
  { environment, machine }: Context,
): RecordSettings => ({
  device,
  home: environment.home,
  users: [machine.user],
  redact,
  tagKey,
  historyFromMs,
  recordLimit,
  normalized: destination.normalized,
  maxRecords: destination.maxRecords,
  maxBytes: destination.maxBytes,
})
