import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { runSourcesInThread } from '../program.ts'
import { temporaryHome } from '../records.ts'
import { demoServer } from './page-server.ts'

const SESSION = '640ab4c7-d010-4b20-a591-b7172ef08e66'

/** Addresses below `/api/`, with the same question on the command line. */
const QUESTIONS: readonly (readonly [address: string, line: readonly string[]])[] = [
  ['overview', []],
  ['projects?name=eastore', ['projects', 'eastore']],
  ['sessions?all=true&sort=size', ['sessions', '--all', '--sort', 'size']],
  [
    'sessions?project=web&since=2026-10-01&until=2026-10&limit=3',
    ['sessions', 'web', '--since', '2026-10-01', '--until', '2026-10', '--limit', '3'],
  ],
  [`session?session=${SESSION}`, ['session', SESSION]],
  [`read?target=${SESSION}&target=latest&full=true`, ['read', SESSION, 'latest', '--full']],
  ['search?query=tax&query=who%3Ahuman&context=1', ['search', 'tax', 'who:human', '--context', '1']],
  ['runs?all=true', ['runs', '--all']],
  ['stats?by=model&timezone=UTC', ['stats', '--by', 'model', '--timezone', 'UTC']],
  ['cron?job=stock', ['cron', 'stock']],
  ['memory', ['memory']],
  ['secrets?all=true', ['secrets', '--all']],
  ['doctor', ['doctor']],
  ['resume?session=640ab4c7', ['resume', '640ab4c7']],
  ['changes?session=640ab4c7', ['changes', '640ab4c7']],
  ['tags', ['tag']],
  [
    'why?file=/home/dev/eastore/api/src/orders/store.js',
    ['why', '/home/dev/eastore/api/src/orders/store.js'],
  ],
  [
    'standup?since=2026-10-29&until=2026-10-30',
    ['standup', '--since', '2026-10-29', '--until', '2026-10-30'],
  ],
  ['devlog?project=api&yes=true', ['devlog', 'api', '--yes']],
]

/** Addresses of what only the page asks. */
const OWN = [
  `items?session=${SESSION}&from=-5`,
  `outline?session=${SESSION}`,
  'outline?session=21c10370',
  `positions?session=${SESSION}&query=stock+who:human`,
  `record?session=${SESSION}&line=6`,
  'listing?all=true&from=2&limit=3&group=project',
  'choices',
  'live',
  'vanishing?limit=0',
  'rescue',
  'facets?all=true&query=project:api',
  'listing?all=true&group=day&costs=true&query=who:human',
  `neighbors?session=${SESSION}`,
  `branches?session=${SESSION}`,
  'collector',
]

