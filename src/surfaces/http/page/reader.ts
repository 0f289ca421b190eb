import { isForeignFile } from '../../../commands/kit/choose-sessions.ts'
import type { Context } from '../../../commands/kit/context.ts'
import { machineWords, suggesting } from '../../../commands/kit/flags.ts'
import type { Question } from '../../../commands/serve/question.ts'
import { watchDisk } from '../../../commands/serve/watch.ts'
import { ScrollbackError } from '../../../errors.ts'
import type { Steps } from '../../../model/steps.ts'
import { createGate } from '../../../render/gate.ts'
import { printableJson } from '../../../render/printable.ts'
import { createKeeper } from '../../keeper.ts'
import { inTurns } from '../../turns.ts'
import { refuseElsewhere } from './elsewhere.ts'
import { inputOf } from './parameters.ts'
import { createParts, type Parts } from './parts.ts'
import type { Message, ReaderSettings, Request } from './protocol.ts'
import { questions, type Reachable } from './questions.ts'
import { refusalOf } from './refusal.ts'
import { createTidier } from './tidier.ts'

/** How much of a wrong name is repeated. */
const LABEL = 200
/** The server stays for hours, so it caches fewer pages of the store than a command, in KiB. */
const CACHE_KIB = 2000
const JSON_TYPE = 'application/json'

/** The only endpoint that is about the others. */
const DESCRIPTION: Reachable = { load: async () => (await import('./openapi.ts')).openapi as never }

/** Everything that is sent passes the gate. */
const gate = createGate({ redact: true, colors: false })

/** Answers questions with one store, which stays open. `post` sends to the thread of the server. */
export function createReader(
  settings: ReaderSettings,
  post: (message: Message) => void,
  remote?: Context['remote'],
) {
  const { now } = settings
  const base = { ...contextOf(settings), ...(remote ? { remote } : {}) }
  let unwatch: (() => void) | undefined
  const keeper = createKeeper(base, {
    ...(now === undefined ? {} : { now: () => now }),
    isWatched: () => unwatch !== undefined,
    cacheKib: CACHE_KIB,
    ...(settings.indexes && { indexing: (progress) => send('index', progress) }),
  })
  const tidier = createTidier(keeper.rest)
  const running = new Map<number, { parts: Parts; stop: AbortController }>()
  return {
    take(request: Exclude<Request, { type: 'end' }>): void {
      if (request.type === 'ask') void ask(request)
      else if (request.type === 'more') running.get(request.id)?.parts.more()
      else if (request.type === 'cancel') running.get(request.id)?.stop.abort()
      else watch(request.on)
    },
    close(): void {
      for (const { stop } of running.values()) stop.abort()
      watch(false)
      tidier.stop()
      keeper.close()
    },
  }

  /** Follows the disk while a page is connected. */
  function watch(on: boolean): void {
    unwatch?.()
    unwatch = undefined
    if (!on) return
    unwatch = watchDisk({
      context: base,
      refresh() {
        const found = keeper.refresh([])
        // A regular look at the disk that finds nothing leaves nothing.
        if (!found || found.read + found.gone + found.moved > 0) tidier.worked()
        return found
      },
      store: () => keeper.context([]).fresh.store,
      changed: (sessions) => send('changed', { version: 1, sessions }),
      activity: (item) => send('activity', item),
    })
  }

  function send(name: string, data: object): void {
    post({ type: 'event', name, data: printableJson(JSON.stringify(gate.value(data))) })
  }

  async function ask({ id, name, given }: Extract<Request, { type: 'ask' }>): Promise<void> {
    const stop = new AbortController()
    const parts = createParts(id, post, gate, stop.signal)
    running.set(id, { parts, stop })
    try {
      await answer(name, given, parts, stop.signal)
    } catch (error) {
      // The reader is gone.
      if (stop.signal.aborted) return
      if (!parts.begun()) fail(error, parts)
      else parts.breakOff()
    } finally {
      running.delete(id)
      tidier.worked()
    }
  }

  function fail(error: unknown, parts: Parts): void {
    const { status, body } = refusalOf(error)
    // Opens a damaged store again.
    if (status === 500) keeper.close()
    parts.begin({ status, type: JSON_TYPE, notes: [] })
    parts.end([`${JSON.stringify(gate.plain(body))}\n`])
  }

  async function answer(
    name: string,
    given: Extract<Request, { type: 'ask' }>['given'],
    parts: Parts,
    stop: AbortSignal,
  ): Promise<void> {
    const { load, without = [], names, isWide } = questions.get(name) ?? DESCRIPTION
    const question: Question = await load()
    const input = inputOf(question, without, given)
    const notes: string[] = []
    const context: Context = {
      ...(isWide && (input.deleted || input.backups) ? keeper.wider(notes, input) : keeper.context(notes)),
      inTurns: <Result>(steps: Steps<Result>) => inTurns(steps, stop),
    }
    for (const each of names === undefined ? [] : (input[names] as string[]))
      if (isForeignFile(each, context))
        throw new ScrollbackError(
          'no-session',
          `${names}: ${each.slice(0, LABEL)} is no transcript of an agent on this machine`,
          'Give the id or the path of a session.',
        )
    refuseElsewhere(name, input, context)
    const endings: (() => void)[] = []
    const own = { ...context, atEnd: (done: () => void) => void endings.push(done) }
    try {
      await answerWith(question, input, own, parts, notes)
    } finally {
      for (const end of endings) end()
    }
  }

  async function answerWith(
    question: Question,
    input: Record<string, unknown>,
    context: Context,
    parts: Parts,
    notes: string[],
  ): Promise<void> {
    const printed = question.prints?.(input)
    if (printed) {
      parts.begin({ status: 200, ...printed, notes })
      await question.run(input, { ...context, print: parts.print })
      return parts.end([])
    }
    const found = await question.run(input, context)
    const file = question.file?.(found)
    if (file) {
      parts.begin({ status: 200, type: file.type, notes })
      return parts.file(file.bytes)
    }
    parts.begin({ status: 200, type: JSON_TYPE, notes })
    await parts.send(question.json?.(found) ?? [gate.json(found)])
  }
}

function contextOf({ globalFlags, now, storeAddress: _, ...settings }: ReaderSettings): Context {
  return {
    ...settings,
    globalFlags,
    now: now ?? Date.now(),
    redact: true,
    suggest: suggesting('scrollback', machineWords(globalFlags)),
    print: async () => {},
    deliverOut: async () => {},
    note: () => {},
  }
}
