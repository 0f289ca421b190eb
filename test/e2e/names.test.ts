import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileCache, program, run } from '../program.ts'
import { claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const slugOf = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-')

/** A session of Claude Code that ran in a folder, at an hour of its own. */
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

interface Listed {
  total: number
  mentioned: number
  sessions: { id: string; matched?: string }[]
}

const listed = (home: string, ...args: string[]) => {
  const { stdout, stderr, code } = run(['sessions', ...args, '--json'], home)
  const found = code === 0 ? (JSON.parse(stdout) as Listed) : undefined
  return {
    ids: found?.sessions.map(({ id }) => Number(id.slice(-3))).sort((a, b) => a - b),
    matched: found?.sessions.flatMap(({ matched }) => matched ?? []),
    stderr,
    code,
  }
}

describe('an agent', () => {
  function home(): string {
    const made = temporaryHome()
    spokeTo(made, 1, 'garden', 'water the ferns')
    spokeTo(made, 2, 'garden', 'and the moss')
    spokeTo(made, 3, 'main', 'tell garden to water the ferns')
    ranIn(made, 4, '/home/ann/shed', 'the garden is dry')
    return made
  }

  it('is named by its id, its group and its folders, and is all that it did', () => {
    const made = home()
    for (const name of ['garden', 'openclaw:garden', 'agent:garden', 'workspace-garden', 'agents/garden'])
      expect(listed(made, name).ids, name).toEqual([1, 2])
    expect(listed(made, '--agent', 'garden').ids).toEqual([1, 2])
    expect(listed(made, '--agent', 'OpenClaw:Garden').ids).toEqual([1, 2])
  })

  it('is said to have namesakes in what others said', () => {
    expect(listed(home(), 'garden').stderr).toBe(
      '1 session of other agents says "garden" too: scrollback search garden\n',
    )
  })

  it.each([
    ['sessions', (out: string) => (JSON.parse(out) as Listed).total],
    ['read', (out: string) => (JSON.parse(out) as { sessions: unknown[] }).sessions.length],
    ['stats', (out: string) => (JSON.parse(out) as { totals: { sessions: number } }).totals.sessions],
    ['secrets', (out: string) => (JSON.parse(out) as { totals: { files: number } }).totals.files],
    [
      'projects',
      (out: string) => (JSON.parse(out) as { projects: { sessions: number }[] }).projects[0]!.sessions,
    ],
  ])('narrows %s', (command, count) => {
    const { stdout } = run([command, '--agent', 'garden', '--json'], home())
    expect(count(stdout)).toBe(2)
  })

  it('narrows search, runs, export and resume', () => {
    const made = home()
    const found = JSON.parse(run(['search', 'ferns', '--agent', 'garden', '--json'], made).stdout)
    expect(found.total).toBe(1)
    expect(run(['runs', '--agent', 'garden'], made).stdout).toBe('No subagent run matches.\n')
    const page = run(['export', '--agent', 'garden', '--out', '-', '--format', 'jsonl'], made)
    expect(page.code).toBe(0)
    expect(run(['resume', 'latest', '--agent', 'garden'], made).stderr).toContain(uuid(2))
  })

  it('that nobody has is refused with those there are', () => {
    expect(run(['sessions', '--agent', 'gardn'], home())).toEqual({
      stdout: '',
      stderr:
        'scrollback: --agent gardn: no session is of an agent of that name.\nThere are: claude-code:claude, openclaw:garden, openclaw:main.\n',
      code: 1,
    })
  })
})

describe('sessions without a project', () => {
  it('are listed under those found by folder, with the words, when one of their first five messages says the name', () => {
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
      "ID        LAST            STARTED         AGENT   PROJECT  KIND   STATE  YOU  IT  TOOLS  ERR  LINES   SIZE  TITLE
      0a1b2c3d  <when>  <when>  claude  eastore  human  live     1   0      0           2  836 B  hello

      Without a project, found by what was said first in them:
      ID        LAST            AGENT    WORDS
      0a1b2c3d  <when>  oc:main  is Eastore up?

      2 sessions; 6 messages of yours. Read one: scrollback read 0a1b2c3d
      "
    `)
    expect(run(['stats', 'eastore'], home).stderr).toBe(
      'Not included: 1 session without a project that only says "eastore" early on. See: scrollback sessions eastore\n',
    )
  })

  it('are an answer where no folder is called so, and only offered where one has to be read', () => {
    const home = temporaryHome()
    spokeTo(home, 20, 'main', 'look at eastore')
    expect(listed(home, 'eastore').ids).toEqual([20])
    const { stdout, stderr, code } = run(['read', 'eastore'], home)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toBe(
      `scrollback: No project or agent is called "eastore". 1 session without a project says it early on:
  scrollback read 0a1b2c3d  look at eastore
All of them: scrollback sessions eastore
`,
    )
  })
})

describe('a name that fits several', () => {
  function home(): string {
    const made = temporaryHome()
    ranIn(made, 1, '/home/ann/dev/eastore')
    ranIn(made, 2, '/home/ann/dev/Eastore-frontend-v1')
    ranIn(made, 3, '/home/ann/x/api')
    ranIn(made, 4, '/home/ann/y/api')
    return made
  }

  it('is taken where it is exactly one of them, and the others are named', () => {
    expect(listed(home(), 'eastore')).toMatchObject({
      ids: [1],
      stderr: 'Not taken: Eastore-frontend-v1 (1 session). Take every match with --all.\n',
    })
  })

  it('is refused with the list where it is none of them or two of them', () => {
    const made = home()
    expect(run(['read', 'east'], made)).toMatchObject({ stdout: '', code: 2 })
    expect(run(['sessions', 'api'], made)).toEqual({
      stdout: '',
      stderr: `scrollback: "api" may mean any of 2:
  y/api  (1 session; path /home/ann/y/api [98], slug -home-ann-y-api [70])
  x/api  (1 session; path /home/ann/x/api [98], slug -home-ann-x-api [70])
Name one of them as it is listed, or take them all with --all.
`,
      code: 2,
    })
    expect(listed(made, 'x/api').ids).toEqual([3])
    expect(listed(made, 'api', '--all').ids).toEqual([3, 4])
  })

  it('is said to be another where one letter is wrong', () => {
    expect(listed(home(), 'eastoer')).toMatchObject({
      ids: [1],
      stderr: 'Nothing is called "eastoer": this is eastore.\n',
    })
  })
})

describe('a word', () => {
  function home(): string {
    const made = temporaryHome()
    ranIn(made, 1, '/home/ann/garden', 'see README.md, 5 files, checkout, latest')
    spokeTo(made, 2, 'main', 'see README.md, 5 files, checkout')
    writeFileSync(join(made, 'README.md'), 'no transcript\n')
    return made
  }

  it.each(['README.md', './README.md', '5', 'checkout', 'files'])(
    '%s is no target because it was said',
    (word) => {
      const made = home()
      for (const command of ['read', 'stats', 'export', 'secrets', 'runs', 'follow', 'resume']) {
        const { stdout, code } = run([command, word], made)
        expect({ stdout, ok: code === 1 || code === 2 }, `${command} ${word}`).toEqual({
          stdout: '',
          ok: true,
        })
      }
    },
  )

  it('that names a file says what is the matter with it', () => {
    const made = home()
    expect(run(['stats', 'README.md'], made).stderr).toContain(
      'There is a file of that name here, but it is no transcript',
    )
    expect(run(['stats', './README.md'], made).stderr).toContain(
      './README.md is a file, and no transcript that was found.',
    )
    expect(run(['read', './README.md'], made).stderr).toContain('README.md is not named like a transcript')
  })
})

describe('the latest session', () => {
  function home(): string {
    const made = temporaryHome()
    ranIn(made, 1, '/home/ann/garden')
    ranIn(made, 3, '/home/ann/garden')
    ranIn(made, 5, '/home/ann/shed')
    spokeTo(made, 9, 'ops', 'hello')
    return made
  }

  it.each([
    ['latest', 9],
    ['last', 9],
    ['garden:latest', 3],
    ['garden:LAST', 3],
    ['shed:latest', 5],
    ['ops:latest', 9],
    ['agent:ops:latest', 9],
  ])('%s is that of everything, of a project, of an agent', (name, number) => {
    expect(listed(home(), name).ids).toEqual([number])
  })

  it('is that of an agent program, or of an agent, where one is named', () => {
    expect(listed(home(), 'latest', '--platform', 'claude-code').ids).toEqual([5])
    expect(listed(home(), 'latest', '--agent', 'claude').ids).toEqual([5])
  })

  it('can be read, exported, counted, followed and gone on with', () => {
    const made = home()
    expect(run(['read', 'garden:latest'], made).stdout).toContain(uuid(3))
    expect(run(['resume', 'garden:latest'], made).stdout).toContain(`claude --resume ${uuid(3)}`)
    expect(JSON.parse(run(['stats', 'latest', '--json'], made).stdout).totals.sessions).toBe(1)
  })

  it('is a project where one is called so', () => {
    const made = home()
    ranIn(made, 7, '/home/ann/latest')
    expect(listed(made, 'latest').ids).toEqual([7])
  })

  it('of nothing is no session', () => {
    expect(run(['read', 'latest'], temporaryHome())).toMatchObject({ stdout: '', code: 1 })
  })
})

describe('a command that is printed', () => {
  const NAMES = [
    'my garden',
    "ann's",
    '$(touch x)',
    'a;b',
    '(x y)',
    'ä & ö',
    'dots..',
    '*',
    'x:latest',
    '日本',
    'q"q',
    '-dash-first',
  ]

  /** Runs it as somebody who pastes it into a shell. */
  const pasted = (line: string, home: string) => {
    const script = `scrollback() { '${process.execPath}' '${program}' "$@"; }\n${line}\n`
    const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      cwd: home,
      env: { HOME: home, TZ: 'UTC', PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
    })
    return { stdout, stderr, code: status }
  }

  it('runs as it stands, whatever the project is called', () => {
    const home = temporaryHome()
    for (const [index, name] of NAMES.entries()) ranIn(home, index + 1, `/home/ann/${name}`)
    for (const [index, name] of NAMES.entries()) {
      const listing = run(['projects', `/home/ann/${name}`.slice(5)], home).stdout
      const line = /Sessions of one: (.*)/.exec(listing)?.[1]
      expect(line, name).toBeDefined()
      const { stdout, code } = pasted(`${line} --json`, home)
      expect(code, line).toBe(0)
      expect(
        (JSON.parse(stdout) as Listed).sessions.map(({ id }) => id),
        line,
      ).toEqual([uuid(index + 1)])
    }
  })

  it('asks about the same places', () => {
    const home = temporaryHome()
    const other = join(home, 'with space')
    mkdirSync(other)
    ranIn(other, 1, '/home/ann/garden')
    const place = join(other, '.claude')
    const { stdout } = run(['sessions', '--all', '--claude-dir', place], home)
    const line = /Read one: (.*)/.exec(stdout)?.[1]
    expect(line).toBe(`scrollback read 0a1b2c3d --claude-dir '${place}'`)
    expect(pasted(line!, home)).toMatchObject({ code: 0, stderr: '' })
  })

  it('accepts the folder names of Claude Code, which begin with a minus', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'hello', { cwd: undefined })], '-Users-ann-dev-eastore')
    expect(listed(home, '-Users-ann-dev-eastore').ids).toEqual([1])
    expect(run(['read', '-Users-ann-dev-eastore'], home).code).toBe(0)
    expect(run(['sessions', '--nope'], home)).toMatchObject({ code: 2, stdout: '' })
  })
})
