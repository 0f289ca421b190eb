import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, json, printed, run } from '../program.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const doctor = (home: string, ...args: string[]) => {
  const { stdout, stderr, code } = run(['doctor', ...args], home)
  return { stdout: stdout.replaceAll(home, '~'), stderr, code }
}

/** The lines below a heading of a text. */
const below = (text: string, heading: string): string[] =>
  (text.split(`${heading}\n`)[1] ?? '').split(/\n(?! )/)[0]!.split('\n')

describe('doctor', () => {
  it('warns of files whose time is more than a day in the future', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    const at = (hours: number): void => {
      const seconds = Date.now() / 1000 + hours * 3600
      utimesSync(path, seconds, seconds)
    }
    at(23)
    expect(doctor(home).stdout).not.toContain('in the future')
    at(25)
    const { stdout, code } = doctor(home)
    expect(stdout).toContain(
      `! 1 file has a modification time in the future, for example ~/.claude/projects/-home-ann-garden/${uuid(1)}.jsonl: the clock of this machine`,
    )
    expect(code).toBe(0)
    expect(json(home, 'doctor').warnings).toEqual([expect.stringContaining('in the future')])
  })

  it.each([
    ['was emptied', () => ''],
    ['has an empty line only', () => '\n'],
    ['has a line of garbage only', () => 'moss\n'],
    ['tore in its first line', (whole: string) => whole.slice(0, 40)],
  ])('finds nothing wrong with a store that keeps what was in a file that %s', (_, left) => {
    const home = temporaryHome()
    const lines = [claude.user(1, 'Water the moss'), claude.reply(2, [text('It is wet.')])]
    const path = putClaude(home, uuid(1), lines)
    expect(run(['index'], home).code).toBe(0)
    writeFileSync(path, left(readFileSync(path, 'utf8')))
    const { stdout, code } = doctor(home, '--deep')
    expect(stdout).toContain('Nothing is missing; every file was read again and compared.')
    expect(code).toBe(0)
    expect(json(home, 'sessions', '--all').sessions).toMatchObject([{ cwd: '/home/ann/garden', cut: 2 }])
  })

  it('counts files that look like transcripts and that no rule lists, of every platform', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    const line = `${JSON.stringify({ type: 'message' })}\n`
    const unlisted = [
      '.claude/transcripts/2027/a.jsonl',
      '.codex/sessions/2026/11/20/thread-a.jsonl',
      '.codex/sessions/2026/11/21/thread-b.jsonl.zst',
      '.gemini/tmp/garden/chats/a/b/c.jsonl',
      '.copilot/session-state/a/later/events.jsonl',
      '.local/share/opencode/sessions/a/b.jsonl',
      '.pi/agent/sessions/--garden--/helpers/a.jsonl',
      '.openclaw/agents/main/sessions/later/a.jsonl',
      '.cline/data/sessions/a/later/b.messages.json',
      '.cline/data/sessions/a/later.messages.json',
      '.continue/sessions/later/a.json',
    ]
    for (const name of unlisted) put(join(home, name), line)
    for (const name of ['.codex/log/a.jsonl', '.claude/sessions/a.jsonl', '.claude/history.jsonl'])
      put(join(home, name), line)
    put(join(home, '.gemini/tmp/garden/later/a.json'), line)
    put(join(home, '.cline/data/sessions/a/later/state.json'), line)
    const { stdout, code } = doctor(home)
    expect(stdout.split('\n').filter((each) => each.includes('not read.'))).toEqual([
      '1 file below ~/.claude/transcripts/2027 (19 B) looks like a transcript and is not read.',
      '1 file below ~/.openclaw/agents/main/sessions/later (19 B) looks like a transcript and is not read.',
      '2 files below ~/.codex/sessions/2026/11 (38 B) look like transcripts and are not read.',
      '1 file below ~/.pi/agent/sessions/--garden--/helpers (19 B) looks like a transcript and is not read.',
      '1 file below ~/.local/share/opencode/sessions/a (19 B) looks like a transcript and is not read.',
      '1 file below ~/.gemini/tmp/garden/chats/a/b (19 B) looks like a transcript and is not read.',
      '1 file below ~/.copilot/session-state/a/later (19 B) looks like a transcript and is not read.',
      '2 files below ~/.cline/data/sessions/a (38 B) look like transcripts and are not read.',
      '1 file below ~/.continue/sessions/later (19 B) looks like a transcript and is not read.',
    ])
    expect(stdout).toContain('Nothing of what is read is missing')
    expect(code).toBe(0)
    expect(json(home, 'doctor').unlisted).toHaveLength(9)
  })

  it('names files of a form that this version does not know, as other commands do', () => {
    const home = temporaryHome()
    const lines = (header: object): string => `${JSON.stringify(header)}\n`
    const at = '2026-11-10T09:00:00.000Z'
    const files = {
      '.pi/agent/sessions/--garden--/2026-11-10T09-00-00-000Z_a1.jsonl': {
        ...{ type: 'session', version: 4, id: 'a1', timestamp: at },
      },
      '.openclaw/agents/main/sessions/b1.jsonl': { type: 'session', version: 5, id: 'b1', timestamp: at },
      '.copilot/session-state/c1/events.jsonl': {
        ...{ type: 'session.start', timestamp: at, data: { sessionId: 'c1', version: 2 } },
      },
      [`.codex/sessions/2026/11/10/rollout-2026-11-10T09-00-00-${uuid(1)}.jsonl`]: {
        ...{ type: 'session_meta', timestamp: at, payload: { id: uuid(1), history_mode: 'later' } },
      },
      '.kimi-code/sessions/wd_a/session_a/agents/main/wire.jsonl': {
        ...{ type: 'metadata', protocol_version: '2.0', created_at: 1 },
      },
    }
    for (const [name, header] of Object.entries(files)) put(join(home, name), lines(header))
    const { stdout, code } = doctor(home)
    expect(code).toBe(3)
    const forms = [
      ['pi', 4],
      ['openclaw', 5],
      ['copilot', 2],
      ['codex', 'later'],
      ['kimi-code', '2.0'],
    ] as const
    for (const [index, name] of Object.keys(files).entries()) {
      const [platform, form] = forms[index]!
      const listed = run(['sessions', '--all', '--platform', platform], home)
      expect(listed.code).toBe(3)
      expect(stdout).toContain(
        `✗ ~/${name}: says that it is of form ${form}, which this version does not know`,
      )
      expect(listed.stderr).toContain(`${name}: says that it is of form ${form}`)
    }
  })

  it('names files of which no message is read because their records are of unknown types', () => {
    const home = temporaryHome()
    const at = '2026-11-10T09:00:00.000Z'
    const later = (type: string): string =>
      `${JSON.stringify({ type: 'session', version: 3, id: 'a1', timestamp: at })}\n${JSON.stringify({ type, id: 'b2', timestamp: at, words: 'one' })}\n`
    put(join(home, '.pi/agent/sessions/--garden--/2026-11-10T09-00-00-000Z_a1.jsonl'), later('turn\n9'))
    const cline = join(home, '.cline/data/sessions/1795829849222_0jo4d/1795829849222_0jo4d')
    put(`${cline}.json`, '{"version":1,"session_id":"1795829849222_0jo4d"}')
    put(`${cline}.messages.json`, '{"version":7,"entries":[{"role":"user"}],"messages":[]}')
    put(
      join(home, `.continue/sessions/${uuid(1)}.json`),
      JSON.stringify({ sessionId: uuid(1), turns: [{ words: 'one' }] }),
    )
    const { stdout, code } = doctor(home)
    expect(code).toBe(3)
    const { stderr, code: listed } = run(['sessions', '--all'], home)
    expect(listed).toBe(3)
    for (const [name, words] of [
      ['a1.jsonl', 'has 1 record of types that this version does not know (turn\\n9), and no message'],
      ['jo4d.messages.json', 'says that it is of form 7, which this version does not know'],
      [
        `${uuid(1)}.json`,
        'has 1 record of types that this version does not know ((untyped)), and no message',
      ],
    ] as const) {
      expect(stdout).toContain(`${name}: ${words}`)
      expect(stderr).toContain(`${name}: ${words}`)
    }
  })

  it.each([
    ['read', uuid(2)],
    ['export', uuid(2), '--format', 'json', '--out', '-'],
    ['search', 'what is nowhere'],
  ])('names a file of an unknown form where its messages would be: %s %s', (...command) => {
    const home = temporaryHome()
    putClaude(home, uuid(2), [{ type: 'turn9' }])
    const { stderr, code } = run(command, home)
    expect(stderr).toContain(`${uuid(2)}.jsonl: has 1 record of types that this version does not know`)
    expect(code).toBe(3)
  })

  it('names a folder in which a name is not UTF-8, so that it cannot be opened', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), [claude.user(1, 'one')])
    const folder = dirname(path)
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9]), Buffer.from('.jsonl')]),
      '{}\n',
    )
    const { stderr, code } = run(['sessions', '--all'], home)
    expect(stderr).toContain(`${folder}: cannot be listed (a name in it is not UTF-8, and is left out)`)
    expect(code).toBe(3)
    expect(run(['collect', '--history', 'all'], home)).toMatchObject({ code: 3, stderr })
  })

  it('lists what is never opened, with the reason and the size', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    put(join(home, '.claude/.credentials.json'), '0123456789')
    mkdirSync(join(home, '.claude/shell-snapshots'))
    const { stdout } = doctor(home)
    expect(below(stdout, 'Never opened:')).toEqual([
      '  ~/.claude/.credentials.json (10 B: keys of your account)',
      '  ~/.claude/shell-snapshots (environment variables)',
    ])
  })

  it('counts many files of a folder with the same reason on one line', () => {
    const home = temporaryHome()
    for (let number = 1; number <= 5; number++) {
      const path = putClaude(home, uuid(number), [claude.user(number, 'one')])
      if (number > 1) put(`${path}.bak`, '0123456789')
    }
    expect(doctor(home).stdout).toContain(
      '\nFiles next to sessions that were not read (4 files, 40 B):\n' +
        '  ~/.claude/projects/-home-ann-garden: 4 files (40 B: a copy of a transcript)\n',
    )
  })

  it('groups the types of skipped records, and names the most frequent', () => {
    const home = temporaryHome()
    const types = ['mode', 'cost-state', 'last-prompt', 'permission-mode', 'agent-name', 'worktree-state']
    putClaude(home, uuid(1), [
      claude.user(1, 'one'),
      ...types.flatMap((type, index) =>
        Array.from({ length: 9 - index }, () => ({ type, sessionId: uuid(1) })),
      ),
      { type: 'api-request', sessionId: uuid(1) },
      ...['date', 'date', 'model'].map((type) => ({
        type: 'attachment',
        sessionId: uuid(1),
        attachment: { type },
      })),
    ])
    expect(below(doctor(home).stdout, '  Skipped on purpose:')).toEqual([
      '    mode 9, cost-state 8, last-prompt 7, permission-mode 6, agent-name 5 and 2 more types',
      '    attachment 3: date 2, model 1',
    ])
  })

  it('does not list a deleted session there once it is read, and omits the list if it is empty', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'one')])
    expect(doctor(home).stdout).not.toContain('Never opened')
    const lines = [openclaw.header('fern'), openclaw.user(1, 'x')]
    putOpenclaw(home, 'fern.jsonl.deleted.2026-11-01T10-00-00.000Z', lines)
    const closed = doctor(home).stdout
    expect(below(closed, 'Never opened:')).toEqual([expect.stringContaining('fern.jsonl.deleted.')])
    expect(closed).toContain('Copies and deleted sessions among these take')
    expect(doctor(home, '--deleted').stdout).not.toContain('Never opened')
  })
})

