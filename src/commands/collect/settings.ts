import { hash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { RecordSettings } from '../../collect/delivery/slice.ts'
import { keysAt } from '../../collect/forgotten.ts'
import type { RedactSettings } from '../../redact/find-settings.ts'
import { normalAddress, type SinkOptions } from '../../sinks/index.ts'
import type { Machine, Storage, Wishes } from '../kit/context.ts'
import { sizeOf } from '../kit/sinks.ts'
import { parseTime } from '../kit/time.ts'
import type { Configuration } from './config.ts'

/** What one destination receives, from flags and configuration. */
export interface DestinationSettings extends SinkOptions {
  /** Its normalized address. */
  url: string
  /** `all`, `none` or a span. Required the first time. */
  history?: string
  maxRecords: number
  maxBytes: number
  normalized: boolean
  /** Types of records to skip. */
  skip?: string[]
}

export interface CollectSettings {
  destinations: DestinationSettings[]
  state: string
  device: string
  redact: RedactSettings
}

const MAX_RECORDS = 200
const MAX_BYTES = 5 * 1024 * 1024

/** The time from which records are delivered, in ms. Null for all records. */
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
  skip?: string
  maxRecords?: number
  maxBytes?: string
  recordLimit?: string
  tokenEnv?: string
  tokenFile?: string
  compression?: SinkOptions['compression']
}

/** Combines the settings: flags override the configuration, which overrides the defaults. */
export function settingsFrom(
  flags: CollectFlags,
  given: Configuration,
  context: Machine & Storage & Wishes,
): CollectSettings {
  const { home } = context.environment
  const folder = context.dataFolder
  const named = flags.destination.map(
    (url) => given.destinations?.find((each) => each.url === url) ?? { url },
  )
  const wanted =
    named.length > 0 ? named : (given.destinations ?? [{ url: `file:${join(folder, 'archive')}` }])
  const destinations = wanted.map((each): DestinationSettings => {
    const own: NonNullable<Configuration['destinations']>[number] = each
    return {
      url: normalAddress(own.url, { home, directory: context.here }),
      history: flags.history ?? own.history,
      maxRecords: flags.maxRecords || own.maxRecords || MAX_RECORDS,
      maxBytes: sizeOf('max-bytes', flags.maxBytes ?? own.maxBytes) ?? MAX_BYTES,
      recordLimit: sizeOf('record-limit', flags.recordLimit ?? own.recordLimit),
      normalized: flags.normalized || own.normalized === true,
      skip: flags.skip?.split(',').map((type) => type.trim()) ?? own.skip,
      tokenEnv: flags.tokenEnv ?? own.tokenEnv,
      tokenFile: flags.tokenFile ?? own.tokenFile,
      compression: flags.compression ?? own.compression,
    }
  })
  return {
    state: stateFile(flags.state ?? given.state, context) ?? join(folder, 'collect.sqlite'),
    device: flags.device ?? given.device ?? context.machine.device,
    redact: {
      ...given.redact,
      level: flags.redact ?? (context.redact ? given.redact?.level : 'off') ?? 'standard',
      identities: flags.identities || given.redact?.identities === true,
    },
    destinations: [...new Map(destinations.map((each) => [each.url, each])).values()],
  }
}

const stateFile = (path: string | undefined, { here, environment }: Machine): string | undefined =>
  path === undefined
    ? undefined
    : path.startsWith('~/')
      ? join(environment.home, path.slice(2))
      : resolve(here, path)

/** Settings of the destination, and the random key of this installation. Absent if nothing is delivered. */
interface OwnSettings extends Pick<RecordSettings, 'historyFromMs' | 'recordLimit' | 'frames' | 'forgotten'> {
  random?: { tagKey: string; installation: string }
}

/** How records are made for one destination. */
export const recordSettings = (
  { device, redact }: CollectSettings,
  destination: DestinationSettings,
  { random = { tagKey: '', installation: '' }, ...own }: OwnSettings,
  { environment, machine }: Machine,
): RecordSettings => ({
  device,
  // Two homes that share a state count as two devices.
  deviceId: hash('sha256', `${random.installation} ${environment.home}`, 'hex').slice(0, 32),
  tagKey: random.tagKey,
  home: environment.home,
  users: [machine.user],
  redact,
  ...own,
  // On this machine, and at the destination.
  forgotten: [...keysAt(environment.forgotten), ...(own.forgotten ?? [])],
  normalized: destination.normalized,
  skip: destination.skip,
  maxRecords: destination.maxRecords,
  maxBytes: destination.maxBytes,
})
