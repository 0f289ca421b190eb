import { describe, expect, expectTypeOf, it } from 'vitest'
import { flagsOf } from '../../src/context/flags.ts'
import { endpoints } from '../../src/surfaces/http/page/protocol.ts'
import { questions } from '../../src/surfaces/http/page/questions.ts'
import { inputOf } from '../../src/surfaces/http/page/reader.ts'
import {
  type Address,
  type AnswerTo,
  ask,
  askMore,
  type JsonName,
  type ReadingName,
} from '../../ui/api/ask.ts'
import type { get, post } from '../../ui/api/client.ts'

/** What the server understands of an address. */
async function understood(address: string): Promise<Record<string, unknown>> {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const { load, without = [] } = questions.get(pathname.replace('/api/', ''))!
  const parameters = Object.fromEntries(
    [...searchParams.keys()].map((key) => [key, searchParams.getAll(key)]),
  )
  return inputOf(await load(), without, { parameters })
}

describe('a question of the page', () => {
  it('arrives at the server as it was asked', async () => {
    const read = ask('read', { target: ['640ab4c7', 'a b&c'], grep: 'päyment' })
    expect(await understood(read)).toMatchObject({ target: ['640ab4c7', 'a b&c'], grep: 'päyment' })
    const items = ask('items', { session: '640ab4c7', from: -20, to: 0 })
    expect(await understood(items)).toEqual({ session: '640ab4c7', from: -20, to: 0 })
    const listing = ask('listing', { sort: 'cost', starred: true, deleted: true })
    expect(await understood(listing)).toMatchObject({ sort: 'cost', starred: true, deleted: true })
  })

  it('leaves out what is absent, empty or off', () => {
    expect(ask('memory')).toBe('/api/memory')
    expect(ask('memory', { owner: undefined, file: '', diff: false, limit: 0 })).toBe('/api/memory?limit=0')
  })

  it('can be continued with more parameters', () => {
    expect(askMore(ask('listing'), { from: 0, limit: 60 })).toBe('/api/listing?from=0&limit=60')
    expect(askMore(ask('listing', { all: true }), { from: 60 })).toBe('/api/listing?all=true&from=60')
    expect(askMore(ask('listing', { all: true }), {})).toBe('/api/listing?all=true')
  })
})

it('a question that leaves a switch out does not turn it on', async () => {
  for (const [name, { load }] of questions) {
    const { input } = await load()
    const values: Record<string, unknown> = input.parse({})
    const turned = flagsOf(input).filter(
      ({ kind, field, sets }) => kind === 'switch' && values[field] === sets,
    )
    expect([name, turned]).toEqual([name, []])
  }
})

it('every endpoint but the description has a question', () => {
  expect([...questions.keys(), 'openapi.json'].sort()).toEqual([...endpoints.keys()].sort())
})

// The compiler checks these. None of them runs.

declare const fetched: typeof get
declare const sent: typeof post

function wrongQuestions(): void {
  // @ts-expect-error: no such endpoint.
  ask('outlines')
  // @ts-expect-error: it describes the others, and the page does not ask for it.
  ask('openapi.json')
  // @ts-expect-error: it changes something.
  ask('tag')
  // @ts-expect-error: no such parameter.
  ask('memory', { onwer: 'api' })
  // @ts-expect-error: no parameters at all.
  ask('choices', { all: true })
  // @ts-expect-error: a switch.
  ask('memory', { diff: 'yes' })
  // @ts-expect-error: a number.
  ask('listing', { limit: '60' })
  // @ts-expect-error: not one of its values.
  ask('listing', { sort: 'colour' })
  // @ts-expect-error: a list.
  ask('search', { query: 'payment' })
  // @ts-expect-error: only the command has this field.
  ask('read', { target: ['640ab4c7'], format: 'json' })
  // @ts-expect-error: only the endpoint that writes has this field.
  ask('tags', { rule: 'refunds' })
  // @ts-expect-error: it is never about deleted sessions.
  ask('stats', { deleted: true })
  // @ts-expect-error: no such parameter either.
  askMore(ask('listing'), { form: 60 })
  // @ts-expect-error: it only reads.
  void sent('tags', {})
  // @ts-expect-error: no such field.
  void sent('tag', { sesion: '640ab4c7' })
  // @ts-expect-error: the name also tells what may be asked where something else waits for the answer.
  void fetched(ask('cron', { owner: 'api' }))
  // @ts-expect-error: nobody checked this text.
  void fetched('/api/outline')
  // @ts-expect-error: a file, not JSON.
  void fetched(ask('export', { session: '640ab4c7' }))
}

async function wrongAnswers(): Promise<void> {
  const { documents } = await fetched(ask('memory', { owner: 'api', versions: true }))
  expectTypeOf(documents[0]!.versions).toBeNumber()
  // @ts-expect-error: a number.
  expectTypeOf(documents[0]!.versions).toBeString()
  // @ts-expect-error: that is in the answer of another endpoint.
  void (await fetched(ask('outline'))).documents
  // @ts-expect-error: another endpoint answers here.
  const other: Address<'stats'> = ask('search', { query: ['payment'] })
  void other
  expectTypeOf(await sent('tag', { session: '640ab4c7', star: true })).toEqualTypeOf<AnswerTo<'tag'>>()
  expectTypeOf<Exclude<ReadingName, JsonName>>().toEqualTypeOf<'export' | 'image'>()
}

void [wrongQuestions, wrongAnswers]
