import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { append, call, claude, putClaude, sharedHome, temporaryHome, text, uuid } from '../records.ts'
import { demoServer, pageServer, sharedServer } from './page-server.ts'

type Json = Record<string, unknown>

/** Numbers from their distances. */
function summed(distances: readonly (number | null)[]): (number | null)[] {
  let last = 0
  return distances.map((each) => {
    last += each ?? 0
    return each === null ? null : last
  })
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const image = (bytes: Buffer, media_type = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data: bytes.toString('base64') },
})

/** A secret, which is assembled here so that no scanner finds it in this file. */
const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const LINES = [
  claude.user(1, 'Paint the fence.', {
    message: {
      role: 'user',
      content: [
        text('Paint the fence.'),
        image(PNG),
        image(Buffer.from('<svg onload="alert(1)"/>'), 'image/svg+xml'),
      ],
    },
  }),
  claude.reply(2, [{ type: 'thinking', thinking: 'Green, or white?' }]),
  claude.reply(3, [
    call('call_1', 'Edit', {
      file_path: '/home/ann/garden/fence.txt',
      old_string: 'brown',
      new_string: 'green',
    }),
    call('call_2', 'Bash', { command: `paint --key ${secret}` }),
  ]),
  claude.result(4, 'call_1', 'The file was changed.'),
  claude.result(5, 'call_2', 'no paint left', true),
  claude.reply(6, [text('The fence is green, but the paint is used up.')]),
]

type Ask = Awaited<ReturnType<typeof pageServer>>['ask']

const asking = (ask: Ask, path: string) => ({
  path,
  ask,
  json: async (address: string): Promise<Json> => JSON.parse((await ask(`/api/${address}`)).text) as Json,
  session: encodeURIComponent(path),
})

const over = (home: string): Parameters<typeof pageServer> => [
  { claudeDir: [join(home, '.claude')] } as GlobalFlags,
  { data: join(home, 'data') },
]

/** A server over a home with one session, which a test may change. */
async function serverOver(lines: readonly object[]) {
  const home = temporaryHome()
  const path = putClaude(home, uuid(1), lines)
  const { ask } = await pageServer(...over(home))
  return asking(ask, path)
}

const sessionsHome = sharedHome()
const ofSessions = sharedServer(...over(sessionsHome))
let sessionsKept = 0

/** One of the sessions that no test changes, which share a server. They have to be known before the first test. */
function sharedSession(lines: readonly object[]) {
  const id = uuid(++sessionsKept)
  const path = putClaude(sessionsHome, id, lines)
  return async () => ({ ...asking((await ofSessions()).ask, path), id })
}

const fence = sharedSession(LINES)

