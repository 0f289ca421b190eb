import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, json, printed, program, run, variablesOf } from '../program.ts'
import {
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  putSessionIndex,
  sharedHome,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

const slugOf = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-')

/** A session of Claude Code that ran in a folder, at its own hour. */
const ranIn = (home: string, number: number, cwd: string, words = 'hello'): void =>
  void putClaude(
    home,
    uuid(number),
    [claude.user(number, words, { cwd }), claude.reply(number, [text('Done.')], { cwd })],
    slugOf(cwd),
  )

/** A session of an agent of OpenClaw, in its own workspace. */
const spokeTo = (home: string, number: number, agent: string, ...words: string[]): void => {
  const workspace = `/home/ann/.openclaw/workspace${agent === 'main' ? '' : `-${agent}`}`
  putOpenclaw(
    home,
    `${uuid(number)}.jsonl`,
    [
      openclaw.header(uuid(number), workspace),
      ...words.map((each, index) => openclaw.user(number + index, each)),
    ],
    agent,
  )
}

const listed = (home: string, ...args: string[]) => {
  const { stdout, stderr, code } = run(['sessions', ...args, '--json'], home)
  const rows: Json[] | undefined = code === 0 ? JSON.parse(stdout).sessions : undefined
  return {
    ids: rows?.map(({ id }) => Number(id.slice(-3))).sort((a, b) => a - b),
    matched: rows?.flatMap(({ matched }) => matched ?? []),
    ...{ stderr, code },
  }
}

describe('an agent', () => {
  const made = sharedHome()
  spokeTo(made, 1, 'garden', 'water the ferns')
  spokeTo(made, 2, 'garden', 'and the moss')
  spokeTo(made, 3, 'main', 'tell garden to water the ferns')
  ranIn(made, 4, '/home/ann/shed', 'the garden is dry')

  it('is matched by its id, its group and its folders, with all its sessions', () => {
    for (const name of ['garden', 'openclaw:garden', 'agent:garden', 'workspace-garden', 'agents/garden'])
      expect(listed(made, name).ids, name).toEqual([1, 2])
    expect(listed(made, '--agent', 'garden').ids).toEqual([1, 2])
    expect(listed(made, '--agent', 'OpenClaw:Garden').ids).toEqual([1, 2])
  })

  it('is reported to have its name mentioned in other sessions', () => {
    expect(listed(made, 'garden').stderr).toBe(
      '1 session of other agents says "garden" too: scrollback search garden\n',
    )
  })

  it('limits every command that reads sessions', () => {
    const of = (command: string) => json(made, command, '--agent', 'garden')
    const counts = [of('sessions').total, of('read').sessions.length, of('stats').totals.sessions]
    expect([...counts, of('secrets').totals.files, of('projects').projects[0].sessions]).toEqual(
      Array(5).fill(2),
    )
    expect(json(made, 'search', 'ferns', '--agent', 'garden').total).toBe(1)
    expect(run(['runs', '--agent', 'garden'], made).stdout).toBe('No subagent run matches.\n')
    const lines = printed(made, 'export', '--agent', 'garden', '--out', '-', '--format', 'jsonl')
    expect(lines.trim().split('\n')).toHaveLength(2)
    expect(run(['resume', 'latest', '--agent', 'garden'], made).stderr).toContain(uuid(2))
  })

  it('is rejected if it is unknown, with a list of agents', () => {
    expect(run(['sessions', '--agent', 'gardn'], made)).toEqual({
      stdout: '',
      stderr:
        'scrollback: --agent: unknown agent "gardn"\nChoose claude-code:claude, openclaw:garden, openclaw:main.\n',
      code: 1,
    })
  })
})

describe('sessions without a project', () => {
  it('are listed after those found by folder, with the words, if one of their first five messages contains the name', () => {
    const home = temporaryHome()
    ranIn(home, 10, '/home/ann/eastore')
    ranIn(home, 11, '/home/ann/shed', 'eastore is down')
    spokeTo(home, 20, 'main', 'one', 'two', 'three', 'four', 'is Eastore up?')
    spokeTo(home, 30, 'ops', 'one', 'two', 'three', 'four', 'five', 'is eastore up?')
    for (const more of [[], ['--all']])
      expect(listed(home, 'eastore', ...more)).toEqual({
        ids: [10, 20],
        matched: ['is Eastore up?'],
        stderr: '',
        code: 0,
      })
    expect(
      run(['sessions', 'eastore'], home).stdout.replace(/26-11-01 \d\d:\d\d/g, '<when>'),
    ).toMatchInlineSnapshot(`
      "ID	LAST	STARTED	AGENT	PROJECT	MACHINE	PERSON	KIND	CHANNEL	NOW	STATE	YOU	AI	TOOLS	ERR	LINES	SIZE	TITLE
      0a1b2c3d-1111-4222-8333-000000000010	20<when>	20<when>	claude	eastore			human				1	0	0		2	836 B	hello

      Without a project, found by their first messages:
      ID	LAST	AGENT	WORDS
      0a1b2c3d-1111-4222-8333-00000000002	20<when>	oc:main	is Eastore up?

      2 sessions; 6 messages of yours. Read one: scrollback read 0a1b2c3d-1111-4222-8333-000000000010
      "
    `)
    expect(run(['stats', 'eastore'], home).stderr).toBe(
      'Not included: 1 session without a project that only mentions "eastore" in the first messages. See: scrollback sessions eastore\n',
    )
  })

  it('are the result if no folder has that name, and only suggested if a session is to be read', () => {
    const home = temporaryHome()
    spokeTo(home, 20, 'main', 'look at eastore')
    expect(listed(home, 'eastore').ids).toEqual([20])
    const { stdout, stderr, code } = run(['read', 'eastore'], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toBe(
      `scrollback: "eastore": no such project or agent. 1 session without a project mentions it in the first messages:
  look at eastore:
    scrollback read 0a1b2c3d
All of them: scrollback sessions eastore
`,
    )
  })
})

describe('an ambiguous name', () => {
  const made = sharedHome()
  ranIn(made, 1, '/home/ann/dev/eastore')
  ranIn(made, 2, '/home/ann/dev/Eastore-frontend-v1')
  ranIn(made, 3, '/home/ann/x/api')
  ranIn(made, 4, '/home/ann/y/api')

  it('selects an exact match, and the others are named', () => {
    expect(listed(made, 'eastore')).toMatchObject({
      ids: [1],
      stderr: expect.stringContaining('Not selected: Eastore-frontend-v1 (1 session).'),
    })
  })

  it('is rejected with a list if there is no exact match, or two', () => {
    expect(run(['read', 'east'], made)).toMatchObject({ stdout: '', code: 2 })
    expect(run(['sessions', 'api'], made)).toEqual({
      stdout: '',
      stderr: `scrollback: "api" is ambiguous: 2 matches:
  y/api  (1 session in /home/ann/y/api)
  x/api  (1 session in /home/ann/x/api)
Use one of these names. --all selects all of them.
`,
      code: 2,
    })
    expect(listed(made, 'x/api').ids).toEqual([3])
    expect(listed(made, 'api', '--all').ids).toEqual([3, 4])
  })

  it('is corrected if one letter is wrong, with a note', () => {
    expect(listed(made, 'eastoer')).toMatchObject({
      ids: [1],
      stderr: '"eastoer": no exact match, using eastore.\n',
    })
  })
})

describe('a word that is no name', () => {
  const made = sharedHome()
  ranIn(made, 1, '/home/ann/garden', 'see README.md, 5 files, checkout, latest')
  spokeTo(made, 2, 'main', 'see README.md, 5 files, checkout')
  writeFileSync(join(made, 'README.md'), 'no transcript\n')

  it.each<[word: string, commands: string[]]>([
    ['README.md', ['read', 'stats', 'export', 'secrets', 'runs', 'follow', 'resume']],
    ...['./README.md', '5', 'checkout', 'files'].map((word): [string, string[]] => [
      word,
      ['read', 'stats', 'resume'],
    ]),
  ])('%s selects nothing, even if it occurs in messages', (word, names) => {
    for (const command of names) {
      const { stdout, code } = run([command, word], made)
      expect({ stdout, ok: code === 1 || code === 2 }, `${command} ${word}`).toEqual({
        stdout: '',
        ok: true,
      })
    }
  })

  it('is told how long the beginning of an id has to be, if it is one', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Ferns in the north bed')])
    const id = uuid(1).slice(0, 8)
    for (const command of ['resume', 'read', 'session', 'handoff', 'tag']) {
      const { stderr, code } = run(
        [command, id.slice(0, 2), 'later'].slice(0, command === 'tag' ? 3 : 2),
        home,
      )
      expect([command, stderr.split('\n')[0], code]).toEqual([
        command,
        `scrollback: "${id.slice(0, 2)}": no such project, agent or session. The id of one session begins with it, and the beginning of an id takes 3 characters or more, such as ${id}.`,
        1,
      ])
    }
    expect(run(['resume', 'zz'], home).stderr).not.toContain('characters')
    expect(run(['resume', id.slice(0, 3)], home).code).toBe(0)
  })

  it('gets an explanation if it is the name of a file', () => {
    expect(run(['stats', 'README.md'], made).stderr).toContain(
      'There is a file with that name here, but it is not a transcript',
    )
    expect(run(['stats', './README.md'], made).stderr).toContain(
      './README.md: a file, but not one of the discovered transcripts.',
    )
    expect(run(['read', './README.md'], made).stderr).toContain('README.md is not named like a transcript')
  })
})

describe('the latest session', () => {
  function fill(made: string): string {
    ranIn(made, 1, '/home/ann/garden')
    ranIn(made, 3, '/home/ann/garden')
    ranIn(made, 5, '/home/ann/shed')
    spokeTo(made, 9, 'ops', 'hello')
    return made
  }
  const made = fill(sharedHome())

  it.each([
    ['latest', 9],
    ['last', 9],
    ['garden:latest', 3],
    ['garden:LAST', 3],
    ['shed:latest', 5],
    ['ops:latest', 9],
    ['agent:ops:latest', 9],
  ])('%s is that of everything, of a project, of an agent', (name, number) => {
    expect(listed(made, name).ids).toEqual([number])
  })

  it('can be limited to a platform or to an agent', () => {
    expect(listed(made, 'latest', '--platform', 'claude-code').ids).toEqual([5])
    expect(listed(made, 'latest', '--agent', 'claude').ids).toEqual([5])
  })

  it('can be read, exported, counted, followed and resumed', () => {
    expect(run(['read', 'garden:latest'], made).stdout).toContain(uuid(3))
    expect(run(['resume', 'garden:latest'], made).stdout).toContain(`claude --resume=${uuid(3)}`)
    expect(json(made, 'stats', 'latest').totals.sessions).toBe(1)
  })

  it('is one in which somebody said something, if there is any', () => {
    const made = fill(temporaryHome())
    putClaude(made, uuid(11), [{ type: 'mode', mode: 'normal', sessionId: uuid(11) }])
    expect(listed(made, 'latest').ids).toEqual([9])
    const silent = temporaryHome()
    putClaude(silent, uuid(11), [{ type: 'mode', mode: 'normal', sessionId: uuid(11) }])
    expect(listed(silent, 'latest').ids).toEqual([11])
  })

  it('is a project if one has that name', () => {
    const made = fill(temporaryHome())
    ranIn(made, 7, '/home/ann/latest')
    expect(listed(made, 'latest').ids).toEqual([7])
  })

  it('is an error if there are no sessions', () => {
    expect(run(['read', 'latest'], temporaryHome())).toMatchObject({ stdout: '', code: 1 })
  })
})

describe('a printed command', () => {
  const PLAIN = ['my garden', '$(touch x)', 'a;b', '(x y)', 'ä & ö', 'dots..', '*', 'x:latest', '日本']
  const NAMES = [...PLAIN, "ann's", 'q"q', '-dash-first']

  /** Runs it as a person does who pastes it into a shell. */
  const pasted = (line: string, home: string) => {
    const script = `scrollback() { '${process.execPath}' '${program}' "$@"; }\n${line}\n`
    const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      cwd: home,
      env: variablesOf(home),
    })
    return { stdout, stderr, code: status }
  }

  it('runs as it is printed, whatever the name of the project', () => {
    const home = temporaryHome()
    for (const [index, name] of NAMES.entries()) ranIn(home, index + 1, `/home/ann/${name}`)
    for (const [index, name] of NAMES.entries()) {
      const listing = run(['projects', `/home/ann/${name}`.slice(5)], home).stdout
      const line = /Sessions of one: (.*)/.exec(listing)?.[1]
      expect(line, name).toBeDefined()
      const { stdout, code } = pasted(`${line} --json`, home)
      expect(code, line).toBe(0)
      expect(JSON.parse(stdout).sessions, line).toMatchObject([{ id: uuid(index + 1) }])
    }
  })

  it('uses the same directories', () => {
    const home = temporaryHome()
    const other = join(home, 'with space')
    mkdirSync(other)
    ranIn(other, 1, '/home/ann/garden')
    const claudeDir = join(other, '.claude')
    const { stdout } = run(['sessions', '--all', '--claude-dir', claudeDir], home)
    const line = /Read one: (.*)/.exec(stdout)?.[1]
    expect(line).toBe(`scrollback read 0a1b2c3d --claude-dir '${claudeDir}'`)
    expect(pasted(line!, home)).toMatchObject({ code: 0, stderr: '' })
  })

  it('accepts the folder names of Claude Code, which begin with a minus sign', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'hello', { cwd: undefined })], '-Users-ann-dev-eastore')
    expect(listed(home, '-Users-ann-dev-eastore').ids).toEqual([1])
    expect(run(['read', '-Users-ann-dev-eastore'], home).code).toBe(0)
    expect(run(['sessions', '--nope'], home)).toMatchObject({ code: 2, stdout: '' })
  })
})