const SECRET = 'the moss is my secret'

describe('doctor --drift', () => {
  it('lists unknown types and fields, with counts and without any content', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, SECRET, { frondCount: SECRET }),
      claude.reply(2, [text('Noted.'), { type: 'hologram', data: SECRET }], { frondCount: 2 }),
      { type: 'weather-report', sessionId: uuid(1), forecast: SECRET },
      { type: `${SECRET}!`, sessionId: uuid(1), [SECRET]: 1 },
    ])
    putOpenclaw(home, 'pump.jsonl', [openclaw.header('pump'), { ...openclaw.user(30, SECRET), pressure: 3 }])
    expect(printed(home, 'doctor', '--drift').replace(/tried up to \S+/g, 'tried')).toMatchInlineSnapshot(`
      "Claude Code 2.1.112: 1 file, 4 lines, 0 damaged; tried
        unknown types:
          (others) 1
          weather-report 1
        unknown fields:
          (others) 1
          assistant.frondCount 1
          assistant.message.content:hologram 1
          user.frondCount 1
          weather-report.forecast 1
      OpenClaw: 1 file, 2 lines, 0 damaged; tried
        no unknown types
        unknown fields:
          message.pressure 1

      These are names and counts without any content. Paste them into an issue, so that a later version reads them.
      "
    `)
    const { drift } = json(home, 'doctor', '--drift')
    expect(JSON.stringify(drift)).not.toContain('secret')
    expect(drift[0]).toMatchObject({ platform: 'claude-code', unknownFields: { 'user.frondCount': 1 } })
  })

  it('lists unknown figures of a reply, which may be tokens that are not counted', () => {
    const home = temporaryHome()
    const usage = { prompt_tokens: 9, cached_tokens: 4, frond_tokens: 5 }
    const name = '.continue/sessions/c3000000-0000-4000-8000-000000000051.json'
    const history = [{ message: { role: 'assistant', content: 'Noted.', usage } }]
    put(join(home, name), JSON.stringify({ history }))
    expect(json(home, 'doctor', '--drift').drift[0].unknownFields).toEqual({
      '(untyped).message.usage.frond_tokens': 1,
    })
  })

  it('reports nothing about the demo', () => {
    const { stdout } = run(['doctor', '--drift', '--demo'], temporaryHome())
    expect(stdout).toContain('no unknown')
    expect(stdout.replaceAll('no unknown', '')).not.toContain('unknown')
  })

  it('limits the number of names, however many a file has', () => {
    const home = temporaryHome()
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, at]))
    putClaude(home, uuid(1), [claude.user(1, 'moss', many)])
    const { drift } = json(home, 'doctor', '--drift')
    expect(Object.keys(drift[0].unknownFields)).toHaveLength(201)
    expect(drift[0].unknownFields['(others)']).toBe(4800)
  })
})

