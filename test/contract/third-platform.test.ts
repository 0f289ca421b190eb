import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordPathOf } from '../../src/deliver/archive/layout.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Envelope } from '../../src/model/delivery.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { checkout } from '../program.ts'
import { put, temporaryHome } from '../records.ts'
import { fileContent, keep, storedContent } from '../stores.ts'
import { fern } from '../third-platform/records.ts'
import { namedEngines } from './engines.ts'
import { fixtures } from './subjects.ts'

const artifactOf = (trap: string, session: string): Artifact =>
  fixtures('fernwood').find(({ name }) => name === `fernwood/${trap}/.fernwood/logs/${session}.jsonl`)!
    .artifact

const read = (trap: string, session: string) => readSession(artifactOf(trap, session))

/** The messages of a transcript with their speaker, and `-` before those that were taken back. */
const shown = ({ items }: ReturnType<typeof read>): string[] =>
  items.map(({ who, text, tool, offBranch }) => `${offBranch ? '-' : ''}${who}: ${text ?? tool?.target}`)

describe('a platform whose records have no id, no parent and no usage of replies', () => {
  it('counts usage by its key, with the model of the turn', () => {
    const { session, items } = read('spent', 'moss-1')
    expect(session).toMatchObject({
      human: 2,
      agentMessages: 2,
      toolCalls: 1,
      errors: 1,
      model: 'claude-opus-4-1',
      title: 'Moss care',
      usage: { input: 450, output: 60, cacheRead: 50, cacheWrite: 0 },
      accounting: { events: 14, skipped: { weather: 1 }, unknown: { wind: 1 }, malformed: 0 },
    })
    const usages = items.filter(({ who }) => who === 'agent').map(({ usage }) => usage)
    expect(usages).toMatchObject([
      { input: 150, output: 20, model: 'claude-sonnet-4-6' },
      { input: 200, output: 30, model: 'claude-opus-4-1' },
    ])
  })

  it('reads the directories of turns, wherever the record contains them', () => {
    expect(read('spent', 'moss-1').session.cwds).toEqual([
      ['/home/ann/garden', 2],
      ['/home/ann/pond', 1],
    ])
  })

  it('abandons turns that were taken back, and counts their cost', () => {
    const found = read('undone', 'moss-2')
    expect(shown(found)).toEqual([
      'human: Paint the gate red',
      'agent: Painted it red.',
      '-human: Now blue',
      '-agent: Painted it blue.',
      'human: Rather green',
      'agent: Painted it green.',
    ])
    expect(found.session).toMatchObject({ human: 3, agentMessages: 3, usage: { input: 60, output: 6 } })
    const all = read('undone', 'moss-3')
    expect(shown(all)).toEqual([
      '-program: One',
      '-agent: 1.',
      '-program: Two',
      '-agent: 2.',
      '-program: Three',
      '-agent: 3.',
      'program: Four',
      'agent: 4.',
    ])
    expect(all.session.kind).toBe('cron')
  })

  it('counts copied records once, with parent and kind', () => {
    const parent = read('forked', 'moss-1')
    const fork = read('forked', 'moss-4')
    expect(parent.session).toMatchObject({ human: 1, usage: { input: 250, output: 30 } })
    expect(fork.session).toMatchObject({
      human: 1,
      agentMessages: 1,
      toolCalls: 0,
      errors: 0,
      parentSessionId: 'moss-1',
      otherIds: [],
      usage: { input: 300, output: 40 },
      model: 'claude-opus-4-1',
      kind: 'human',
      startedMs: Date.parse('2026-11-01T10:20:00Z'),
    })
    expect(shown(fork)).toEqual(['human: And the fern?', 'agent: Watered the fern.'])
    expect(read('forked', 'moss-5').session).toMatchObject({ kind: 'subagent', parentSessionId: 'moss-4' })
  })

  it('takes no directory from copied records, with and without parsing', () => {
    const lines = [
      fern.start(0, 'moss-9', { forkOf: 'moss-1', dir: undefined }),
      fern.weather(0, { dir: '/copied' }),
      fern.round(0, { dir: '/copied' }),
      fern.grafted(0),
      fern.round(1),
      fern.person(1, 'Own'),
    ]
    const path = put(join(temporaryHome(), 'moss-9.jsonl'), lines)
    const { session } = readSession({ ...artifactOf('spent', 'moss-1'), path })
    expect(session.cwds).toEqual([['/home/ann/garden', 1]])
  })

  it('is unpacked by the mode of its table: a list that grows by lines has a line per record', () => {
    const whole = (platform: string, path: string, kind: string) =>
      recordPathOf({ platform, path, kind, session: null } as Envelope)?.whole
    expect(whole('fernwood', '~/.fernwood/names.jsonl', 'session-index')).toBe(false)
    expect(whole('openclaw', '~/.openclaw/agents/main/sessions/sessions.json', 'session-index')).toBe(true)
    expect(whole('claude-code', '~/.claude/history.jsonl', 'prompt-history')).toBe(false)
  })

  it.each(namedEngines)('is the same step by step on %s, cut after every line', (_, engine) => {
    const lines = [
      fern.weather(0, { dir: '/home/ann' }),
      fern.start(0, 'moss-9', { forkOf: 'moss-1' }),
      fern.start(0, 'moss-1'),
      fern.round(0),
      fern.person(0, 'Copied'),
      fern.reply(0, '1', 'Copied too.'),
      fern.spent(0, '1', 100, 10),
      fern.undone(0, 1),
      fern.grafted(0),
      fern.round(1),
      fern.person(1, 'Own'),
      fern.did(2, '2', 't1', 'shell', { command: 'ls' }),
      fern.got(2, 't1', false, 'no'),
      fern.spent(2, '2', 10, 1),
      fern.reply(3, '3', 'Done.'),
      fern.spent(3, '3', 20, 2),
      fern.round(4, { model: 'claude-opus-4-1' }),
      fern.person(4, 'Wrong'),
      fern.reply(5, '4', 'Sorry.'),
      fern.spent(5, '4', 30, 3),
      fern.wind(5),
      fern.undone(6, 1),
      fern.person(7, 'Right'),
      fern.reply(8, '5', 'Yes.'),
      fern.spent(8, '5', 40, 4),
      fern.undone(9, 1),
    ].map((each) => `${JSON.stringify(each)}\n`)
    const path = join(temporaryHome(), 'moss-9.jsonl')
    const at = (count: number): Artifact => {
      put(path, lines.slice(0, count).join(''))
      const bytes = Buffer.byteLength(lines.slice(0, count).join(''))
      return {
        ...artifactOf('spent', 'moss-1'),
        path,
        sessionId: 'moss-9',
        bytes,
        modifiedMs: count,
        identity: undefined,
      }
    }
    const grown = engine.open()
    for (const [index] of lines.entries()) {
      const artifact = at(index + 1)
      keep(grown, artifact)
      const withoutTime = ({ session, messages }: ReturnType<typeof storedContent>) => ({
        session: { ...session, modifiedMs: 0 },
        messages,
      })
      expect(withoutTime(storedContent(grown, path)), `after line ${index + 1}`).toEqual(
        withoutTime(fileContent(artifact)),
      )
    }
    const { session, messages } = storedContent(grown, path)
    expect(session).toMatchObject({
      human: 3,
      agentMessages: 3,
      toolCalls: 1,
      errors: 1,
      usage: { input: 100, output: 10 },
      parentSessionId: 'moss-1',
      cwds: [
        ['/home/ann/garden', 2],
        ['/home/ann', 1],
      ],
    })
    expect(messages.filter(({ offBranch }) => offBranch).map(({ text }) => text)).toEqual([
      'Wrong',
      'Sorry.',
      'Right',
      'Yes.',
    ])
    grown.close()
  })
})