describe('the items of a session', () => {
  it('are those of read, with their position, from any position', async () => {
    const { ask } = await demoServer()
    for (const id of ['640ab4c7', '21c10370', 'e7b3ed29', 'e7cf0499']) {
      const one = JSON.parse((await ask(`/api/items?session=${id}`)).text) as { items: Json[]; count: number }
      const path = encodeURIComponent(String(one.items[0]!.path))
      const whole = JSON.parse((await ask(`/api/read?target=${path}`)).text) as { items: Json[] }
      expect(one.items).toEqual(whole.items.map((item, index) => ({ ...item, index })))
      const { count } = one
      for (const [from, to] of [
        [-3, undefined],
        [2, 5],
        [count - 1, count],
        [0, 0],
        [-1, -1],
        [count, undefined],
        [-5000, 2],
      ] as const) {
        const part = JSON.parse(
          (await ask(`/api/items?session=${id}&from=${from}${to === undefined ? '' : `&to=${to}`}`)).text,
        ) as Json
        const expected = one.items.slice(from, to)
        expect([part.count, part.items]).toEqual([count, expected])
        if (expected.length > 0)
          expect([part.from, part.to]).toEqual([expected[0]!.index, Number(expected.at(-1)!.index) + 1])
      }
    }
  })

  it('are laid out by the outline, each with its speaker, line and size', async () => {
    const { ask } = await demoServer()
    for (const id of ['640ab4c7', '21c10370', 'e7b3ed29']) {
      const { items } = JSON.parse((await ask(`/api/items?session=${id}`)).text) as { items: Json[] }
      const outline = JSON.parse((await ask(`/api/outline?session=${id}`)).text) as Json & {
        who: string
        line: number[]
        at: (number | null)[]
        humans: Json[]
      }
      const letters: Record<string, string> = {
        human: 'h',
        agent: 'a',
        program: 'p',
        tool: 't',
        error: 'e',
        marker: 'm',
      }
      expect(outline.count).toBe(items.length)
      expect(outline.who).toBe(items.map(({ who }) => letters[String(who)]).join(''))
      expect(summed(outline.line)).toEqual(items.map(({ line }) => line))
      expect(outline.size).toEqual(
        items.map((item) => (item.text === null ? 0 : [...String(item.text)].length)),
      )
      expect(summed(outline.at)).toEqual(items.map(({ at }) => (at === null ? null : Date.parse(String(at)))))
      expect(outline.humans.map(({ index }) => index)).toEqual(
        items.filter(({ who }) => who === 'human').map(({ index }) => index),
      )
      const listed = JSON.parse((await ask('/api/sessions?all=true')).text) as { sessions: Json[] }
      const { short: _, ...row } = listed.sessions.find(({ path }) => path === items[0]!.path)!
      expect(outline.session).toEqual(row)
    }
  })

  it('name the subagents where they were started', async () => {
    const { ask } = await demoServer()
    const { subagents, children, line, who } = JSON.parse(
      (await ask('/api/outline?session=21c10370')).text,
    ) as {
      subagents: { index: number; line: number; session: string; path: string }[]
      children: Json[]
      line: number[]
      who: string
    }
    const { runs } = JSON.parse((await ask('/api/runs?project=21c10370')).text) as { runs: Json[] }
    expect(children).toEqual(runs)
    expect(subagents).toHaveLength(1)
    const [{ index, line: at, session }] = subagents as [(typeof subagents)[0]]
    expect([summed(line)[index], who[index], session]).toEqual([at, 't', 'agent-a11c40c47cba93202'])
  })

  const many = sharedSession(
    Array.from({ length: 1200 }, (_, at) => claude.user(at + 1000, `Question ${at}?`)),
  )

  it('can be more than fit into an answer', async () => {
    const { json, session } = await many()
    const last = (await json(`items?session=${session}&from=-60`)) as { items: Json[] }
    expect(last).toMatchObject({ count: 1200, from: 1140, to: 1200 })
    expect(last.items.at(-1)).toMatchObject({ text: 'Question 1199?', index: 1199 })
    expect(await json(`items?session=${session}&from=100`)).toMatchObject({ from: 100, to: 600 })
  })
})