describe('what a client wrote that is newer than any that was tried', () => {
  const version = '999.1.2'
  const strange = { type: 'weather-report', sessionId: uuid(1) }
  const warnings = (...lines: object[]): string[] => {
    const home = temporaryHome()
    putClaude(home, uuid(1), lines)
    return json(home, 'doctor').warnings
  }

  it('is named once if it has records of an unknown type, with the version that was tried', () => {
    expect(warnings(claude.user(1, 'one', { version }), strange, strange)).toEqual([
      expect.stringMatching(
        /^Claude Code 999\.1\.2 wrote 2 records of an unknown type; tried up to [\d.]+\. What they are: scrollback doctor --drift$/,
      ),
    ])
  })

  it('is no reason for a warning without them, and neither are they in what an older one wrote', () => {
    expect(warnings(claude.user(1, 'one', { version }))).toEqual([])
    expect(warnings(claude.user(1, 'one', { version: '2.1.0' }), strange)).toEqual([])
  })
})

const [ONE, TWO] = [uuid(41), uuid(42)]

/** Sessions whose beginning is only in copies, and other files next to them. */
function home(): string {
  const folder = temporaryHome()
  const later = [openclaw.user(5, 'And the roses?'), openclaw.reply(6, [text('Dry too.')])]
  const first = [openclaw.user(1, 'Water the ferns'), openclaw.reply(2, [text('Watered.')])]
  putOpenclaw(folder, `${ONE}.jsonl`, [openclaw.header(ONE), ...later])
  putOpenclaw(folder, `${ONE}.jsonl.full_backup`, [openclaw.header(ONE), ...first, ...later])
  putOpenclaw(folder, 'notes.md', Buffer.from('x'))
  putOpenclaw(folder, `${ONE}.jsonl.gz`, Buffer.from('x'))
  const [asked, more] = [claude.user(1, 'Prune the ivy'), claude.user(2, 'Now the moss')]
  putClaude(folder, TWO, [more])
  put(join(folder, '.claude/projects/-home-ann-garden', `${TWO}.jsonl.old`), [asked, more])
  put(join(folder, '.claude/projects/-home-ann-garden/sessions-index.json'), '{}')
  return folder
}