it('a name and a span of time are separate: the name is resolved over all sessions, then those of the span are taken', () => {
  const home = temporaryHome()
  ranIn(home, 1, '/home/ann/dev/eastore')
  ranIn(home, 2, '/home/ann/dev/eastore-frontend')
  const later = ['--since', '2026-11-01T10:02:00Z']
  const { stdout, code } = run(['sessions', 'eastore', ...later, '--json'], home)
  expect({ total: JSON.parse(stdout).total, code }).toEqual({ total: 0, code: 1 })
})

describe('an id that several agents have', () => {
  const made = sharedHome()
  const shared = uuid(7)
  for (const agent of ['main', 'ops'])
    putOpenclaw(
      made,
      `${shared}.jsonl`,
      [openclaw.header(shared, `/home/ann/${agent}`), openclaw.user(1, `fern of ${agent}`)],
      agent,
    )

  it.each([['resume'], ['handoff'], ['changes']])(
    'is a question of %s, whose way out works as printed',
    (command) => {
      const { stdout, stderr, code } = run([command, shared], made)
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
      expect(stderr).toContain('2 agents have a session with this id:')
      expect(stderr).toMatch(/ {2}openclaw:(main|ops) {2}fern of \1/)
      const [, path] = /Name the transcript: scrollback \w+ (\S+)/.exec(stderr)!
      expect(run([command, path!], made).stderr).not.toContain('agents have')
    },
  )

  it('is no question if the agent is named, and the way out keeps what else was asked', () => {
    expect(run(['resume', shared, '--agent', 'ops'], made).stderr).not.toContain('agents have')
    expect(run(['tag', shared, 'garden', '--agent', 'main'], made).code).toBe(0)
    const { stderr } = run(['tag', shared, 'garden', '--star'], made)
    expect(stderr).toMatch(/Name the transcript: scrollback tag \S+\.jsonl garden --star\n$/)
  })
})

