import { findSession, type Question } from '../../../commands/serve/question.ts'
import { watchDisk } from '../../../commands/serve/watch.ts'
import { checkedInput } from '../../../context/command.ts'
import type { Context } from '../../../context/context.ts'
import { flagsOf, suggesting } from '../../../context/flags.ts'
import { freshStore } from '../../../context/fresh-store.ts'
import { ScrollbackError } from '../../../errors.ts'
import type { Steps } from '../../../model/iteration.ts'
import { createGate, jsonOfAnswer, type Printed } from '../../../render/gate.ts'
import { printableJson } from '../../../render/terminal.ts'
import { isForeignFile } from '../../../selection/choose-sessions.ts'
import { machineWordsFor } from '../../../selection/session-names.ts'
import { createServerStore, inTurns } from '../../server-store.ts'
import { answersFromTeamStore } from '../../team-store.ts'
import {
  endpoints,
  type Given,
  type Head,
  type Part,
  type QuestionProgress,
  type ReaderEvent,
  type ReaderSettings,
  refusalOf,
} from './protocol.ts'
import { questions, type Reachable } from './questions.ts'
import { createTidier } from './tidier.ts'

/** How much of a wrong name is repeated. */
const LABEL = 200
/** The server stays for hours, so it caches fewer pages of the store than a command, in KiB. */
const CACHE_KIB = 2000
const JSON_TYPE = 'application/json'
/** The least interval between two reports of progress, in ms. */
const PROGRESS_MS = 250

/** The only endpoint that is about the others. */
const DESCRIPTION: Reachable = { load: async () => (await import('./openapi.ts')).openapi as never }

/** Everything that is sent passes a gate. */
const gate = createGate({ redact: true, colors: false })
const jsonGate = createGate({ redact: true, colors: false, json: true })