describe('a file next to sessions that is not a transcript', () => {
  it('is counted and named', () => {
    const folder = home()
    const doctor = run(['doctor'], folder)
    expect(doctor.code).toBe(0)
    const output = doctor.stdout.replaceAll(ONE, 'one').replaceAll(TWO, 'two')
    expect(
      output.slice(output.indexOf('Files next to'), output.indexOf('Nothing of')),
    ).toMatchInlineSnapshot(`
      "Files next to sessions that were not read (5 files, 1.7 kB):
        ~/.claude/projects/-home-ann-garden/two.jsonl.old (651 B: a copy of a transcript)
        ~/.claude/projects/-home-ann-garden/sessions-index.json (2 B: a session index of older clients, which repeats the transcripts)
        ~/.openclaw/agents/main/sessions/one.jsonl.full_backup (1.0 kB: a copy of a transcript)
        ~/.openclaw/agents/main/sessions/one.jsonl.gz (1 B: compressed in a format that is not read)
        ~/.openclaw/agents/main/sessions/notes.md (1 B: not a file that this version knows)
      2 copies of transcripts may contain messages that are nowhere else: scrollback sessions --all --backups

      "
    `)
    expect(output).toContain('Nothing of what is read is missing')
    expect(run([], folder).stdout).toContain('5 files next to sessions were not read')
    expect(run(['index'], folder).stdout).toContain('5 files next to sessions were not read')
    expect(json(folder, 'doctor').unread).toHaveLength(5)
  })

  it('is skipped silently if it belongs there', () => {
    const folder = temporaryHome()
    putOpenclaw(folder, `${ONE}.jsonl`, [openclaw.header(ONE), openclaw.user(1, 'x')])
    for (const name of ['sessions.json', `${ONE}.jsonl.lock`]) putOpenclaw(folder, name, Buffer.from('{}'))
    expect(run(['doctor'], folder).stdout).not.toContain('were not read')
    expect(run([], folder).stdout).not.toContain('not read')
  })
})