describe('a project of which an agent has other sessions than those that name it', () => {
  const made = sharedHome()
  ranIn(made, 1, '/home/ann/dev/shed')
  ranIn(made, 2, '/home/ann/dev/barn')
  putOpenclaw(made, `${uuid(3)}.jsonl`, [
    openclaw.header(uuid(3), '/home/ann/.openclaw/workspace'),
    openclaw.user(3, 'paint it green'),
    openclaw.reply(4, [
      { type: 'toolCall', id: 'c1', name: 'write', arguments: { path: '/home/ann/dev/shed/paint.md' } },
    ]),
  ])

  it.each(['--platform', '--agent'])('is known by its name with %s', (flag) => {
    const [mine, other] = flag === '--platform' ? ['openclaw', 'codex'] : ['main', 'claude']
    expect(listed(made, 'shed', flag, mine!).ids).toEqual([3])
    expect(listed(made, 'barn', flag, mine!)).toMatchObject({ ids: undefined, stderr: '' })
    expect(run(['read', 'shed', flag, mine!], made).stdout).toContain('paint it green')
    const rows = json(made, 'projects', 'shed', flag, mine!).projects
    expect(rows).toMatchObject([{ name: 'shed', path: '/home/ann/dev/shed', sessions: 1 }])
    expect(listed(made, 'shed', flag, other!).ids).toEqual(flag === '--agent' ? [1] : undefined)
  })

  it('is one of every project in its folder, if the platform has no session there', () => {
    const home = temporaryHome()
    const folder = join(home, 'dev', 'shed')
    mkdirSync(folder, { recursive: true })
    ranIn(home, 1, folder)
    spokeTo(home, 2, 'main', 'hello')
    const rows = (...args: string[]) => run(['sessions', ...args, '--json'], home, { cwd: folder })
    expect(JSON.parse(rows().stdout).total).toBe(1)
    const { stdout, stderr } = rows('--platform', 'openclaw')
    expect(JSON.parse(stdout).sessions).toMatchObject([{ id: uuid(2) }])
    expect(stderr).toContain('so this is every project')
  })
})

