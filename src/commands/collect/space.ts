import { hash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveringContext, ReadingContext } from '../../context/context.ts'
import { freshStore, synced } from '../../context/fresh-store.ts'
import { type DeliveryReport, nothingDelivered } from '../../deliver/delivery/deliver.ts'
import { type DeliveryState, type DestinationRow, openDeliveryState } from '../../deliver/delivery/state.ts'
import { createLiveInventory } from '../../deliver/live-inventory.ts'
import {
  type NotingStore,
  notesChanges,
  type ProjectChoice,
  type PushReport,
  pushChanges,
  wantedFiles,
} from '../../deliver/push.ts'
import { ScrollbackError } from '../../errors.ts'
import { keepHeapSmall } from '../../io/process.ts'
import { finish } from '../../model/iteration.ts'
import { counted } from '../../render/table.ts'
import { createMemoryOwners } from '../../selection/memory-owners.ts'
import { holdLock } from '../../store/sqlite/files.ts'
import type { Store } from '../../store/store.ts'
import type { Inbox } from '../../store/team.ts'
import { spaceUrl, storeAddress, teamEngine } from '../store/team-store.ts'
import { chosenSpace, isWantedIn, type SpaceSettings, settingsOfSpace } from './space-settings.ts'

/** How long to wait for a server that cannot be reached, or is full, in ms. */
const RETRY_MS = 30_000
/** What may pass without anybody doing something here. */
const PASSING: readonly ScrollbackError['code'][] = ['store-unreachable', 'store-full']

interface SpaceFlags {
  /** `clickhouse://user@host/database`. */
  address: string
  /** The name of this machine in the space, whose sessions these are, and patterns of projects. */
  device?: string | undefined
  person?: string | undefined
  projects?: string | undefined
  /** Continue until the process is stopped. */
  watch: boolean
  /** Send everything again. */
  again: boolean
}

/** What a space got. */
interface SpaceReport extends DeliveryReport {
  url: string
  error: null
}

/**
 * Reads what is new on this machine into its store, and sends what has changed there to a space: the sessions
 * of the projects that were chosen for it. What the space has not acknowledged is sent again by the next run.
 * Throws a `ScrollbackError` if the server cannot be reached or refuses, but waits for it with `watch` once
 * it has answered.
 */
export async function fillSpace(flags: SpaceFlags, context: DeliveringContext): Promise<SpaceReport> {
  const { password, passwordFile } = {
    password: context.storePasswords?.to,
    passwordFile: context.globalFlags?.storePasswordFile,
  }
  const server = storeAddress(flags.address, { password, passwordFile }, 'collect')
  // Before its connection starts a thread.
  keepHeapSmall()
  const { store } = freshStore(context, { onDisk: true })
  if (!notesChanges(store) || store.readOnly)
    throw new ScrollbackError(
      'store-unreadable',
      `The store ${store.path} is read-only, so it cannot note what was sent.`,
      'Run the command as a user who may write to it.',
    )
  const url = spaceUrl(server)
  const state = openDeliveryState(join(context.dataFolder, 'collect.sqlite'))
  context.atEnd?.(() => state.close())
  const name = hash('sha256', url, 'hex').slice(0, 16)
  const lock = holdLock(join(context.dataFolder, `space-${name}.lock`))
  if (!lock)
    throw new ScrollbackError(
      'unreadable',
      `Another process is already sending to ${url}.`,
      'Wait until it ends, or stop it.',
    )
  const report: SpaceReport = { url, error: null, ...nothingDelivered() }
  let inbox: Inbox | undefined
  try {
    const space = await chosenSpace(url, flags, { state, store, context })
    if (flags.again || space.isOther) store.changes.again(store.changes.target(url))
    inbox = teamEngine.inbox(server, space.settings.device)
    const filling: Filling = { store, inbox, url, settings: space.settings, destination: space.id, state }
    fill(filling, context, report)
    if (flags.watch) await follow(filling, context, report)
  } finally {
    inbox?.close()
    lock.release()
  }
  return report
}

/** Notes nothing for a space any more. What was sent stays there. Returns how it was named. */
export function forgetTarget(address: string, context: DeliveringContext): string {
  const url = spaceUrl(storeAddress(address, {}, 'collect'))
  freshStore(context).store.changes?.drop(url)
  return url
}