describe('copies of transcripts', () => {
  it('are read on request: messages that are only in a copy come first, and every message is shown once', () => {
    const folder = home()
    expect(run(['read', ONE], folder).stdout).not.toContain('Water the ferns')
    for (const id of [ONE, TWO]) {
      const output = run(['read', id, '--backups'], folder).stdout
      expect(output).toContain(id === ONE ? 'Water the ferns' : 'Prune the ivy')
      expect(output.match(/And the roses|Now the moss/g)?.length).toBeLessThanOrEqual(3)
      expect(output.indexOf(id === ONE ? 'Water the ferns' : 'Prune the ivy')).toBeLessThan(
        output.indexOf('already in a session above'),
      )
    }
    const states = (...args: string[]) =>
      json(folder, 'sessions', '--all', ...args)
        .sessions.map(({ state }: Json) => state)
        .sort()
    expect(states('--backups')).toEqual(['backup', 'backup', 'live', 'live'])
    expect(states()).toEqual(['live', 'live'])
    expect(run(['search', 'ferns', '--backups'], folder).stdout).toContain('Water the')
    expect(run(['search', 'ferns'], folder).stdout).toContain('Nothing matches')
    expect(states()).toEqual(['live', 'live'])
    expect(run(['doctor', '--backups'], folder).stdout).not.toContain('full_backup (')
  })

  it('are not collected, and collect reports that', () => {
    const list = run(['collect', '--list'], home()).stdout
    expect(list).toContain('a copy of a transcript')
  })
})