describe('a record', () => {
  it('has its thinking, and its calls with input, output and changes', async () => {
    const { json, session } = await fence()
    expect(await json(`record?session=${session}&line=2`)).toMatchObject({
      line: 2,
      thinking: 'Green, or white?',
    })
    const { calls } = (await json(`record?session=${session}&line=3`)) as { calls: Json[] }
    expect(calls[0]).toEqual({
      id: 'call_1',
      name: 'Edit',
      output: 'The file was changed.',
      outputLine: 4,
      images: [],
      input: JSON.stringify(
        (LINES[2] as unknown as { message: { content: { input: object }[] } }).message.content[0]!.input,
        null,
        2,
      ),
      diff: [{ path: '/home/ann/garden/fence.txt', before: 'brown', after: 'green' }],
    })
    expect(calls[1]).toMatchObject({ output: 'no paint left', isError: true, outputLine: 5 })
    expect(await json(`record?session=${session}&line=5`)).toMatchObject({
      results: [{ id: 'call_2', output: 'no paint left', isError: true }],
    })
  })

  const inBlocks = sharedSession([
    claude.user(11, 'Paint the fence.'),
    claude.block(12, 'reply_1', { type: 'thinking', thinking: 'Green, or white?' }),
    claude.block(13, 'reply_2', { type: 'thinking', thinking: 'Of another reply.' }),
    claude.block(14, 'reply_1', { type: 'thinking', thinking: 'Green lasts longer.' }),
    claude.block(15, 'reply_1', text('I paint it green.')),
    claude.block(16, 'reply_1', call('call_1', 'Bash', { command: 'paint' })),
    claude.result(17, 'call_1', 'Painted.'),
    claude.block(18, 'reply_3', text('The fence is green.')),
  ])

  it('has the thinking of its reply, of which each block is a line of its own', async () => {
    const { json, session } = await inBlocks()
    expect(await json(`record?session=${session}&line=5`)).toMatchObject({
      thinking: 'Green, or white?\n\nGreen lasts longer.',
    })
    // It is shown once.
    for (const line of [6, 8])
      expect(await json(`record?session=${session}&line=${line}`)).not.toHaveProperty('thinking')
  })

  const strange = sharedSession([
    claude.user(21, 'Paint the fence.'),
    claude.reply(22, [call('call_1', 'Evil<b>', { 'a\u001b[31m\u202eb': 'green' })]),
    claude.result(23, 'call_1', 'Painted.'),
  ])

  it('is found if the keys of its tool input contain escapes', async () => {
    const { json, session } = await strange()
    const { calls } = (await json(`record?session=${session}&line=2`)) as { calls: Json[] }
    expect(calls).toMatchObject([{ name: 'Evil<b>', output: 'Painted.', outputLine: 3 }])
  })

  it('contains no secret', async () => {
    const { ask, session } = await fence()
    const { text: answer } = await ask(`/api/record?session=${session}&line=3`)
    expect(answer).toContain('[REDACTED:')
    expect(answer).not.toContain(secret)
  })

  const long = sharedSession([
    claude.reply(31, [call('call_1', 'Bash', { command: 'seq' })]),
    claude.result(32, 'call_1', `${'number '.repeat(40_000)}`),
  ])

  it('is cut if it is very long, which it says', async () => {
    const { json, session } = await long()
    const { calls } = (await json(`record?session=${session}&line=1`)) as {
      calls: { output: string; cut?: boolean }[]
    }
    expect([calls[0]!.output.length, calls[0]!.cut]).toEqual([200_000, true])
  })

  it('is gone with its file, which the error says', async () => {
    const { ask, json, path, session } = await serverOver(LINES)
    await json('sessions?all=true')
    rmSync(path)
    const { status, text: answer } = await ask(`/api/record?session=${session}&line=3`)
    expect([status, answer.includes('lost with the file') || answer.includes('vanished')]).toEqual([
      404,
      true,
    ])
  })
})

describe('an image', () => {
  it('is sent as it was recorded, and cannot run anything', async () => {
    const { ask, json, session } = await fence()
    const { images } = await json(`record?session=${session}&line=1`)
    expect(images).toEqual([{ line: 1, index: 0, type: 'image/png', bytes: PNG.length }])
    const { status, headers, bytes } = await ask(`/api/image?session=${session}&line=1&index=0`)
    expect([status, bytes]).toEqual([200, PNG])
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  const heads = [
    ['ffd8ffe0', 'image/jpeg'],
    ['474946383961', 'image/gif'],
    ['524946460000000057454250', 'image/webp'],
  ] as const
  const others = ['<html><script>', 'GIF88a', '%PDF-1.7', 'RIFF1234WAVE']
  const pictures = sharedSession([
    claude.user(41, '', {
      message: {
        role: 'user',
        content: [
          text('Look.'),
          ...heads.map(([head]) =>
            image(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(20)]), 'image/svg+xml'),
          ),
          ...others.map((each) => image(Buffer.from(each.padEnd(30)))),
        ],
      },
    }),
  ])

  it('is only one of four types, by its bytes and not by what the record states', async () => {
    const { ask, session } = await fence()
    expect((await ask(`/api/image?session=${session}&line=1&index=1`)).status).toBe(404)
    const { ask: again, session: other } = await pictures()
    const types = []
    for (let index = 0; index < 8; index++) {
      const { status, headers } = await again(`/api/image?session=${other}&line=1&index=${index}`)
      types.push(status === 200 ? headers['content-type'] : status)
    }
    expect(types).toEqual([...heads.map(([, type]) => type), 404, 404, 404, 404, 404])
  })
})

