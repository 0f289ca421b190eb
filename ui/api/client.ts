import { computed, signal } from '@preact/signals'
import { mayHideInJson, shownText } from '../../src/model/hidden.ts'
import type { Refusal, WritingName } from '../../src/surfaces/http/page/protocol.ts'
import { setClock } from '../text/times.ts'
import type { Address, AnswerTo, JsonName, ParametersOf, ReadingName } from './ask.ts'

/** A failed request: what went wrong, and what the person can do. */
export class Failure extends Error {
  readonly status: number
  readonly hint: string | undefined
  /** What was asked for may mean each of these. */
  readonly matches: readonly string[]

  constructor(status: number, message: string, hint?: string, matches: readonly string[] = []) {
    super(message)
    this.status = status
    this.hint = hint
    this.matches = matches
  }
}

async function failureOf(response: Response): Promise<Failure> {
  // Refused before it is read, so it has no words of its own.
  if (response.status === 431)
    return new Failure(431, 'This question is too long.', 'Use fewer words or filters.')
  const refusal: Partial<Refusal['body']> = await response.json().catch(() => ({}))
  const message = refusal.error ?? `The server answered ${response.status}.`
  return new Failure(response.status, message, refusal.hint, refusal.matches)
}

/** How many requests wait for their answer. */
export const waiting = signal(0)

async function request(
  address: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
): Promise<Response> {
  let response: Response
  waiting.value++
  try {
    const headers = { ...init.headers, ...keyHeader() }
    response = await fetch(address, { credentials: 'same-origin', ...init, headers })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Failure(0, 'The server does not answer.', 'Start it again with "scrollback serve".')
  } finally {
    waiting.value--
  }
  setClock(response.headers.get('date'))
  if (!response.ok) throw await failureOf(response)
  takeNotes(address, response.headers.get('scrollback-notes'))
  return response
}

/** The answer to a question. Throws a `Failure`. */
export async function get<Name extends JsonName>(
  address: Address<Name>,
  signal?: AbortSignal,
): Promise<AnswerTo<Name>> {
  const response = await request(address, { headers: { accept: 'application/json' }, signal: signal ?? null })
  return parsed(await response.text()) as AnswerTo<Name>
}

/**
 * Parses JSON. Characters that hide or reorder text and the codes of terminals are removed from all names and
 * texts. JSON in a text has to be parsed like this once more, because it has escapes of its own.
 */
export function parsed(text: string): unknown {
  if (!mayHideInJson(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? shownText(value) : withShownNames(value),
  )
}

function withShownNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  return entries.every(([name]) => shownText(name) === name)
    ? value
    : Object.fromEntries(entries.map(([name, each]) => [shownText(name), each]))
}

/** A file with its name. The browser itself could not fetch it, as it does not send our header. */
export async function getFile(address: Address<'export' | 'image'>): Promise<{ file: Blob; name: string }> {
  const response = await request(address, {})
  const [, name = ''] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return { file: await response.blob(), name }
}

/** Changes something, and returns the answer. Throws a `Failure`. */
export async function post<Name extends WritingName>(
  name: Name,
  fields: ParametersOf<Name>,
): Promise<AnswerTo<Name>> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await request(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(fields) })
  return parsed(await response.text()) as AnswerTo<Name>
}

/** Endpoints whose notes are part of what they answer, and shown there, or are reported by others as well. */
const SAYS_ITSELF: ReadonlySet<string> = new Set<ReadingName>([
  'search',
  'stats',
  'resume',
  'devlog',
  'export',
])

/** What the latest answer of each endpoint could not read, in sentences. */
const latest = signal<ReadonlyMap<string, readonly string[]>>(new Map())

/** Notes that the person has put away. They do not come back until the page is loaded again. */
const read = signal<ReadonlySet<string>>(new Set())

/** Each note once, however many answers have it. */
export const notes = computed(() =>
  [...new Set([...latest.value.values()].flat())].filter((note) => !read.value.has(note)),
)

export function putNotesAway(): void {
  read.value = new Set([...read.value, ...notes.value])
}

/** Takes the notes of an answer, as its header states them. */
function takeNotes(address: string, header: string | null): void {
  const [name = ''] = address.replace(/^\/api\//, '').split('?')
  if (SAYS_ITSELF.has(name) || (header === null && !latest.value.has(name))) return
  const next = new Map(latest.value)
  if (header === null) next.delete(name)
  else next.set(name, textsIn(header))
  latest.value = next
}

function textsIn(header: string): string[] {
  try {
    const texts: unknown = JSON.parse(decodeURIComponent(header))
    return Array.isArray(texts) ? texts.filter((each) => typeof each === 'string').map(shownText) : []
  } catch {
    return []
  }
}

// The first module of the page: the key leaves the address before anything else reads it.

const NAME = 'scrollback-key'
/** Where a browser has no storage, the key is lost with the page. */
let inMemory = ''

function keep(key: string): void {
  inMemory = key
  try {
    localStorage.setItem(NAME, key)
  } catch {
    // A browser may forbid it.
  }
}

function kept(): string {
  try {
    return localStorage.getItem(NAME) ?? inMemory
  } catch {
    return inMemory
  }
}

const inAddress = /^#key=([\w-]+)$/.exec(location.hash)?.[1]
if (inAddress !== undefined) {
  keep(inAddress)
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
}

/**
 * The header that shows the server that this page has signed in. Cookies go to all servers of a machine, this goes to
 * one.
 */
export const keyHeader = (): Record<string, string> => ({ 'scrollback-key': kept() })
