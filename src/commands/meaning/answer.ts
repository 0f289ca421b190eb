import * as z from 'zod/mini'
import { field } from '../../context/flags.ts'
import { isoTime } from '../../context/time.ts'
import { counted, grouped, readableBytes } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import type { Encoder, Vectors } from '../../store/vectors.ts'

const ACTIONS = ['status', 'on', 'off'] as const

export const input = z.object({
  action: field.choiceOr(ACTIONS, 'status', { description: 'status, on or off', positional: true }),
  endpoint: field.text({
    description: 'on: the address of the encoder, which gets the texts of your messages, up to /v1',
    placeholder: 'url',
  }),
  model: field.text({ description: 'on: the name of its model', placeholder: 'name' }),
  tokenEnv: field.text({
    description: 'on: read the token for the encoder from this environment variable',
    placeholder: 'name',
  }),
  tokenFile: field.text({
    description: 'on: read the token for the encoder from this file, which only you may read',
    placeholder: 'file',
    path: 'file',
  }),
  dryRun: field.flag({ description: 'on and off: show what would change, and change and send nothing' }),
  yes: field.flag({ description: 'off: delete the vectors without asking' }),
})

export type Input = z.output<typeof input>

export const output = () =>
  z.object({
    version: z.literal(1),
    action: z.enum(ACTIONS),
    /** Nothing was changed. */
    dryRun: z.boolean(),
    /** Whether search by meaning is on now. */
    on: z.boolean(),
    endpoint: z.nullable(z.string()),
    model: z.nullable(z.string()),
    /** Where the token is: a variable or a file. */
    token: z.nullable(z.string()),
    since: z.nullable(z.string()),
    dimensions: z.nullable(z.number()),
    /** Messages of people and agents with a vector, and those that wait for one. */
    messages: z.object({ done: z.number(), waiting: z.number() }),
    /** The size of the vectors in the store. */
    bytes: z.number(),
    /** What the encoder has counted so far, and about what is left. */
    tokens: z.object({ used: z.number(), left: z.number() }),
    /** The last error of the encoder. */
    fault: z.nullable(z.string()),
  })

export type MeaningAnswer = z.output<ReturnType<typeof output>>

/** In English. Other languages have fewer. */
const CHARACTERS_PER_TOKEN = 4

/** The answer, as the store is now. */
export function answerOf(
  vectors: Vectors,
  { action, dryRun }: Pick<Input, 'action' | 'dryRun'>,
  encoder?: Encoder,
): MeaningAnswer {
  const set = vectors.set()
  const { done, waiting, characters, bytes } = vectors.counts(encoder)
  return {
    version: 1,
    action,
    dryRun,
    on: set !== undefined,
    endpoint: set?.endpoint ?? null,
    model: set?.model ?? null,
    token: (set && tokenName(set)) ?? null,
    since: isoTime(set?.sinceMs),
    dimensions: set?.dimensions ?? null,
    messages: { done, waiting },
    bytes,
    tokens: { used: set?.tokens ?? 0, left: Math.ceil(characters / CHARACTERS_PER_TOKEN) },
    fault: set?.fault ?? null,
  }
}

const tokenName = ({ tokenEnv, tokenFile }: Encoder): string | undefined => tokenEnv ?? tokenFile

export function* meaningLines(answer: MeaningAnswer, screen: Screen): Generator<string> {
  const { action, dryRun, on } = answer
  if (dryRun) yield* dryLines(answer)
  else if (action === 'off') yield 'Search by meaning is off, and its vectors are deleted.\n'
  else if (!on) {
    yield 'Search by meaning is off. Nothing is sent anywhere.\n'
    yield `Turn it on: ${screen.suggest('meaning', ['on'], { flag: '--endpoint', values: [EXAMPLE.endpoint] }, { flag: '--model', values: [EXAMPLE.model] })}\n`
  } else yield* statusLines(answer, screen)
}

export const EXAMPLE = { endpoint: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text' }

function* dryLines({ action, on, endpoint, messages, bytes, tokens }: MeaningAnswer): Generator<string> {
  if (action === 'on')
    yield `Would send ${textsOf(messages.waiting)}, about ${counted(tokens.left, 'token')}, to ${printable(endpoint!)}. Nothing was sent.\n`
  else if (on)
    yield `Would delete ${counted(messages.done, 'vector')} (${readableBytes(bytes)}). Nothing was deleted.\n`
  else yield 'Search by meaning is off. There is nothing to delete.\n'
}

const textsOf = (count: number): string => `the texts of ${counted(count, 'message')}`

function* statusLines(answer: MeaningAnswer, screen: Screen): Generator<string> {
  const { endpoint, model, token, since, dimensions, messages, bytes, tokens, fault } = answer
  const { done, waiting } = messages
  yield `Search by meaning is on since ${since?.slice(0, 10)}, with ${printable(model!)} at ${printable(endpoint!)}${token === null ? '' : ` (token: ${printable(token)})`}.\n`
  yield `${grouped(done)} of ${counted(done + waiting, 'message')} have a vector${dimensions === null ? '' : ` of ${grouped(dimensions)} numbers`}: ${readableBytes(bytes)} in the store${tokens.used > 0 ? `, for ${counted(tokens.used, 'token')}` : ''}.\n`
  if (waiting > 0)
    yield `${grouped(waiting)} wait, about ${counted(tokens.left, 'token')}. "serve" and "mcp" go on with them; to do it now: ${screen.suggest('index')}\n`
  if (fault !== null) yield `The last error: ${printable(fault)}\n`
}
