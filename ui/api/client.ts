import { mayHideInJson, shownText } from '../../src/model/hidden.ts'
import { takeNotes } from '../state/notes.ts'
import { setClock } from '../text/clock.ts'

/** A failed request: what went wrong, and what the person can do. */
export class Failure extends Error {
  readonly status: number
  readonly hint: string | undefined

  constructor(status: number, message: string, hint?: string) {
    super(message)
    this.status = status
    this.hint = hint
  }
}

/** Values of parameters; absent ones are left out, lists are repeated. */
export type Parameters = Record<string, string | number | boolean | readonly string[] | undefined>

export function apiAddress(name: string, parameters: Parameters = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(parameters)) {
    if (value === undefined || value === '' || value === false) continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(key, String(each))
  }
  const text = search.toString()
  return `/api/${name}${text && `?${text}`}`
}

/** What the server answers if something fails. */
interface Refusal {
  error?: string
  hint?: string
}

async function failureOf(response: Response): Promise<Failure> {
  const refusal: Refusal = await response.json().catch(() => ({}))
  const hint =
    refusal.hint ??
    (response.status === 401
      ? 'Open the address that "scrollback serve" printed: it contains the token.'
      : undefined)
  return new Failure(response.status, refusal.error ?? `The server answered ${response.status}.`, hint)
}

async function request(address: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(address, { credentials: 'same-origin', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Failure(0, 'The server does not answer.', 'Start it again with "scrollback serve".')
  }
  setClock(response.headers.get('date'))
  if (!response.ok) throw await failureOf(response)
  takeNotes(address, response.headers.get('scrollback-notes'))
  return response
}

export async function get<Answer>(address: string, signal?: AbortSignal): Promise<Answer> {
  const response = await request(address, { headers: { accept: 'application/json' }, signal: signal ?? null })
  return parsed(await response.text()) as Answer
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

export async function getText(address: string): Promise<string> {
  return (await request(address, {})).text()
}

export async function getImage(address: string): Promise<Blob> {
  return (await request(address, {})).blob()
}

export async function post<Answer>(address: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await request(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return parsed(await response.text()) as Answer
}