/** Answers questions with one store, which stays open. `onEvent` is called while the disk is followed. */
export function createReader(
  settings: ReaderSettings,
  onEvent: (event: ReaderEvent) => void,
  remote?: Context['remote'],
) {
  const { now } = settings
  const base = { ...contextOf(settings), ...(remote ? { remote } : {}) }
  let unwatch: (() => void) | undefined
  const serverStore = createServerStore(base, {
    ...(now === undefined ? {} : { now: () => now }),
    isWatched: () => unwatch !== undefined,
    cacheKib: CACHE_KIB,
    ...(settings.indexes && { indexing: (progress) => send('index', progress) }),
  })
  const tidier = createTidier(serverStore.rest)
  return {
    ask,
    // biome-ignore lint/correctness/useYield: There is nothing to answer.
    async *watch(_: AbortSignal, on: boolean): AsyncGenerator<never, void> {
      watch(on)
    },
    /** Looks at the disk for the first question, which waits less then. What fails, fails again with it. */
    // biome-ignore lint/correctness/useYield: There is nothing to answer.
    async *lookAhead(): AsyncGenerator<never, void> {
      serverStore.context([])
    },
    close(): void {
      watch(false)
      tidier.stop()
      serverStore.close()
    },
  }

  /** Follows the disk while a page is connected. */
  function watch(on: boolean): void {
    unwatch?.()
    unwatch = undefined
    if (!on) return
    unwatch = watchDisk({
      context: base,
      refresh(willWrite) {
        const found = serverStore.refresh([], willWrite)
        // A regular look at the disk that finds nothing leaves nothing.
        if (!found || found.read + found.gone + found.moved > 0) tidier.worked()
        return found
      },
      store: () => serverStore.context([]).fresh.store,
      changed: (sessions) => send('changed', { version: 1, sessions }),
      activity: (item) => send('activity', item),
    })
  }

  function send(name: string, data: object): void {
    onEvent({ name, data: printableJson(JSON.stringify(gate.value(data))) })
  }

  /** Yields the answer to a question in parts. The next one is made when the last one was taken. */
  async function* ask(stop: AbortSignal, name: string, given: Given): AsyncGenerator<Part, void> {
    const { readable, writable } = new TransformStream<Part, Part>()
    const parts = createParts(writable.getWriter(), stop)
    void answer(name, given, parts, stop)
      .catch((error: unknown) => {
        if (stop.aborted) return parts.breakOff()
        if (!(error instanceof ScrollbackError)) report(name, error)
        return parts.begun() ? parts.breakOff() : fail(error, parts)
      })
      // The reader is gone.
      .catch(() => {})
      .finally(tidier.worked)
    yield* readable
  }

  /** A fault of the program goes to whoever runs the server. The page only learns that there was one. */
  function report(name: string, error: unknown): void {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    onEvent({ name: 'fault', data: String(gate.output(`${name}: ${stack}`)) })
  }

  function fail(error: unknown, parts: Parts): Promise<void> {
    const { status, body } = refusalOf(error)
    // Opens a damaged store again.
    if (status === 500) serverStore.close()
    parts.begin({ status, type: JSON_TYPE, notes: [] })
    return parts.end([`${JSON.stringify(gate.plain(body))}\n`])
  }

  async function answer(name: string, given: Given, parts: Parts, stop: AbortSignal): Promise<void> {
    const { load, without = [], names, isWide } = questions.get(name) ?? DESCRIPTION
    const question: Question = await load()
    const input = inputOf(question, without, given)
    const notes: string[] = []
    const context: Context = {
      ...(isWide && (input.deleted || input.backups)
        ? serverStore.wider(notes, input)
        : serverStore.context(notes)),
      inTurns: <Result>(steps: Steps<Result>) => inTurns(steps, stop),
    }
    for (const each of names === undefined ? [] : (input[names] as string[]))
      if (isForeignFile(each, context))
        throw new ScrollbackError(
          'no-session',
          `${names}: ${each.slice(0, LABEL)} is not a transcript of an agent on this machine`,
          'Give the id or the path of a session.',
        )
    refuseElsewhere(name, input, context)
    const endings: (() => void)[] = []
    const own = {
      ...context,
      atEnd: (done: () => void) => void endings.push(done),
      ...(endpoints.get(name)?.isLong ? { progress: progressOf(name) } : {}),
    }
    try {
      await answerWith(question, input, own, parts, notes)
    } finally {
      for (const end of endings) end()
    }
  }

  /** Sends how far a long question is. */
  function progressOf(question: string): NonNullable<Context['progress']> {
    let all = 0
    let done = 0
    let sentAt = 0
    return {
      start(_, total) {
        all = total
        done = 0
      },
      advance(more) {
        done += more
        if (all === 0 || performance.now() - sentAt < PROGRESS_MS) return
        sentAt = performance.now()
        send('progress', { version: 1, question, done, all } satisfies QuestionProgress)
      },
      stop() {},
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
      return await parts.end([])
    }
    const found = await question.run(input, context)
    const file = question.file?.(found)
    if (file) {
      parts.begin({ status: 200, type: file.type, notes })
      return await parts.file(file.bytes)
    }
    parts.begin({ status: 200, type: JSON_TYPE, notes })
    await parts.end(question.json?.(found) ?? [jsonOfAnswer(found, question)])
  }
}

function contextOf({ globalFlags, now, storeAddress: _, ...settings }: ReaderSettings): Context {
  return {
    ...settings,
    globalFlags,
    now: now ?? Date.now(),
    redact: true,
    suggest: suggesting(
      'scrollback',
      machineWordsFor(globalFlags, () => undefined),
    ),
    print: async () => {},
    deliverOut: async () => {},
    note: () => {},
  }
}

/** Text of an answer is sent in parts of at least so many characters, except the last. */
const GATHER = 256 * 1024

/** An answer, sent in parts. Methods wait while the reader is slow, and reject if it is gone. */
interface Parts {
  begun(): boolean
  /** Sets what precedes the bytes. Nothing was sent yet, and what was printed is dropped. */
  begin(head: Head): void
  print(piece: Printed): Promise<void>
  /** Sends the last pieces. */
  end(pieces: Iterable<Printed>): Promise<void>
  /** Sends bytes that are not text, unchanged. */
  file(bytes: Uint8Array): Promise<void>
  /** Ends an answer that cannot be completed. */
  breakOff(): Promise<void>
}

