import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createServerStore } from '../../src/surfaces/server-store.ts'
import { contextFor } from '../context.ts'
import { answer, type Json } from '../program.ts'
import { append, claude, putClaude, TOKEN, temporaryHome, text, uuid } from '../records.ts'
import { scriptedEncoder, textsSentTo } from '../scripted-encoder.ts'
import type { ScriptedServer } from '../scripted-server.ts'

let home: string
let store: string

beforeEach(() => {
  home = temporaryHome()
  store = join(home, '.scrollback/store.sqlite')
  const talk = (session: number, first: string, reply: string) =>
    putClaude(home, uuid(session), [
      claude.user(session * 10, first),
      claude.reply(session * 10 + 1, [text(reply)]),
    ])
  talk(50, 'Please put the automobile into its house', 'The vehicle is in the garage now.')
  talk(51, `Repay the customer of order 17, with ${TOKEN}`, 'She has got her money back today.')
  talk(52, 'Has anybody been watering the ferns?', 'The ferns got two litres of water each.')
})

const ask = async (name: string, given: Record<string, unknown>, variables: Record<string, string> = {}) => {
  const environment = { home, variables, dirs: { 'claude-code': [join(home, '.claude')], openclaw: [] } }
  const asked = await answer(name, given, environment as never, { store })
  return { ...asked, json: JSON.parse(asked.json()) as Json }
}

const turnOn = async (encoder: ScriptedServer, more: object = {}): Promise<void> => {
  await ask('meaning', { action: 'on', endpoint: `${encoder.address}/v1`, model: 'subjects', ...more })
  await ask('index', {})
}

const PARAPHRASE = { query: ['where did we leave the car'] }
const databaseOf = (): DatabaseSync => new DatabaseSync(store)