describe('what happens to sessions', () => {
  it('is shown while they are live, with their last items', async () => {
    const now = (minutes: number) => ({ timestamp: new Date(Date.now() - minutes * 60_000).toISOString() })
    const { json, path } = await serverOver([
      claude.user(1, 'One.', now(5)),
      ...['Two.', 'Three.', 'Four.'].map((words, at) => claude.reply(at + 2, [text(words)], now(4 - at))),
    ])
    const { sessions } = (await json('live')) as { sessions: { path: string; last: Json[] }[] }
    expect(sessions.map((each) => [each.path, each.last.map((item) => item.text)])).toEqual([
      [path, ['Two.', 'Three.', 'Four.']],
    ])
  })

  it('is nothing yet while nothing is written in them', async () => {
    const title = { type: 'custom-title', sessionId: uuid(1), customTitle: 'Not begun' }
    const { json, path } = await serverOver([title])
    const { sessions } = (await json('sessions?all=true')) as { sessions: Json[] }
    expect(sessions).toMatchObject([{ path }])
    expect(await json('live')).toEqual({ version: 1, sessions: [] })
  })

  it('is announced before their client deletes them, with what is stored of them', async () => {
    const { json, path } = await serverOver(LINES)
    const days = (count: number): number => Date.now() / 1000 - count * 86_400
    utimesSync(path, days(28), days(28))
    const { sessions, rules, ...sums } = (await json('vanishing')) as { sessions: Json[]; rules: Json[] }
    expect(sums).toEqual({ version: 1, total: 1, stored: 1, archived: 0 })
    expect(rules).toMatchObject([
      { platform: 'claude-code', days: 30, setting: 'cleanupPeriodDays' },
      { platform: 'gemini-cli', days: 30, setting: 'general.sessionRetention.maxAge' },
    ])
    expect(sessions).toMatchObject([{ path, stored: true }])
    const inDays = (Date.parse(String(sessions[0]!.deletesAt)) - Date.now()) / 86_400_000
    expect(Math.round(inDays)).toBe(2)
  })

  it('is in the next answer, also without a page that listens', async () => {
    const { json, path, session } = await serverOver(LINES)
    const before = (await json(`items?session=${session}`)) as { count: number }
    append(path, claude.user(7, 'Buy more.'))
    expect(readFileSync(path, 'utf8')).toContain('Buy more.')
    // The store is compared with the disk at most once a second.
    let after = before
    while (after.count === before.count) {
      await pass(100)
      after = (await json(`items?session=${session}`)) as { count: number }
    }
    expect(after.count).toBe(before.count + 1)
  })

  it('has its new title in the next search, although titles are cached', async () => {
    const { json, path } = await serverOver(LINES)
    const titles = async (): Promise<unknown[]> => {
      const { hits } = (await json('search?query=pruning')) as { hits: Json[] }
      return hits.map((hit) => hit.snippet)
    }
    expect(await titles()).toEqual([])
    for (const title of ['Pruning the roses', 'Pruning the vine']) {
      append(path, { type: 'custom-title', customTitle: title })
      // The store is compared with the disk at most once a second.
      let found = await titles()
      while (!found.includes(title)) {
        await pass(100)
        found = await titles()
      }
      expect(found).toEqual([title])
    }
  })
})

it('the branches of a session part where their records say, also within another branch, and are unknown without the file', async () => {
  const home = temporaryHome()
  const back = (id: number) => ({ parentUuid: uuid(id) })
  const path = putClaude(home, uuid(0), [
    claude.user(1, 'Where do the ferns grow?', { parentUuid: null }),
    claude.reply(2, [text('In the shade.')]),
    claude.user(3, 'And in the desert?'),
    claude.reply(4, [call('toolu_4', 'Bash', { command: 'ls /srv/desert' })]),
    claude.result(5, 'toolu_4', 'nothing'),
    claude.reply(6, [text('Nowhere.')]),
    claude.user(7, 'And in a cave?'),
    claude.reply(8, [text('Rarely.')]),
    claude.user(9, 'And on a roof?', back(6)),
    claude.reply(10, [text('Yes.')]),
    claude.user(11, 'And at sea?', back(2)),
    claude.reply(12, [text('No.')]),
    claude.user(13, 'And in winter?', back(2)),
    claude.reply(14, [text('They sleep.')]),
  ])
  const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
  const { ask } = await pageServer(flags, { data: join(home, 'data') })
  const found = async (): Promise<unknown> =>
    JSON.parse((await ask(`/api/branches?session=${uuid(0)}`)).text).branches
  // The items: 0 and 1 are kept, 2 to 9 and 10 are abandoned.
  expect(await found()).toEqual([
    { index: 2, after: 1 },
    { index: 7, after: 4 },
    { index: 9, after: 1 },
  ])
  rmSync(path)
  expect(await found()).toEqual([])
})

