import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Item, Session } from '../../src/model/session.ts'
import { parseTranscript } from '../../src/parse.ts'
import { identities } from '../../src/platforms/identities.ts'
import { discover } from '../../src/sync/discover.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { checkout } from '../program.ts'
import { createRandom } from '../random.ts'
import { claude, put, temporaryHome, text, uuid } from '../records.ts'

const demo = join(checkout, 'demo')
const { artifacts } = discover({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [join(demo, '.claude')], openclaw: [join(demo, '.openclaw')] },
  deleted: true,
})
const files = artifacts.filter(({ database, path }) => database === undefined && path.includes('.jsonl'))

/** Items and counts as reading the file returns them, without fields that depend on its path. */
function fromFile(artifact: Artifact): { items: Item[]; session: Partial<Session> } {
  const { items, session } = readSession(artifact)
  return { items: items.map(comparable), session: figures(session) }
}

const figures = ({ lines, human, agentMessages, toolCalls, errors, title, usage, accounting }: Session) => ({
  lines,
  human,
  agentMessages,
  toolCalls,
  errors,
  title,
  usage,
  accounting,
})

const comparable = (item: Item): Item => JSON.parse(JSON.stringify(item)) as Item

async function parsed(source: Parameters<typeof parseTranscript>[0], artifact: Pick<Artifact, 'platform'>) {
  const transcript = parseTranscript(source, { platform: artifact.platform })
  const items: Item[] = []
  for await (const item of transcript) items.push(comparable(item))
  return { items, session: figures(await transcript.session()) }
}

/** The bytes in chunks that end anywhere. */
function inPieces(bytes: Uint8Array, random: (below: number) => number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const next = at + 1 + random(300)
      controller.enqueue(bytes.slice(at, next))
      at = next
    },
  })
}

describe('parsing a transcript without a file system', () => {
  it('returns the same from a text, lines and a stream as from the file', async () => {
    const random = createRandom(7)
    expect(new Set(files.map(({ platform }) => platform)).size).toBe(2)
    expect(files.length).toBeGreaterThan(10)
    for (const artifact of files) {
      const bytes = readFileSync(artifact.path)
      const wanted = fromFile({ ...artifact, kindHint: undefined, titleHint: undefined })
      expect(await parsed(bytes.toString(), artifact), artifact.path).toEqual(wanted)
      expect(await parsed(bytes.toString().trimEnd().split('\n'), artifact)).toEqual(wanted)
      expect(await parsed(inPieces(bytes, random), artifact)).toEqual(wanted)
    }
  })

  it('returns what a damaged transcript contains', async () => {
    const line = (record: object): string => JSON.stringify(record)
    const torn = [
      `\uFEFF${line(claude.user(1, 'grüße\u2028🌱'))}`,
      '',
      '   \t',
      `${line(claude.reply(2, [text('one')])).slice(0, 40)}${line(claude.reply(3, [text('two')]))}`,
      `\0\0\0${line(claude.user(4, 'three'))}`,
      'no JSON at all',
      '[1, 2]',
      line(claude.user(5, 'four')),
    ].join('\n')
    const path = put(join(temporaryHome(), '.claude/projects/-a', `${uuid(0)}.jsonl`), torn)
    const artifact: Artifact = {
      platform: 'claude-code',
      root: '',
      path,
      kind: 'transcript',
      state: 'live',
      sessionId: uuid(0),
      agent: 'claude',
      bytes: 1,
      modifiedMs: 0,
    }
    const found = await parsed(new Blob([torn]).stream(), artifact)
    expect(found).toEqual(fromFile(artifact))
    expect(found.items.map((item) => item.text)).toEqual(['grüße\u2028🌱', 'two', 'three', 'four'])
    expect(found.session.accounting?.malformed).toBe(1)
  })

  it('returns messages of an abandoned branch', async () => {
    const lines = [
      claude.user(1, 'Plant what?'),
      claude.reply(2, [text('Beans or peas.')]),
      claude.user(3, 'Beans'),
      claude.reply(4, [text('Beans it is.')]),
      claude.user(5, 'Peas', { parentUuid: uuid(2) }),
      claude.reply(6, [text('Peas it is.')]),
    ].map((record) => JSON.stringify(record))
    const { items } = await parsed(lines, { platform: 'claude-code' })
    const left = items.filter(({ offBranch }) => offBranch).map((item) => item.text)
    expect(left).toEqual(['Beans', 'Beans it is.'])
  })

  it('redacts secrets unless the caller disables it', async () => {
    const key = `AKIA${'Z7QX2MPL4RTW9VKB'}`
    const lines = [JSON.stringify(claude.user(1, `it is ${key}`))]
    const { items } = await parsed(lines, { platform: 'claude-code' })
    expect(items[0]?.text).toMatch(/^it is \[REDACTED:/)
    const whole = parseTranscript(lines, { platform: 'claude-code', redact: false })
    for await (const item of whole) expect(item.text).toContain(key)
    expect(() => parseTranscript('', { platform: 'other' as 'openclaw' })).toThrow(/claude-code, openclaw/)
  })

  it('runs in a browser, without any API of Node', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(checkout, 'src/parse.ts')],
      metafile: true,
      bundle: true,
      write: false,
      minify: true,
      platform: 'browser',
      target: 'es2023',
      format: 'iife',
      globalName: 'scrollback',
    })
    const code = outputFiles[0]!.text
    // What every browser has, and an empty context lacks.
    const context = createContext({ TextEncoder, TextDecoder, atob })
    new Script(code).runInContext(context)
    const names = new Script('Object.keys(scrollback).join()').runInContext(context) as string
    expect(names).toBe('parseTranscript')
    for (const name of ['process', 'require', 'Buffer'])
      expect(new Script(`typeof ${name}`).runInContext(context)).toBe('undefined')
    const browser = new Script('scrollback').runInContext(context) as {
      parseTranscript: typeof parseTranscript
    }
    for (const { path, platform } of files.slice(0, 4)) {
      const source = `${readFileSync(path, 'utf8')}\nbasic QWxhZGRpbjpvcGVuIHNlc2FtZQ== LS0tLS1CRUdJTi${'A'.repeat(60)}`
      const items: Item[] = []
      for await (const item of browser.parseTranscript(source, { platform })) items.push(comparable(item))
      expect(items).toEqual((await parsed(source, { platform })).items)
    }
    const [output] = Object.values(metafile.outputs)
    const ofRules = Object.entries(output!.inputs).reduce(
      (sum, [path, { bytesInOutput }]) => sum + (path.includes('src/redact/') ? bytesInOutput : 0),
      0,
    )
    expect(ofRules).toBeLessThan(134_000)
    // Each platform adds its reader of records.
    expect(code.length - ofRules).toBeLessThan(120_000 + 5000 * identities.length)
  })
})