/** What the sending to one space needs. */
interface Filling {
  store: NotingStore
  inbox: Inbox
  url: string
  settings: SpaceSettings
  /** Its number among the destinations. */
  destination: number
  state: DeliveryState
  /** When the space last got a note that nothing is missing, in ms. */
  notedMs?: number
}

/** How often a space gets a note that nothing is missing, while nothing is new. */
const NOTE_MS = 60_000

function fill(
  filling: Filling,
  { now, progress, version = '' }: DeliveringContext,
  report: SpaceReport,
): PushReport {
  const { store, inbox, url, settings, destination, state, notedMs = 0 } = filling
  progress?.start('Sending', 0, 'messages')
  try {
    const sent = finish(
      pushChanges(store, inbox, {
        address: url,
        wanted: wantedFiles(store, choiceOf(store, settings)),
        person: settings.person,
        program: version,
        now,
        notes: Math.abs(now - notedMs) >= NOTE_MS,
        advance: (messages) => progress?.advance(messages),
      }),
    )
    if (sent.noted) filling.notedMs = now
    report.records += sent.messages
    report.sources += sent.files
    report.gone += sent.removed
    report.forgotten = sent.refused
    report.bytes = sent.bytes
    report.read = sent.bytes
    report.unchanged = store.changes.state(store.changes.target(url)).files - sent.files
    state.advance(destination, [], { records: sent.messages, bytes: sent.bytes, stubs: 0, nowMs: now })
    return sent
  } catch (error) {
    if (error instanceof ScrollbackError) state.failed(destination, error.message, now, false)
    throw error
  } finally {
    progress?.stop()
  }
}

/** Which projects of a store a space gets. */
export function choiceOf(store: Store, settings: SpaceSettings): ProjectChoice {
  const ownerOf = createMemoryOwners(store)
  return {
    isWanted: isWantedIn(settings),
    // Documents of an agent belong to no project.
    ownerOf: ({ artifact }) => (artifact.slug === undefined ? undefined : ownerOf(artifact.path)),
  }
}

/** What each space has, and how many files wait for it, by the number of the destination. */
export function waitingForSpaces(
  rows: readonly DestinationRow[],
  context: ReadingContext,
): Map<number, SpaceSettings & { projects: string[]; files: number; refused: number; waiting: number }> {
  const { store } = freshStore(context)
  const { changes } = store
  return new Map(
    rows.flatMap((row) => {
      const settings = settingsOfSpace(row)
      if (!settings) return []
      // What waits is noted in the store, unless that cannot be written.
      if (!changes || store.readOnly)
        return [
          [
            row.id,
            { ...settings, projects: [...settings.projects], files: 0, refused: 0, waiting: 0 },
          ] as const,
        ]
      const target = changes.target(row.url)
      const due = changes.due(target, wantedFiles(store, choiceOf(store, settings)))
      const projects = [...settings.projects]
      return [[row.id, { ...settings, ...changes.state(target), projects, waiting: due.length }] as const]
    }),
  )
}

/** Sends whatever changes, until it is stopped. A server that is away or full is asked again. */
async function follow(filling: Filling, context: DeliveringContext, report: SpaceReport): Promise<void> {
  const { environment, stop = new AbortController().signal } = context
  const lookout = createLiveInventory(environment, stop)
  const timed = (): string => new Date().toISOString()
  context.note(`Writing to ${report.url} as transcripts grow. Ctrl-C ends it.`)
  try {
    for (let seen = 0; !stop.aborted; ) {
      const version = await lookout.changed(seen)
      if (stop.aborted) break
      try {
        const current = { ...context, now: Date.now(), progress: undefined }
        finish(synced(filling.store, current, { patience: RETRY_MS }))
        const { messages, files, removed } = fill(filling, current, report)
        seen = version
        if (files + removed > 0) context.note(`${timed()} ${counted(messages, 'message')} sent`)
      } catch (error) {
        if (!(error instanceof ScrollbackError) || !PASSING.includes(error.code)) throw error
        context.note(`${timed()} ${error.message}`)
        await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
      }
    }
  } finally {
    lookout.close()
  }
}