function createParts(writer: WritableStreamDefaultWriter<Part>, stop: AbortSignal): Parts {
  let head: Head | undefined
  let isBegun = false
  const held = { texts: [] as Printed[], length: 0 }
  return {
    begun: () => isBegun,
    begin(first) {
      head = first
      held.texts = []
      held.length = 0
    },
    print: add,
    async end(pieces) {
      for (const piece of pieces) await add(piece)
      await send(gathered(), true)
    },
    file: (bytes) => send(new Uint8Array(bytes), true),
    breakOff: () => writer.abort(new Error('the answer could not be completed')),
  }

  async function add(text: Printed): Promise<void> {
    held.texts.push(text)
    held.length += text.length
    if (held.length >= GATHER) await send(gathered(), false)
  }

  function gathered(): Uint8Array<ArrayBuffer> {
    const bytes = together(joined(held.texts).map((head?.type === JSON_TYPE ? jsonGate : gate).bytes))
    held.texts = []
    held.length = 0
    return bytes
  }

  async function send(bytes: Uint8Array<ArrayBuffer>, last: boolean): Promise<void> {
    const part = { bytes, last, ...(isBegun ? {} : { head }) }
    isBegun = true
    await writer.write(part)
    if (last) return writer.close()
    stop.throwIfAborted()
  }
}

/** The bytes in memory of their own, because it goes to another thread. */
function together(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Joins neighboring texts, so that the gate sees what is split between them. */
function joined(texts: readonly Printed[]): Printed[] {
  const all: Printed[] = []
  for (const text of texts) {
    const before = all.at(-1)
    if (typeof text === 'string' && typeof before === 'string') all[all.length - 1] = before + text
    else all.push(text)
  }
  return all
}

/** Converts what a request states to the input of a command, and checks it. */
export function inputOf(
  { input }: Pick<Question, 'input'>,
  without: readonly string[],
  given: Given,
): Record<string, unknown> {
  const kinds = new Map(flagsOf(input).map(({ field, kind }) => [field, kind]))
  for (const name of without) kinds.delete(name)
  const values: Record<string, unknown> = {}
  const kindOf = (name: string): string => {
    const kind = kinds.get(name)
    if (kind) return kind
    throw invalid(name, 'unknown parameter', `Use ${[...kinds.keys()].join(', ') || 'none'}.`)
  }
  if ('fields' in given) {
    for (const name of Object.keys(given.fields)) kindOf(name)
    return checkedInput({ input }, given.fields)
  }
  for (const [name, texts] of Object.entries(given.parameters)) {
    const kind = kindOf(name)
    if (kind === 'list') values[name] = texts
    else if (texts.length > 1) throw invalid(name, 'given more than once', 'Give it once.')
    else values[name] = kind === 'switch' ? switched(name, texts[0]!) : texts[0]
  }
  return checkedInput({ input }, values)
}

function switched(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw invalid(name, 'invalid value', 'Use true or false.')
  return text === 'true'
}

const invalid = (name: string, what: string, wayOut: string): ScrollbackError =>
  new ScrollbackError('bad-option', `${name.slice(0, 100)}: ${what}`, wayOut)

/** Questions of the page that a team store answers, besides those that are commands. */
const OWN = new Set([
  'items',
  'positions',
  'outline',
  'branches',
  'record',
  'image',
  'live',
  'listing',
  'choices',
  'neighbors',
  'tags',
  'openapi.json',
])

/**
 * Throws a `ScrollbackError` if a question is about files or jobs of a machine, and the answers come from a
 * team store: this machine has another answer. Names the machine if the question is about a session.
 */
function refuseElsewhere(name: string, input: Record<string, unknown>, context: Context): void {
  if (!context.remote || OWN.has(name) || answersFromTeamStore(name)) return
  const { session } = input
  const device =
    typeof session === 'string' ? findSession(session, freshStore(context)).session.device : undefined
  throw new ScrollbackError(
    'bad-option',
    `This is only known on ${device ?? 'the machine itself'}: a team store has no ${WANTED[name] ?? 'files'}.`,
    'Start "scrollback serve" there, without --store.',
  )
}

/** What a question needs, if not files. */
const WANTED: Readonly<Record<string, string>> = {
  changes: 'tool input',
  cron: 'jobs',
  collector: 'state of deliveries',
}