describe('the server of the page', () => {
  it('answers every question as the command line does with --json, byte for byte', async () => {
    const { ask } = await demoServer()
    const home = temporaryHome()
    for (const [address, line] of QUESTIONS) {
      const { status, text } = await ask(`/api/${address}`)
      expect([address, status, text]).toEqual([
        address,
        200,
        runSourcesInThread([...line, '--json', '--demo'], home).stdout,
      ])
    }
  })

  it('describes every endpoint in a valid document, and answers as described', async () => {
    const { ask } = await demoServer()
    const { text } = await ask('/api/openapi.json')
    const document = JSON.parse(text) as OpenApi
    expect(await new Validator().validate(document as never)).toMatchObject({ valid: true })
    const checked = new Set<string>()
    for (const address of [...QUESTIONS.map(([each]) => each), ...OWN]) {
      const name = address.replace(/\?.*/, '')
      const { schema } = document.paths[`/api/${name}`]!.get!.responses[200].content['application/json']!
      const { status, text: answer } = await ask(`/api/${address}`)
      const parsed = z.fromJSONSchema(schema as never).safeParse(JSON.parse(answer))
      expect([address, status, parsed.error?.issues ?? []]).toEqual([address, 200, []])
      checked.add(name)
    }
    const others = ['events', 'openapi.json', 'image', 'export', 'tag']
    expect(
      Object.keys(document.paths)
        .map((path) => path.slice('/api/'.length))
        .sort(),
    ).toEqual([...checked, ...others].sort())
  })

  it('refuses wrong parameters with the name of the parameter', async () => {
    const { ask } = await demoServer()
    const errors = await Promise.all(
      [
        'sessions?sort=colour',
        'sessions?all=perhaps',
        'sessions?limit=-1',
        'sessions?limit=1&limit=2',
        'sessions?since=whenever',
        'sessions?colour=red',
        'sessions?long=true',
        'read?editor=true',
        'resume?session=640ab4c7&run=true',
        'sessions?since=today&until=yesterday',
        'listing?since=today&until=yesterday',
        'stats?since=today&until=yesterday',
        'items?session=640ab4c7&from=first',
        'items',
        'record?session=640ab4c7',
      ].map(async (address) => {
        const { status, text } = await ask(`/api/${address}`)
        return [address, status, Object.keys(JSON.parse(text) as object)]
      }),
    )
    for (const [address, status, keys] of errors)
      expect([address, status, keys]).toEqual([address, 400, ['version', 'error', 'hint']])
  })

  it('names the values that a field takes', async () => {
    const { ask } = await demoServer()
    const { hint } = JSON.parse((await ask('/api/stats?by=hour')).text) as { hint: string }
    expect(hint).toMatch(/^Choose day, week, month, /)
  })

  it('lists the matches of an ambiguous name, and finds nothing that is not there', async () => {
    const { ask } = await demoServer()
    const several = await ask('/api/sessions?project=east')
    expect(several.status).toBe(409)
    expect((JSON.parse(several.text) as { matches: string[] }).matches).toEqual(
      expect.arrayContaining(['eastore', 'api']),
    )
    for (const address of [
      'session?session=ffffffff',
      'items?session=ffffffff',
      'sessions?project=nowhere',
      'cron?job=nothing',
      'record?session=640ab4c7&line=4000',
      'image?session=640ab4c7&line=6&index=0',
      'nothing',
    ])
      expect([address, (await ask(`/api/${address}`)).status]).toEqual([address, 404])
  })

  it('reads no file that is not a transcript of the machine', async () => {
    const { ask } = await demoServer()
    const foreign = `${import.meta.dirname}/../fixtures/openclaw/damaged/.openclaw/agents/main/sessions/7c1e73a0-5b2d-4f3a-9c8e-0d1f2a3b4c5d.jsonl`
    for (const name of [foreign, `${foreign}:3`, '/etc/passwd', '../../../etc/passwd', 'a\0b'])
      for (const question of ['read?target', 'items?session', 'record?line=1&session', 'export?session']) {
        const { status } = await ask(`/api/${question}=${encodeURIComponent(name)}`)
        expect([question, name, status]).toEqual([question, name, 404])
      }
  })

  it('compresses answers of more than a kilobyte for clients that accept it', async () => {
    const { ask } = await demoServer()
    const plain = await ask('/api/sessions?all=true')
    const packed = await ask('/api/sessions?all=true', { 'accept-encoding': 'gzip, br' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
    const small = await ask('/api/choices', { 'accept-encoding': 'gzip' })
    expect(small.headers['content-encoding']).toBeUndefined()
    for (const { headers } of [plain, packed, small]) expect(headers['cache-control']).toBe('no-store')
  })

  it('sends a session as a download, in parts if it is long', async () => {
    const { ask } = await demoServer()
    const home = temporaryHome()
    for (const [format, flag] of [
      ['markdown', 'md'],
      ['html', 'html'],
      ['json', 'json'],
    ] as const) {
      const { status, text, headers } = await ask(`/api/export?session=${SESSION}&format=${format}`)
      const line = ['export', SESSION, '--format', flag, '--out', '-', '--demo']
      expect([status, text]).toEqual([200, runSourcesInThread(line, home).stdout])
      expect(headers['content-disposition']).toBe(`attachment; filename="${SESSION}.${flag}"`)
    }
    const whole = await ask('/api/read?all=true&full=true')
    expect(whole.text).toBe(runSourcesInThread(['read', '--all', '--full', '--json', '--demo'], home).stdout)
  })
})

interface OpenApi {
  paths: Record<string, { get?: { responses: { 200: { content: Record<string, { schema: object }> } } } }>
}