it('a path means that folder, and not one below whose name begins like it', () => {
  const home = temporaryHome()
  spokeTo(home, 1, 'main', 'hello')
  spokeTo(home, 2, 'garden', 'water the ferns')
  expect(listed(home, '/home/ann/.openclaw/workspace').ids).toEqual([1])
  expect(listed(home, '/home/ann/.openclaw/workspace-garden').ids).toEqual([2])
})

describe('a spelling', () => {
  it.each([
    ['GRÖSSE', 1],
    ['grösse', 1],
    ['größe', 1],
    ['groesse', 1],
    ['grosse', 1],
    ['茶', 2],
  ])('%s finds the folder', (name, number) => {
    const home = temporaryHome()
    ranIn(home, 1, '/home/ann/Größe')
    ranIn(home, 2, '/home/ann/茶')
    ranIn(home, 3, '/home/ann/shed')
    expect(listed(home, name).ids).toEqual([number])
  })

  it('of a Windows folder is one project in either case', () => {
    const home = temporaryHome()
    ranIn(home, 1, 'C:\\Users\\ann\\Shop')
    ranIn(home, 2, 'c:\\users\\ann\\shop')
    expect(json(home, 'projects')).toMatchObject({ total: 1, projects: [{ sessions: 2 }] })
    expect(listed(home, 'shop').ids).toEqual([1, 2])
  })
})

