import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answer, type Json, json, printed, program, run, variablesOf } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, sharedHome, text, uuid } from '../records.ts'

const home = sharedHome()
beforeAll(() => {
  putClaude(home, uuid(1), [
    claude.user(1, 'The login page is slow. Why?'),
    claude.reply(2, [text('The login page asks the database twice.')]),
    claude.reply(3, [call('toolu_1', 'Edit', { file_path: '/home/ann/garden/src/auth.ts' })]),
    claude.result(4, 'toolu_1', 'saved the zeppelin'),
    claude.user(5, 'Add a test for the login.'),
    claude.reply(6, [call('toolu_2', 'Bash', { command: 'npm test' })]),
    claude.result(7, 'toolu_2', 'Error: the lantern is broken', true),
    claude.reply(8, [text('The signup form has the same fault.')]),
    claude.user(9, 'Login again: fine. Login it is. Thanks for the login.'),
  ])
  putClaude(home, uuid(20), [claude.user(21, 'water the ferns', { cwd: '/home/ann/moss' })], '-home-ann-moss')
  putOpenclaw(home, 'pump.jsonl', [
    openclaw.header('pump'),
    openclaw.user(30, 'Is the login of the pump open?'),
    openclaw.reply(31, [text('It is.')]),
  ])
  run(['index'], home)
})

const search = (...args: string[]) => run(['search', ...args], home)
/** The matches, in short: session, line and speaker. */
const found = (...args: string[]): string[] => {
  const { stdout, code } = search('--json', ...args)
  const { hits } = JSON.parse(stdout)
  expect(code).toBe(hits.length > 0 ? 0 : 1)
  const short = ({ session, line, who }: Json) => `${Number(session.slice(-2)) || session}:${line} ${who}`
  return hits.map(short).sort()
}
const LOGIN = ['1:1 human', '1:2 agent', '1:5 human', '1:9 human', 'pump:2 human']

describe('a search', () => {
  it('shows the best of each session, marked by speaker, and how to read on', () => {
    expect(printed(home, 'search', 'login')).toMatchInlineSnapshot(`
      "━━ 2026-11-01 · garden · Claude Code · The login page is slow. Why?
        :9 26-11-01 10:09  You     Login again: fine. Login it is. Thanks for the login.
        :5 26-11-01 10:05  You     Add a test for the login.
        :1 26-11-01 10:01  You     The login page is slow. Why?
        + 1 more in this session: scrollback read 0a1b2c3d:9

      ━━ 2026-11-01 · OpenClaw main · Is the login of the pump open?
        :2 26-11-01 10:30  You     Is the login of the pump open?
        scrollback read pump:2

      5 matches in 2 sessions
      "
    `)
  })

  it.each<[query: string, wanted: string[]]>([
    ['login page', ['1:1 human', '1:2 agent']],
    ['"login page"', ['1:1 human', '1:2 agent']],
    ['"page login"', []],
    ['log*', LOGIN],
    ['signup OR ferns', ['1:8 agent', '20:1 human']],
    ['login -page', ['1:5 human', '1:9 human', 'pump:2 human']],
    ['login -test', LOGIN.filter((each) => each !== '1:5 human')],
    ['login -"login page"', ['1:5 human', '1:9 human', 'pump:2 human']],
    ['login -(page OR test)', ['1:9 human', 'pump:2 human']],
    ['login -who:human', ['1:2 agent']],
    ['LOGIN Pagé', ['1:1 human', '1:2 agent']],
    ['login who:agent', ['1:2 agent']],
    ['login project:garden', LOGIN.slice(0, 4)],
    ['project:moss', ['20:1 human']],
    ['login platform:openclaw', ['pump:2 human']],
    ['agent:main who:human', ['pump:2 human']],
    ['session:pump', ['pump:2 human', 'pump:3 agent']],
    ['tool:Edit', ['1:3 tool']],
    ['file:src/auth.ts', ['1:3 tool']],
    ['is:error', ['1:7 error']],
    ['has:question', ['1:1 human', 'pump:2 human']],
    ['login before:2026-11-01T10:05', ['1:1 human', '1:2 agent']],
    ['login after:2026-11-01T10:08', ['1:9 human', 'pump:2 human']],
  ])('for %s returns the matches', (query, wanted) => {
    expect(found(query)).toEqual([...wanted].sort())
  })
  it('for words and flags on its command line returns the matches', () => {
    expect(found('login', '-page')).toEqual(['1:5 human', '1:9 human', 'pump:2 human'])
    expect(found('--', 'login', '-page')).toEqual(['1:5 human', '1:9 human', 'pump:2 human'])
    expect(found('signup', 'OR', 'ferns')).toEqual(['1:8 agent', '20:1 human'])
    expect(found('login', '--platform', 'openclaw')).toEqual(['pump:2 human'])
    expect(found('login', '--until', '2026-10-31')).toEqual([])
    expect(found('login', '--since', '2026-11-01')).toEqual(LOGIN)
  })

  it.each([
    ...['login (', 'login "', '"login', 'login AND', 'login OR', '((login))'],
    ...['-- login', 'login:', 'login\n\t', '*login', 'login )'],
  ])('with invalid syntax searches its words: %j', (query) => {
    expect(JSON.parse(printed(home, 'search', '--json', '--', query))).toHaveProperty('total')
  })

  it('treats an invalid filter as words, and reports that', () => {
    const { stdout, stderr, code } = search('login', 'before:someday')
    expect(stderr).toBe(
      'before:someday is not a valid time (use 7d, 2026-01-31 or yesterday): searched as words\n',
    )
    expect(stdout).toContain('Nothing matches login before:someday\n')
    expect(code).toBe(1)
  })

  it('without matches prints what was searched, and a way out', () => {
    expect(search('login', '"no such words"', 'who:agent').stdout).toMatchInlineSnapshot(`
      "Nothing matches login "no such words" who:agent
      Searched 8 messages and 2 calls of tools in 3 sessions.
      Try it without a filter; with fewer words, or OR between them; without the quotes; with --raw, in what tools gave back.
      "
    `)
    expect(search('zeppelin').stdout).toContain('Try it with --raw, in what tools gave back.\n')
  })

  it('without data prints the searched directories', () => {
    const empty = join(home, 'empty')
    const { stdout, code } = run(['search', 'login'], home, {
      env: { HOME: empty, SCROLLBACK_HOME: join(home, 'none') },
    })
    expect(stdout).toContain('No transcripts to search. Searched:\n')
    expect(code).toBe(1)
  })

  it('without words asks for some', () => {
    for (const args of [[], [''], ['  ']]) {
      const { stdout, stderr, code } = search(...args)
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
      expect(stderr).toContain(
        'scrollback: search: the query is missing\nFor example: scrollback search postgres backup\n',
      )
    }
  })
})

