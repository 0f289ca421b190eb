import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackPack } from '../../src/deliver/archive/pack.ts'
import { chainBefore, packFrame, sealFrame, summaryOf } from '../../src/io/frames.ts'
import { run } from '../program.ts'
import { claude, put, putClaude, temporaryHome, uuid } from '../records.ts'
import { shareOf } from '../share.ts'

const HEADER = { pack: 1, created: '2026-11-01T10:00:00.000Z', device: 'laptop', redacted: true, sessions: 1 }
const PATH = '~/.claude/projects/-a/s.jsonl'
const RAW = {
  type: 'user',
  cwd: '/a',
  sessionId: 's',
  uuid: 'u',
  message: { role: 'user', content: 'words' },
}

const record = (more: object = {}, id = 'x'): object => ({
  ...{ v: 1, id, at: '2026-11-01T10:00:00.000Z', platform: 'claude-code', kind: 'transcript' },
  ...{ device: 'laptop', deviceId: 'pack', agent: 'claude', session: 's', project: null, path: PATH },
  ...{ line: 1, offset: 0, generation: 1, raw: RAW, redactions: 0 },
  ...more,
})

/** A pack with valid checksums, whatever is in it. */
function packOf(lines: readonly unknown[], count = lines.length): Buffer {
  const position = { frames: 0, records: 0, chain: chainBefore('pack', 'pack') }
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const frame = packFrame(Buffer.from(`${text.join('\n')}\n`), count)
  position.chain = sealFrame(frame, position)
  return Buffer.concat([frame, summaryOf({ ...position, frames: 1, records: count }).summary])
}

/**
 * Unpacks it with the program in a home whose folder has something to lose. Returns what is there afterward.
 */
function unpacked(pack: Buffer, ...flags: string[]) {
  const home = temporaryHome()
  put(join(home, '.claude/settings.json'), '{}')
  put(join(home, '.bashrc'), 'own')
  writeFileSync(join(home, 'x.pack'), pack)
  const { code, stderr, stdout } = run(['unpack', 'x.pack', '--yes', ...flags], home)
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(home, name)).isFile() && !/\.local|x\.pack/.test(name))
    .sort()
  return { code, stderr, stdout, home, files }
}

const OWN = ['.bashrc', '.claude/settings.json']

