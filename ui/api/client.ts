import { signal } from '@preact/signals'
import { mayHideInJson, shownText } from '../../src/model/hidden.ts'
import type { WritingName } from '../../src/surfaces/http/page/endpoints.ts'
import type { Refusal } from '../../src/surfaces/http/page/refusal.ts'
import { keyHeader } from '../state/key.ts'
import { takeNotes } from '../state/notes.ts'
import { setClock } from '../text/clock.ts'
import type { Address, AnswerTo, JsonName, ParametersOf } from './ask.ts'

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

async function failureOf(response: Response): Promise<Failure> {
  const refusal: Partial<Refusal['body']> = await response.json().catch(() => ({}))
  const message = refusal.error ?? `The server answered ${response.status}.`
  return new Failure(response.status, message, refusal.hint)
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