it('the sessions beside one are found however many are newer, and are none at both ends', async () => {
  const many = 1010
  const home = temporaryHome()
  for (let number = 1; number <= many; number++) {
    const at = { sessionId: uuid(number), timestamp: new Date(Date.UTC(2026, 0, 1) + number * 60_000) }
    putClaude(home, uuid(number), [claude.user(1, 'Where do the ferns grow?', at)])
  }
  const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
  const { ask } = await pageServer(flags, { data: join(home, 'data') })
  const beside = async (number: number): Promise<Json> =>
    JSON.parse((await ask(`/api/neighbors?session=${uuid(number)}`)).text) as Json
  expect(await beside(4)).toEqual({ version: 1, newer: uuid(5), older: uuid(3) })
  expect(await beside(1)).toEqual({ version: 1, newer: uuid(2), older: null })
  expect(await beside(many)).toEqual({ version: 1, newer: null, older: uuid(many - 1) })
})

it('a session is found by its whole id, of any characters and however short, and by no shorter beginning', async () => {
  const home = temporaryHome()
  const ids = ['%s', 'a', 'abc', 'a%20b', '100%done', '%25', 'é', 'plain-id-1']
  for (const id of ids) putClaude(home, id, [claude.user(1, `Paint ${id}`, { sessionId: id })])
  const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
  const { ask } = await pageServer(flags, { data: join(home, 'data') })
  const found = async (id: string): Promise<unknown> => {
    const { session, error } = JSON.parse(
      (await ask(`/api/outline?session=${encodeURIComponent(id)}`)).text,
    ) as { session?: { id: string }; error?: string }
    return session?.id ?? error
  }
  for (const id of ids) expect(await found(id)).toBe(id)
  expect(await found('plain')).toBe('plain-id-1')
  for (const id of ['pla', '%', '10', '%2']) expect(await found(id)).toBe(`"${id}": no such session.`)
})

describe('the positions of what a query finds in a session', () => {
  it('count as the outline does, of words, speakers, tools and errors', async () => {
    const { json } = await fence()
    const { who } = (await json(`outline?session=${uuid(1)}`)) as { who: string }
    expect(who).toBe('httea')
    const found = async (query: string): Promise<(number | null)[]> => {
      const { positions } = await json(`positions?session=${uuid(1)}&query=${encodeURIComponent(query)}`)
      return summed(positions as number[])
    }
    expect(await found('fence')).toEqual([0, 1, 4])
    expect(await found('ain')).toEqual([0, 2, 3, 4])
    expect(await found('paint who:agent')).toEqual([4])
    expect(await found('who:human')).toEqual([0])
    expect(await found('tool:Bash')).toEqual([2, 3])
    expect(await found('is:error')).toEqual([3])
    expect(await found('fence -who:agent')).toEqual([0, 1])
    expect(await found('heron')).toEqual([])
    expect(await json(`positions?session=${uuid(1)}`)).toEqual({ version: 1, positions: [], remarks: [] })
    expect(await json(`positions?session=${uuid(1)}&query=is:blue`)).toMatchObject({
      remarks: [expect.stringContaining('is:blue is not a known property')],
    })
    expect(await json(`positions?session=${uuid(1)}&query=project:garden`)).toMatchObject({
      error: 'query: a filter of sessions finds nothing within one',
    })
  })

  it('include what a client has cut off its file', async () => {
    const { path, json } = await serverOver([...LINES, claude.user(7, 'And the gate?')])
    const found = async (query: string) =>
      summed((await json(`positions?session=${uuid(1)}&query=${query}`)).positions as number[])
    expect(await found('gate')).toEqual([5])
    writeFileSync(path, `${JSON.stringify(claude.user(7, 'And the gate?'))}\n`)
    const { items } = (await json(`items?session=${uuid(1)}`)) as { items: Json[] }
    const at = (holds: (item: Json) => boolean): number[] =>
      items.flatMap((item, position) => (holds(item) ? [position] : []))
    expect(at(({ text: words }) => String(words).includes('fence')).length).toBeGreaterThan(1)
    expect(await found('fence')).toEqual(
      at(({ text: words, tool }) => /fence/.test(`${words} ${JSON.stringify(tool)}`)),
    )
    expect(await found('is:error')).toEqual(at(({ who }) => who === 'error'))
    expect(await found('who:human')).toEqual(at(({ who }) => who === 'human'))
    expect(await found('-who:human')).toEqual(
      at(({ who, line, marker }) => who !== 'human' && !(line === 1 && marker)),
    )
    expect(await found('gate')).toEqual(at(({ text: words }) => String(words).includes('gate')))
  })
})