describe('a session', () => {
  it('is named by the key of its conversation', () => {
    const home = temporaryHome()
    spokeTo(home, 1, 'main', 'hello')
    spokeTo(home, 2, 'garden', 'water the ferns')
    putSessionIndex(home, { 'agent:main:main': { sessionId: uuid(1), updatedAt: 1 } })
    expect(listed(home, 'agent:main:main').ids).toEqual([1])
  })

  it('is named by three characters of its id, and is not the latest if no person is in it', () => {
    const home = temporaryHome()
    ranIn(home, 1, '/home/ann/shed')
    expect(listed(home, uuid(1).slice(0, 3)).ids).toEqual([1])
    spokeTo(home, 5, 'main', '[cron:0a1b2c3d-1111-4222-8333-000000000009 nightly] Water the ferns')
    expect(listed(home, 'latest').ids).toEqual([1])
    expect(run(['resume', 'latest'], home).stdout).toContain(uuid(1))
  })
})

it('sessions that only mention a name are included with --mentioned, also those of other projects', () => {
  const home = temporaryHome()
  ranIn(home, 10, '/home/ann/eastore')
  ranIn(home, 11, '/home/ann/shed', 'eastore is down')
  ranIn(home, 12, '/home/ann/shed', 'water the ferns')
  spokeTo(home, 20, 'main', 'is Eastore up?')
  expect(listed(home, 'eastore', '--mentioned')).toMatchObject({
    ids: [10, 11, 20],
    matched: ['is Eastore up?', 'eastore is down'],
  })
  expect(run(['sessions', 'eastore', '--mentioned'], home).stdout).toContain(
    'Of other projects, found by their first messages:\n',
  )
  const { sessions } = JSON.parse(printed(home, 'read', 'eastore', '--mentioned', '--json'))
  expect(sessions).toHaveLength(3)
})