describe('an option of search', () => {
  it('--context shows the messages before and after', () => {
    const { stdout } = search('signup', '--context', '1')
    expect(stdout).toMatchInlineSnapshot(`
      "━━ 2026-11-01 · garden · Claude Code · The login page is slow. Why?
           26-11-01 10:07  ✗ Bash  Error: the lantern is broken
        :8 26-11-01 10:08  Claude  The signup form has the same fault.
           26-11-01 10:09  You     Login again: fine. Login it is. Thanks for the login.
        scrollback read 0a1b2c3d:8

      1 match in 1 session
      "
    `)
  })

  it('--raw includes tool results', () => {
    expect(search('zeppelin', '--raw').stdout).toMatchInlineSnapshot(`
      "Nothing matches zeppelin
      Searched 8 messages and 2 calls of tools in 3 sessions.

      In what tools gave back:

      ━━ 2026-11-01 · garden · Claude Code · The login page is slow. Why?
        26-11-01 10:04  ← Edit  saved the zeppelin
        scrollback read 0a1b2c3d --full

      1 output in 1 session; 3 transcripts searched
      "
    `)
  })

  it('--flat prints one line per match with its position', () => {
    const { stdout } = search('login', '--flat')
    expect(stdout.match(/^\S+:\d+ /gm)).toHaveLength(5)
    expect(stdout).toContain('\n5 matches in 2 sessions\n')
  })

  it('--sort newest shows the newest first', () => {
    const at = json(home, 'search', 'login', '--sort', 'newest').hits.map((hit: Json) => hit.at)
    expect(at).toEqual([...at].sort().reverse())
    expect(at).toHaveLength(5)
  })

  it('--limit shows fewer and prints the total, and 0 shows all', () => {
    expect(search('login', '--limit', '1').stdout).toContain(
      '\n5 matches in 2 sessions; 1 session shown (--limit 0 shows all)\n',
    )
    expect(found('login', '--limit', '2')).toHaveLength(2)
    expect(found('login', '--limit', '0')).toEqual(LOGIN)
    expect(search('login', '--limit', 'x')).toMatchObject({
      stdout: '',
      stderr: 'scrollback: --limit x: must be a whole number\nSee: scrollback search --help\n',
      code: 2,
    })
  })

  it('that does not exist is reported, with a way to search for such a word', () => {
    const { stdout, stderr, code } = search('login', '--test')
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain("scrollback: unknown option '--test'\n")
    expect(stderr).toContain('put -- before them: scrollback search -- --word\n')
  })
})

describe('the output of a search', () => {
  it('ends quietly if the reader goes away', () => {
    for (const more of ['', '--json', '--flat', '--raw', '--context 3']) {
      const line = `"$NODE" "$PROGRAM" search login OR ferns OR fault ${more} | head -1 >/dev/null`
      const { stdout, stderr } = spawnSync('bash', ['-c', `${line}; echo "\${PIPESTATUS[0]}"`], {
        ...{ encoding: 'utf8', env: variablesOf(home, { NODE: process.execPath, PROGRAM: program }) },
      })
      expect({ more, stdout, stderr }).toEqual({ more, stdout: '0\n', stderr: '' })
    }
  })

  it('has colours on request, and none by default in a pipe', () => {
    const escapes = new RegExp(String.fromCharCode(27))
    expect(search('login').stdout).not.toMatch(escapes)
    expect(search('login', '--color').stdout).toMatch(escapes)
  })

  it.each([40, 60, 80, 200])(
    'fits a terminal of %i columns, except for commands and the header of a session',
    async (columns) => {
      const environment = { home, variables: {} }
      const screen = { columns, terminal: true, home }
      for (const flat of columns < 60 ? [false] : [false, true]) {
        const given = { query: ['login'], flat, context: 2 }
        const { text: shown } = await answer('search', given, environment, { screen, store: ':memory:' })
        const lines = shown.split('\n').filter((each) => !/scrollback read|^━━/.test(each))
        expect(Math.max(...lines.map((each) => each.length)), shown).toBeLessThanOrEqual(columns)
        expect(shown).toContain('5 matches in 2 sessions')
      }
    },
  )
})