describe('search by meaning', () => {
  it('finds a session that has none of the words, and says why each session is there', async () => {
    await using encoder = await scriptedEncoder()
    const before = await ask('search', PARAPHRASE)
    expect(before.json.hits).toEqual([])
    await turnOn(encoder)
    const { json, text } = await ask('search', PARAPHRASE)
    expect(json.hits[0]).toMatchObject({ session: uuid(50), by: ['meaning'], words: 0 })
    expect(json.hits[0].similarity).toBeGreaterThan(0.9)
    expect(text).toMatch(/ by meaning: /)
    expect(text).toContain('best sessions first, by your words and by meaning')
    const both = await ask('search', { query: ['which plants got two litres of water'] })
    expect(both.json.hits[0]).toMatchObject({ session: uuid(52), by: ['words', 'meaning'] })
    expect(both.text).toMatch(/by words \((?:all|\d of \d)\) and by meaning/)
    const words = await ask('search', { query: ['who is anybody and what has he been'] })
    expect(words.json.hits[0]).toMatchObject({ session: uuid(52) })
  })

  it('keeps to the filters of a query', async () => {
    await using encoder = await scriptedEncoder()
    await turnOn(encoder)
    const sessionsOf = async (query: string): Promise<string[]> =>
      [
        ...new Set(
          ((await ask('search', { query: [query] })).json.hits as Json[]).map(({ session }) => session),
        ),
      ] as string[]
    expect(await sessionsOf('where did we leave the car')).toContain(uuid(50))
    expect(await sessionsOf(`where did we leave the car session:${uuid(52)}`)).not.toContain(uuid(50))
    expect(await sessionsOf('where did we leave the car before:2001-01-01')).toEqual([])
    const { json } = await ask('search', { query: ['where did we leave the car who:human'] })
    expect(json.hits.map(({ who }: Json) => who)).toEqual(json.hits.map(() => 'human'))
    expect(json.hits.length).toBeGreaterThan(0)
  })

  it('sends nothing before it is on, nor for words that are no sentence, nor for the hook of prompts', async () => {
    await using encoder = await scriptedEncoder()
    await ask('index', {})
    await ask('search', PARAPHRASE)
    expect(encoder.seen).toEqual([])
    await turnOn(encoder)
    const sent = encoder.seen.length
    for (const query of ['car', '"the car"', 'car garage', 'who:human'])
      await ask('search', { query: [query] })
    await ask('search', { ...PARAPHRASE, sort: 'newest' })
    expect(encoder.seen.length).toBe(sent)
    await ask('search', PARAPHRASE)
    expect(encoder.seen.length).toBe(sent + 1)
  })

  it('redacts messages and queries before they leave', async () => {
    await using encoder = await scriptedEncoder()
    await turnOn(encoder)
    const messages = textsSentTo(encoder).join('\n')
    expect(messages).toContain('Repay the customer of order 17, with [REDACTED:')
    expect(messages).not.toContain(TOKEN)
    const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
    await ask('search', { query: [`why did we give the money back with ${key}`] })
    expect(textsSentTo(encoder).at(-1)).toMatch(/^why did we give the money back with \[REDACTED:.*\]$/)
  })

  it('answers by words if the encoder does not answer, and says so in one line', async () => {
    const encoder = await scriptedEncoder()
    await turnOn(encoder)
    await encoder[Symbol.asyncDispose]()
    const { json, notes } = await ask('search', { query: ['did the ferns get water from us'] })
    expect(json.hits[0]).toMatchObject({ session: uuid(52) })
    expect(json.hits[0]).not.toHaveProperty('by')
    expect(notes).toEqual([
      `Searched by words only, because meaning is not available: ${encoder.address}/v1/embeddings: connection refused`,
    ])
  })

  it('follows no redirect', async () => {
    await using other = await scriptedEncoder()
    await using encoder = await scriptedEncoder((_, response, count) => {
      if (count === 1) return false
      response.writeHead(307, { location: `${other.address}/v1/embeddings` }).end()
      return true
    })
    await turnOn(encoder)
    const { json } = await ask('meaning', {})
    expect(json).toMatchObject({ on: true, messages: { done: 0, waiting: 6 } })
    expect(json.fault).toContain('redirect')
    expect(other.seen).toEqual([])
  })

  it('goes on where it stopped, and with what is new', async () => {
    await using encoder = await scriptedEncoder((_, response, count) => {
      if (count !== 2) return false
      response.writeHead(404).end()
      return true
    })
    await turnOn(encoder)
    expect((await ask('meaning', {})).json).toMatchObject({ messages: { done: 0, waiting: 6 } })
    const { json } = await ask('index', {})
    expect(json.meaning.messages).toBe(6)
    expect((await ask('meaning', {})).json).toMatchObject({ messages: { done: 6, waiting: 0 }, fault: null })
    append(
      join(home, '.claude/projects/-home-ann-garden', `${uuid(52)}.jsonl`),
      claude.user(599, 'Buy another vehicle tomorrow'),
    )
    expect((await ask('index', {})).json.meaning.messages).toBe(1)
    const sent = textsSentTo(encoder)
    const last = sent.filter((each) => each.includes('another vehicle'))
    expect(last).toHaveLength(1)
    // With what was said before it in the session.
    expect(last[0]).toMatch(/^.+\nBuy another vehicle tomorrow$/)
    const own = sent.map((each) => each.split('\n').at(-1)!)
    expect(own.filter((each) => each.includes('in the garage'))).toHaveLength(2)
  })

  it('never mixes the vectors of two models', async () => {
    await using encoder = await scriptedEncoder()
    await turnOn(encoder)
    await ask('meaning', { action: 'on', endpoint: `${encoder.address}/v1`, model: 'others' })
    expect((await ask('meaning', {})).json).toMatchObject({
      model: 'others',
      messages: { done: 0, waiting: 6 },
    })
    expect((await ask('search', PARAPHRASE)).json.hits).toEqual([])
    await ask('index', {})
    expect((await ask('search', PARAPHRASE)).json.hits).not.toEqual([])
  })

  it('deletes the vectors of forgotten sessions, and all of them when it is turned off', async () => {
    await using encoder = await scriptedEncoder()
    await turnOn(encoder)
    const vectorsOf = (): number[] => {
      using database = databaseOf()
      return database
        .prepare('SELECT messages, vectors FROM vector')
        .all()
        .flatMap(({ messages, vectors }) => {
          expect((vectors as Uint8Array).length).toBe((messages as Uint8Array).length * 5)
          return [...(messages as Uint8Array)]
        })
    }
    expect(vectorsOf()).toHaveLength(6)
    await ask('forget', { target: [uuid(50)], yes: true })
    expect(vectorsOf()).toHaveLength(4)
    const { json } = await ask('search', PARAPHRASE)
    expect(json.hits.map(({ session }: Json) => session)).not.toContain(uuid(50))
    await expect(ask('meaning', { action: 'off' })).rejects.toThrow('Nothing was removed')
    expect((await ask('meaning', { action: 'off', dryRun: true })).text).toMatch(/^Would delete 4 vectors/)
    expect((await ask('meaning', { action: 'off', yes: true })).json).toMatchObject({ on: false })
    using database = databaseOf()
    expect(
      database
        .prepare("SELECT name FROM sqlite_schema WHERE name GLOB '*meaning*' OR name GLOB 'vector*'")
        .all(),
    ).toEqual([])
  })
})