describe('the guide for new platforms', () => {
  const read = (path: string) => readFileSync(join(checkout, path), 'utf8')
  const guide = read('docs/guides/new-platform.md')
  const samples = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)

  it('quotes the invented platform, which is compiled and tested', () => {
    const sources = ['identity', 'normalize', 'platform'].map((name) =>
      read(`test/third-platform/${name}.ts`),
    )
    expect(samples.length).toBeGreaterThan(2)
    for (const sample of samples)
      expect(
        sources.some((source) => source.includes(sample)),
        sample,
      ).toBe(true)
  })

  it('describes every payload, and every capability of a platform', () => {
    const payloads = /export type Payload =([\s\S]*?)\n\n\/\*\*/.exec(read('src/model/event.ts'))![1]!
    const names = new Set(
      [...payloads.matchAll(/^ {2}\| (?:\{ )?(?:\n? *)type: '([a-z-]+)'|^ {6}type: '([a-z-]+)'/gm)].map(
        ([, one, other]) => one ?? other,
      ),
    )
    expect(names.size).toBe(17)
    for (const name of names) expect(guide).toContain(`| \`${name}\``)
    const platform = /^export interface Platform \{([\s\S]*?)^\}/m.exec(
      read('src/platforms/platform.ts'),
    )![1]!
    for (const [, name] of platform.matchAll(/^ {2}(\w+)\??[:(]/gm)) expect(guide).toContain(`\`${name}`)
  })
})
