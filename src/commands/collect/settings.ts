import { hash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import * as z from 'zod/mini'
import type { GlobalSettings, Machine, Storage } from '../../context/context.ts'
import { parseTime } from '../../context/time.ts'
import type { RecordSettings } from '../../deliver/delivery/slice.ts'
import { ScrollbackError } from '../../errors.ts'
import { readSmall } from '../../io/source.ts'
import { shownName } from '../../model/hidden.ts'
import type { RedactSettings } from '../../redact/redactor.ts'
import { redactSettings } from '../../redact/settings.ts'
import { COMPRESSIONS } from '../../sinks/http-request.ts'
import { normalAddress, type SinkOptions } from '../../sinks/index.ts'
import { keysAt } from '../../sync/forgotten.ts'
import { sizeOf } from './sinks.ts'

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

const MAX_RECORDS = 1000
const MAX_BYTES = 5 * 1024 * 1024

/** The time from which records are delivered, in ms. Null for all records. */
export function historyFrom(history: string, now: number): number | null {
  if (history === 'all') return null
  if (history === 'none') return now
  try {
    return parseTime(history, 'since', now)
  } catch (error) {
    throw new ScrollbackError(
      'bad-option',
      `--history: invalid time "${history}"`,
      'Use all, none, or a time such as 30d or 2026-11-01.',
      error,
    )
  }
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
  context: Machine & Storage & GlobalSettings,
): CollectSettings {
  const { home } = context.environment
  const folder = context.dataFolder
  if (flags.maxRecords === 0)
    throw new ScrollbackError(
      'bad-option',
      '--max-records: a batch has at least one record',
      'Use 1 or more.',
    )
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
      maxRecords: flags.maxRecords ?? own.maxRecords ?? MAX_RECORDS,
      maxBytes: sizeOf('max-bytes', flags.maxBytes ?? own.maxBytes) ?? MAX_BYTES,
      recordLimit: sizeOf('record-limit', flags.recordLimit ?? own.recordLimit),
      normalized: flags.normalized || own.normalized === true,
      skip: skippedTypes(flags.skip?.split(',').map((type) => type.trim()) ?? own.skip),
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

/** Throws if one is a pattern that is not supported. */
function skippedTypes(types: string[] | undefined): string[] | undefined {
  const wrong = types?.find((type) => type.slice(0, -1).includes('*'))
  if (wrong === undefined) return types
  throw new ScrollbackError(
    'bad-option',
    `skip: ${shownName(wrong)} has a * that is not at its end`,
    "Name a type, or what types begin with: 'api-request*'.",
  )
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

const text = () => z.optional(z.string().check(z.minLength(1, 'must not be empty')))
const size = () => z.optional(z.union([z.string(), z.number().check(z.positive())]))
const atLeastOne = () => z.optional(z.number().check(z.int('must be a whole number'), z.gte(1)))

const destination = z.strictObject({
  url: z.string().check(z.minLength(1, 'must not be empty')),
  history: text(),
  maxRecords: atLeastOne(),
  maxBytes: size(),
  recordLimit: size(),
  normalized: z.optional(z.boolean()),
  skip: z.optional(z.array(z.string())),
  tokenEnv: text(),
  tokenFile: text(),
  compression: z.optional(z.enum(COMPRESSIONS)),
})

/** The schema of a configuration file. */
const configuration = z.strictObject({
  device: text(),
  state: text(),
  maxLag: text(),
  redact: z.optional(redactSettings),
  destinations: z.optional(z.array(destination)),
})

type Configuration = z.output<typeof configuration>

const LIMIT = 1024 * 1024

/** Reads a configuration, TOML or JSON by its file name. An error names the line. */
export function readConfiguration(path: string): Configuration {
  const content = contentOf(path)
  const value = path.endsWith('.json') ? fromJson(content, path) : fromToml(content, path)
  const checked = configuration.safeParse(value)
  if (checked.success) return checked.data
  const problems = checked.error.issues.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? (issue as { keys: string[] }).keys : []
    const names = [...issue.path.map(String), ...unknown.slice(0, 1)]
    const what = unknown.length > 0 ? 'there is no such setting' : issue.message
    return `${path}:${lineOf(content, names)}: ${names.join('.')}: ${what}`
  })
  throw bad(problems.join('\n'))
}

const bad = (message: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    message,
    'docs/guides/collecting.md lists all settings; "scrollback collect --help" lists those that are also flags.',
  )

function contentOf(path: string): string {
  try {
    const content = readSmall(path, LIMIT)
    if (content) return content.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw bad(`--config ${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
  throw bad(`--config ${path}: larger than any configuration`)
}

function fromToml(content: string, path: string): unknown {
  try {
    return parse(content)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what] = error.message.split('\n')
    throw bad(`${path}:${error.line}: ${what}`)
  }
}

function fromJson(content: string, path: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    const [, at] = /at position (\d+)/.exec((error as Error).message) ?? []
    const line =
      at === undefined ? content.split('\n').length : content.slice(0, Number(at)).split('\n').length
    throw bad(`${path}:${line}: ${(error as Error).message}`)
  }
}

/** The position of a setting: finds each name of its path in turn. */
function lineOf(content: string, names: readonly string[]): number {
  let at = 0
  for (const name of names) {
    const index = /^\d+$/.test(name) ? Number(name) : undefined
    const mark =
      index === undefined
        ? new RegExp(`(?:^|[\\s"'{.])${RegExp.escape(name)}["']?\\s*[=:\\]]`, 'm')
        : undefined
    const found = mark?.exec(content.slice(at))
    if (found) at += found.index + Math.max(0, found[0].search(/\S/))
    else if (index !== undefined) at = nthItem(content, at, index)
  }
  return content.slice(0, at).split('\n').length
}

/** The nth table of a list in TOML, or the nth object of one in JSON. */
function nthItem(content: string, from: number, index: number): number {
  const heads = [...content.slice(from).matchAll(/\[\[|\{/g)]
  return from + (heads[index]?.index ?? 0)
}