it('a server gives messages vectors between the questions, where it is on', async () => {
  await using encoder = await scriptedEncoder()
  const environment = { home, variables: {}, dirs: { 'claude-code': [join(home, '.claude')], openclaw: [] } }
  const server = createServerStore(contextFor(environment as never, { storePath: store }))
  onTestFinished(() => server.close())
  const { vectors } = server.context([]).fresh.store
  expect(encoder.seen).toEqual([])
  await ask('meaning', { action: 'on', endpoint: `${encoder.address}/v1`, model: 'subjects' })
  server.refresh([])
  await expect.poll(() => vectors!.counts(), { timeout: 20_000 }).toMatchObject({ done: 6, waiting: 0 })
})

describe('turning it on', () => {
  const on = (given: object, variables?: Record<string, string>) =>
    ask('meaning', { action: 'on', ...given }, variables)
  const endpoint = 'http://127.0.0.1:9/v1'

  it.each([
    ['without an address', { model: 'subjects' }, '--endpoint is missing'],
    ['without a model', { endpoint }, '--model is missing'],
    [
      'with a name instead of an address',
      { endpoint: 'ollama', model: 'subjects' },
      'not the address of a server',
    ],
    [
      'with a password in the address',
      { endpoint: 'http://ann:secret@127.0.0.1/v1', model: 'subjects' },
      'would be stored',
    ],
    ['where nobody listens', { endpoint, model: 'subjects' }, 'Search by meaning was not turned on'],
    [
      'with a variable that is empty',
      { endpoint, model: 'subjects', tokenEnv: 'NOTHING' },
      'contains no token',
    ],
  ])('refuses %s', async (_, given, message) => {
    await expect(on(given)).rejects.toThrow(message)
    expect((await ask('meaning', {})).json.on).toBe(false)
  })

  it('sends the token of a variable, and stores only its name', async () => {
    await using encoder = await scriptedEncoder()
    const variables = { MODELS_TOKEN: 'the-word-at-the-gate' }
    await on({ endpoint: `${encoder.address}/v1/`, model: 'subjects', tokenEnv: 'MODELS_TOKEN' }, variables)
    expect(encoder.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/embeddings', 'Bearer the-word-at-the-gate'],
    ])
    using database = databaseOf()
    const [set] = database.prepare('SELECT * FROM meaning').all()
    expect(JSON.stringify(set)).toContain('MODELS_TOKEN')
    expect(JSON.stringify(set)).not.toContain('gate')
  })

  it('sends nothing with --dry-run, and says how much it would send', async () => {
    await using encoder = await scriptedEncoder()
    const { text } = await on({ endpoint: encoder.address, model: 'subjects', dryRun: true })
    expect(text).toMatch(/^Would send the texts of 6 messages, about \d+ tokens, to http/)
    expect(encoder.seen).toEqual([])
    expect((await ask('meaning', {})).json.on).toBe(false)
  })

  it('refuses an answer that is none of an encoder', async () => {
    await using encoder = await scriptedEncoder((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: [{ index: 0, embedding: ['one'] }] }))
      return true
    })
    await expect(on({ endpoint: encoder.address, model: 'subjects' })).rejects.toThrow(
      'a vector for each text',
    )
  })
})