describe('a hostile pack', () => {
  it('is unpacked if it is none', () => {
    const { code, files } = unpacked(packOf([HEADER, record()]))
    expect({ code, files }).toEqual({ code: 0, files: [OWN[0], '.claude/projects/-a/s.jsonl', OWN[1]] })
  })

  it.each([
    ['../../.bashrc', '~/.claude/projects/../../../.bashrc'],
    ['an absolute path', '/etc/cron.d/x'],
    ['a folder above the root', '~/.claude/projects/-a/../../settings.json'],
    ['a name with a separator in it', '~/.claude/projects/-a/..\\..\\x.jsonl'],
    ['a program next to outputs of tools', '~/.claude/projects/-a/s/tool-results/b.sh'],
    ['the settings of the client', '~/.claude/settings.json'],
    ['a file that is never collected', '~/.claude/projects/-a/s/hook.sh'],
    ['the account', '~/.claude.json'],
    ['a NUL byte', '~/.claude/projects/-a/s\0.jsonl'],
    ['a database of another client', '~/.local/share/opencode/opencode.db'],
  ])('is refused as a whole for one path that is not of a session of the client: %s', (_, path) => {
    const beside = record({ path, kind: 'tool-result', raw: { content: 'words' } }, 'y')
    for (const each of [beside, record({ path }, 'z')]) {
      const { home, files, code, stderr } = unpacked(packOf([HEADER, record(), each]))
      expect({ code, files }).toEqual({ code: 1, files: OWN })
      const line = stderr.split('\n').find((text) => text.includes('cannot be unpacked: its record of '))
      expect(line).toContain(path.replace('\0', ''))
      expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('own')
      expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe('{}')
    }
  })

  it.each([
    ['an encoded separator', '~/.claude/projects/%2e%2e%2f%2e%2e/x.jsonl'],
    ['another root', '/root/.ssh/projects/-a/s.jsonl'],
  ])('writes nothing outside of what the client reads: %s', (_, path) => {
    const { files } = unpacked(packOf([{ ...HEADER, sessions: 2 }, record(), record({ path }, 'z')]))
    const below = files.filter((name) => !OWN.includes(name))
    for (const name of below) expect(name).toMatch(/^\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/)
  })

  it.each([
    ['a file of the client about all sessions', { kind: 'plan', path: '~/.claude/plans/x.md' }],
    ['a transcript that is none', { kind: 'session-index' }],
    ['a root that leads elsewhere', { path: '~/.claude/projects/../../x/projects/-a/s.jsonl' }],
    ['a name that is a flag of the client', { path: '~/.claude/projects/-a/--help.jsonl' }],
    ['a name that is a command', { path: '~/.claude/projects/-a/$(touch x).jsonl' }],
    [
      'a name that is a flag of another client',
      { platform: 'qwen-code', path: '~/.qwen/projects/-a/chats/-x.jsonl' },
    ],
    ['settings of another client', { platform: 'codex', path: '~/.codex/config.toml' }],
    [
      'a client in whose database nothing is written',
      { platform: 'opencode', path: '~/.local/share/opencode/opencode.db#s' },
    ],
    ['an unknown client', { platform: 'none' }],
  ])(
    'is refused as a whole, with the path of the record: %s',
    (_, more: { kind?: string; platform?: string; path?: string }) => {
      const { code, files, stderr } = unpacked(
        packOf([{ ...HEADER, sessions: 2 }, record(), record(more, 'y')]),
      )
      expect({ code, files }).toEqual({ code: 1, files: OWN })
      expect(stderr).toContain(`cannot be unpacked: its record of ${more.path ?? PATH}`)
    },
  )

  it.each([
    ['offset', -5],
    ['offset', '0'],
    ['part', -1],
    ['malformed', 'x'],
    ['redactions', null],
    ['stub', true],
    ['stub', { bytes: 'many', sha256: '', reason: '' }],
    ['at', 5],
    ['agent', undefined],
  ])('is refused as a whole if a field is not as a record has it: %s %j', (name, value) => {
    const { code, files, stderr } = unpacked(packOf([HEADER, record({ [name]: value })]))
    expect({ code, files }).toEqual({ code: 1, files: OWN })
    expect(stderr).toContain('a line of it is no record')
  })

  it('is none that pack makes: what unpack would refuse is left out, and pack says so', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Prune the fern.')])
    putClaude(home, 'notes of ann', [claude.user(2, 'Water the moss.')])
    put(join(home, '.claude/projects/-home-ann-garden', uuid(1), 'tool-results/a\u202eb.txt'), 'words')
    const { code, stderr } = run(['pack', '--all', '--out', 'x.pack'], home)
    expect(code).toBe(3)
    expect(stderr).toContain('1 session left out, because notes of ann cannot be written back')
    expect(stderr).toContain('is left out: its name has several lines or hidden characters')
    expect(run(['unpack', 'x.pack', '--yes'], home).stdout).toContain('1 session of ')
  })

  it('writes below one root only, whatever its paths and kinds are', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'projects',
      '-a',
      's.jsonl',
      's',
      '%2F',
      '\\',
      'settings.json',
      'subagents',
      'agent-1.jsonl',
      'agents',
      'sessions',
      'sessions.json',
      '\0',
      'tool-results',
      'b.txt',
    )
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('transcript', 'session-index', 'tool-result', 'subagent-meta', 'memory', 'plan'),
        fc.constantFrom('claude-code', 'openclaw', 'codex', 'copilot', 'none'),
        fc.boolean(),
        (parts, kind, platform, absolute) => {
          const folder = temporaryHome()
          writeFileSync(
            join(folder, 'x.pack'),
            packOf([HEADER, record({ path: `${absolute ? '/' : '~/'}${parts.join('/')}`, kind, platform })]),
          )
          const trees = join(folder, 'trees')
          try {
            unpackPack(join(folder, 'x.pack'), trees)
          } catch {}
          expect(readdirSync(folder).sort()).toEqual(existsSync(trees) ? ['trees', 'x.pack'] : ['x.pack'])
        },
      ),
      { numRuns: shareOf(300) },
    )
  })

  it('is refused as a whole if one byte is wrong or missing, and nothing is written', () => {
    const pack = packOf([HEADER, record()])
    const folder = temporaryHome()
    const path = join(folder, 'x.pack')
    for (let at = 0; at < pack.length; at++) {
      const changed = Buffer.from(pack)
      changed[at]! ^= 1 << (at % 8)
      for (const bytes of [changed, pack.subarray(0, at), Buffer.concat([pack, pack.subarray(0, at + 1)])]) {
        writeFileSync(path, bytes)
        expect(() => unpackPack(path, join(folder, 'trees')), `byte ${at}`).toThrow()
        expect(readdirSync(folder)).toEqual(['x.pack'])
      }
    }
    truncateSync(path)
    expect(() => unpackPack(path, join(folder, 'trees'))).toThrow('it is no pack')
  })

  it.each([
    ['no header', packOf([record()])],
    ['a header of a later version', packOf([{ ...HEADER, pack: 2 }, record()])],
    ['another number of records', packOf([HEADER, record()], 5)],
    ['a line that is no record', packOf([HEADER, '{}'])],
    ['a line that is no JSON', packOf([HEADER, 'words'])],
    ['a line after a gap of billions', packOf([HEADER, record({ line: 2 ** 40 })])],
    [
      'much more than its size allows',
      packOf([HEADER, record({ raw: { text: 'x'.repeat(80 * 1024 * 1024) } })]),
    ],
  ])('is refused: %s', (_, pack) => {
    const { code, stderr, files } = unpacked(pack)
    expect({ code, files }).toEqual({ code: 1, files: OWN })
    expect(stderr).toContain('cannot be unpacked')
  })

  it('gives a session of OpenClaw no rights, and sends its replies nowhere', () => {
    const below = '~/.openclaw/agents/main/sessions'
    const own = { platform: 'openclaw', agent: 'main' }
    const header = { type: 'session', version: 3, id: 's', cwd: '/a' }
    const entry = {
      ...{
        sessionId: 's',
        updatedAt: 1,
        label: 'words',
        claudeCliSessionId: 'c',
        sessionFile: '/etc/passwd',
      },
      ...{ elevatedLevel: 'full', execSecurity: 'full', execAsk: 'off', sendPolicy: 'allow', lastTo: '+1' },
      ...{ authProfileOverride: 'x', skillsSnapshot: {}, deliveryContext: { to: '+1' } },
    }
    const { home, code } = unpacked(
      packOf([
        HEADER,
        record({ ...own, path: `${below}/s.jsonl`, raw: header }),
        record(
          {
            ...own,
            kind: 'session-index',
            path: `${below}/sessions.json`,
            raw: { 'agent:main:main': entry },
          },
          'y',
        ),
      ]),
    )
    expect(code).toBe(0)
    const path = join(home, '.openclaw/agents/main/sessions')
    expect(JSON.parse(readFileSync(join(path, 'sessions.json'), 'utf8'))).toEqual({
      'agent:main:main': {
        ...{ updatedAt: 1, label: 'words' },
        ...{ sessionId: 's', sessionFile: join(path, 's.jsonl') },
      },
    })
  })

  it('does not go through links, and replaces none', () => {
    const home = temporaryHome()
    mkdirSync(join(home, 'outside'))
    mkdirSync(join(home, '.claude/projects/-b'), { recursive: true })
    symlinkSync(join(home, 'outside'), join(home, '.claude/projects/-a'))
    symlinkSync(join(home, 'outside/s.jsonl'), join(home, '.claude/projects/-b/s.jsonl'))
    for (const folder of ['-a', '-b']) {
      writeFileSync(join(home, 'x.pack'), packOf([HEADER, record({ path: PATH.replace('-a', folder) })]))
      const { code, stderr } = run(['unpack', 'x.pack', '--yes'], home)
      expect({ code, says: stderr.includes('Links are not followed') }, folder).toEqual({
        code: 1,
        says: true,
      })
    }
    symlinkSync(join(home, 'x.pack'), join(home, 'link.pack'))
    expect(run(['unpack', 'link.pack', '--yes'], home).stderr).toContain('it is a link')
    expect(readdirSync(join(home, 'outside'))).toEqual([])
  })

  it('prints no command that does something else if a part of it is pasted', () => {
    for (const cwd of ["/a'; touch x #", '/a\ntouch x', '/a\u2028touch x']) {
      const { stdout, stderr } = unpacked(packOf([HEADER, record({ raw: { ...RAW, cwd } })]))
      expect(stdout + stderr).not.toMatch(/^touch x/m)
      expect(stderr).toMatch(/--map (?:'\/a'\\''; touch x #'|\$'\/a[\\\d]+touch x')=<folder>/)
    }
  })

  it('says only what is true of it', () => {
    expect(unpacked(packOf([HEADER, record()])).stdout).toContain('1 session of laptop')
    for (const sessions of [99, 0, -1, 'x', null, 1e9])
      expect(unpacked(packOf([{ ...HEADER, sessions }, record()])).stderr).toContain(
        'cannot be unpacked: its header says another number of sessions than it has',
      )
    expect(unpacked(packOf([{ ...HEADER, sessions: 0 }])).stderr).toContain('it has no transcript')
    for (const lie of [{ device: 'x'.repeat(256) }, { created: 'yesterday' }])
      expect(unpacked(packOf([{ ...HEADER, ...lie }, record()])).stderr).toContain('its header is not as')
  })

  it('is shown without control characters', () => {
    const path = '~/.claude/projects/-a\u001b[31m/s.jsonl'
    const { stdout, stderr } = unpacked(packOf([{ ...HEADER, device: '\u001b[2J' }, record({ path })]))
    expect(stdout + stderr).not.toContain('\u001b')
  })
})

it('a pack of a session has none of its secrets, also in names and outputs of tools', () => {
  const home = temporaryHome()
  const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
  const path = putClaude(home, uuid(1), [claude.user(1, `Use ${key}.`)])
  put(join(path.replace(/\.jsonl$/, ''), 'tool-results/b.txt'), `export KEY=${key}`)
  expect(run(['pack', uuid(1), '--out', 'x.pack'], home).code).toBe(0)
  unpackPack(join(home, 'x.pack'), join(home, 'trees'))
  const names = readdirSync(join(home, 'trees'), { recursive: true, encoding: 'utf8' })
  const texts = names.filter((name) => statSync(join(home, 'trees', name)).isFile())
  expect(texts).toHaveLength(2)
  for (const name of texts) expect(readFileSync(join(home, 'trees', name), 'utf8')).not.toContain(key)
})