it.each(['.sync-conflict-20261101-101010-ABCDEFG', ' 2', " (ann's conflicted copy 2026-11-01)"])(
  'a conflict copy of a synchronised folder is a backup, so its messages count once: %s',
  (suffix) => {
    const home = temporaryHome()
    const lines = [claude.user(1, 'water the ferns'), claude.reply(2, [text('Done.')])]
    putClaude(home, uuid(1), lines)
    put(join(home, '.claude/projects/-home-ann-garden', `${uuid(1)}${suffix}.jsonl`), lines)
    const { sessions } = json(home, 'sessions', '--all', '--backups')
    expect(sessions.map(({ state }: Json) => state).sort()).toEqual(['backup', 'live'])
    expect(json(home, 'stats').totals.messages.human).toBe(1)
  },
)

it('a transcript outside of the folders is read as that of the program that wrote it', () => {
  const home = temporaryHome()
  put(join(home, 'chat.jsonl'), [
    { sessionId: uuid(1), projectHash: 'ab12', startTime: '2026-11-01T10:00:00Z' },
    { id: uuid(2), timestamp: '2026-11-01T10:00:01Z', type: 'gemini', content: 'Hello' },
  ])
  const { stdout, code } = run(['read', './chat.jsonl'], home)
  expect({ code, names: stdout.includes('Gemini CLI'), tells: stdout.includes('Hello') }).toEqual({
    code: 0,
    names: true,
    tells: true,
  })
})

describe('a command without a name', () => {
  const elsewhere = (home: string): string => {
    const folder = join(home, 'elsewhere')
    mkdirSync(folder, { recursive: true })
    return folder
  }

  it.each([
    ['sessions', 'Ferns in the north bed'],
    ['runs', 'No subagent run matches.'],
    ['secrets', 'Nothing found in 1 line of 1 file'],
  ])('takes every project where no session ran, and says so: %s', (command, expected) => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Ferns in the north bed')])
    const { stdout, stderr } = run([command], home, { cwd: elsewhere(home) })
    expect(stdout).toContain(expected)
    expect(stderr).toContain('No session ran in ~/elsewhere, so this is every project.')
  })

  it('does not guess what to read or to tell', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Ferns in the north bed')])
    for (const command of ['read', 'export', 'devlog'])
      expect(run([command], home, { cwd: elsewhere(home) }).stderr).toContain(
        'No session ran in ~/elsewhere.',
      )
  })
})
