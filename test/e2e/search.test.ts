import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answer, type Json, json, printed, program, run, variablesOf } from '../program.ts'
import {
  call,
  claude,
  openclaw,
  put,
  putClaude,
  putOpenclaw,
  sharedHome,
  temporaryHome,
  text,
  uuid,
} from '../records.ts'

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
  // Its id begins in another way, so that both have short names.
  putClaude(
    home,
    `5e${uuid(20).slice(2)}`,
    [claude.user(21, 'water the ferns', { cwd: '/home/ann/moss' })],
    '-home-ann-moss',
  )
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
  it('names the command that resolves paths, where no call states a file as it was asked for', () => {
    const { stdout, code } = run(['search', 'edited:/home/ann/nowhere.ts'], home)
    expect(code).toBe(1)
    expect(stdout).toContain('however calls state its path: scrollback why /home/ann/nowhere.ts')
  })

  it('lists the matches where nobody can choose one, and says so', () => {
    const { stdout, stderr } = search('login', '--pick')
    expect(stdout).toBe(printed(home, 'search', 'login'))
    expect(stderr).toBe('--pick: only a terminal offers the matches to choose from.\n')
  })

  it('takes a time as words, and says how it is one', () => {
    const { stderr } = search('login', 'last', 'week', '--limit', '2')
    const line = "scrollback search login --limit 2 --since 'last week' --until 'last week'"
    expect(stderr).toBe(`“last week” is searched as words. As a time: ${line}\n`)
    for (const args of [['"login last week"'], ['last', 'week'], ['login', 'last', 'week', '--since', '7d']])
      expect(search(...args).stderr).not.toContain('as words')
  })

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
    ['login (', 'a parenthesis is not closed'],
    ['login "', 'a quotation mark has no other'],
    ['"login', 'a quotation mark has no other'],
    ['login OR', 'OR joins what is on both sides of it'],
  ])('with incomplete syntax searches its words, and says what is not complete: %j', (query, remark) => {
    const { stdout, stderr, code } = search('--json', '--', query)
    expect({ code, total: JSON.parse(stdout).total }).toEqual({ code: 0, total: LOGIN.length })
    expect(stderr).toContain(remark)
    expect(JSON.parse(stdout).remarks).toEqual([stderr.trimEnd()])
  })

  it.each(['login AND', '((login))', '-- login', 'login:', 'login\n\t', '*login', 'login )'])(
    'with invalid syntax searches its words: %j',
    (query) => {
      expect(JSON.parse(printed(home, 'search', '--json', '--', query))).toHaveProperty('total')
    },
  )

  it('treats an invalid filter as words, and reports that', () => {
    const { stdout, stderr, code } = search('login', 'before:someday')
    expect(stderr).toBe(
      'before:someday is not a valid time (use 7d, 2026-01-31 or yesterday): searched as words\n',
    )
    expect(stdout).toContain('1 of 2 words: scrollback read ')
    expect(code).toBe(0)
  })

  it('without matches prints what was searched, and a way out', () => {
    expect(search('login', '"no such words"', 'who:agent').stdout).toMatchInlineSnapshot(`
      "Nothing matches login "no such words" who:agent
      Searched 8 messages and 2 tool calls in 3 sessions.
      Try it without a filter; with fewer words, or OR between them; without the quotes; with --raw, in tool output.
      "
    `)
    expect(search('zeppelin').stdout).toContain('Try it with --raw, in tool output.\n')
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
    for (const args of [[], [''], ['  '], [' \0']]) {
      const { stdout, stderr, code } = search(...args)
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
      expect(stderr).toContain(
        'scrollback: search: the query is missing\nFor example: scrollback search postgres backup\n',
      )
    }
  })
})

describe('the sessions of a search', () => {
  const at = (name: string) => ({ isSidechain: true, agentId: name, sessionId: uuid(50) })

  it('are one for a session and its subagents, the words of people first', () => {
    const own = temporaryHome()
    putClaude(own, uuid(50), [claude.user(1, 'Prune the wisteria')])
    for (const [index, name] of ['a1b2c3d4e5f607181', 'a1b2c3d4e5f607182', 'a1b2c3d4e5f607183'].entries())
      put(join(own, '.claude/projects/-home-ann-garden', uuid(50), 'subagents', `agent-${name}.jsonl`), [
        claude.user(60 + index, 'Look at the wisteria', at(name)),
      ])
    const shown = printed(own, 'search', 'wisteria')
    expect(shown.split('━━').length - 1).toBe(1)
    expect(shown).toMatch(/^ {2}:1 +\S+ \d\d:\d\d +You +Prune the wisteria$/m)
    expect(shown).toMatch(/^ {2}a1b2c3d4\S*:1 .*Look at the wisteria$/m)
    expect(shown).toContain('+ 1 more in this session: scrollback read 0a1b2c3d:1')
    expect(json(own, 'search', 'wisteria').hits).toHaveLength(4)
  })

  it('are one for a fork and its original, under the one that a person would resume', () => {
    const own = temporaryHome()
    const prompt = claude.user(1, 'Prune the wisteria')
    putClaude(own, uuid(50), [prompt, claude.reply(2, [text('The wisteria is pruned.')])])
    putClaude(own, uuid(51), [
      { ...prompt, sessionId: uuid(51), forkedFrom: { sessionId: uuid(50), messageUuid: prompt.uuid } },
      claude.user(9, 'Prune the wisteria again', { sessionId: uuid(51) }),
    ])
    const shown = printed(own, 'search', 'wisteria')
    expect(shown.split('━━').length - 1).toBe(1)
    expect(shown).toContain('Prune the wisteria again')
    expect(shown).toContain('also in one copy')
  })

  it('show memory after what a person said', () => {
    const own = temporaryHome()
    putClaude(own, uuid(50), [
      claude.user(
        1,
        `${'We looked at very many plants in the garden today, and at some in the yard. '.repeat(40)} wisteria`,
      ),
    ])
    put(
      join(own, '.claude/projects/-home-ann-garden/memory/plants.md'),
      '# Wisteria\n\nWisteria, wisteria.\n',
    )
    const shown = printed(own, 'search', 'wisteria')
    expect(shown.indexOf('You')).toBeGreaterThan(0)
    expect(shown.indexOf('You')).toBeLessThan(shown.indexOf('scrollback memory'))
  })
})

it('a line that the file no longer has is marked as gone, in text and as JSON', () => {
  const cut = temporaryHome()
  const lines = [
    claude.user(1, 'The lantern is green'),
    claude.reply(2, [text('Then the lantern stays green.')]),
  ]
  putClaude(cut, uuid(1), lines)
  run(['index'], cut)
  putClaude(cut, uuid(1), lines.slice(0, 1))
  const gone = json(cut, 'search', 'lantern').hits.map(({ line, goneSince }: Json) => [
    line,
    typeof goneSince,
  ])
  expect(gone).toEqual([
    [1, 'undefined'],
    [-1, 'string'],
  ])
  for (const flags of [[], ['--flat']]) {
    const shown = printed(cut, 'search', 'lantern', ...flags)
    expect(shown).toMatch(/:-1 .*Claude \(gone\)/)
    expect(shown.match(/gone/g)).toHaveLength(1)
  }
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
      Searched 8 messages and 2 tool calls in 3 sessions.

      In tool output:

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

const greenhouse = sharedHome()
beforeAll(() => {
  putClaude(greenhouse, uuid(1), [
    claude.user(1, 'Why do the ferns in the greenhouse turn brown?'),
    claude.reply(2, [text('The greenhouse is too dry: water them twice a week.')]),
    claude.user(3, 'Set waterInterval in the config, then.'),
    claude.reply(4, [text('登錄頁面現在可以用了。')]),
    { type: 'custom-title', customTitle: 'Humidity of the orangery', sessionId: uuid(1) },
  ])
  putClaude(
    greenhouse,
    uuid(20),
    [claude.user(21, 'prune the moss', { cwd: '/home/ann/moss' })],
    '-home-ann-moss',
  )
  run(['index'], greenhouse)
})
const searchOfSearchRelaxed = (...args: string[]) => run(['search', ...args], greenhouse)
const foundOfSearchRelaxed = (...args: string[]) => json(greenhouse, 'search', ...args)
const linesOf = ({ hits }: Json): number[] => hits.map(({ line }: Json) => line)

describe('a relaxed search', () => {
  it('finds the title of a session, and labels it', () => {
    const { hits, total } = foundOfSearchRelaxed('humidity orangery')
    expect(total).toBe(1)
    expect(hits[0]).toMatchObject({
      who: 'marker',
      label: 'title',
      text: 'Humidity of the orangery',
      line: 1,
    })
    expect(searchOfSearchRelaxed('orangery').stdout).toContain('Title')
  })

  it('finds a title only if no speaker, project or time is required', () => {
    expect(foundOfSearchRelaxed('orangery who:human').total).toBe(0)
    expect(foundOfSearchRelaxed('orangery project:moss').total).toBe(0)
    expect(foundOfSearchRelaxed('orangery -project:garden').total).toBe(0)
    expect(foundOfSearchRelaxed('orangery after:2099-01-01').total).toBe(0)
  })

  it('ranks sessions by any of the words of a sentence, and reports how many they contain', () => {
    const answer = foundOfSearchRelaxed('what makes ferns and greenhouse plants turn brown')
    expect(answer).toMatchObject({ relaxed: true })
    expect(linesOf(answer)).toEqual([1, 2])
    const { stdout } = searchOfSearchRelaxed('how often do I water the greenhouse plants')
    expect(stdout).toContain('best sessions first, with any of your words')
    expect(stdout).toContain('2 of 4 words: scrollback read ')
    expect(stdout).toContain('water them twice')
  })

  it('ranks first what has a sentence as it was typed, also in a long message', () => {
    const made = temporaryHome()
    const sentence = 'the fern is taken from the bed that its gardener'
    putClaude(made, uuid(1), [
      claude.user(1, 'What now?'),
      claude.reply(2, [text(`${'Plants need light and rain. '.repeat(60)}So ${sentence} dug in spring.`)]),
    ])
    for (const session of [2, 3, 4])
      putClaude(made, uuid(session), [
        claude.user(session * 10, 'gardener: bed, fern taken, fern, taken, bed'),
      ])
    expect(json(made, 'search', sentence).hits[0]).toMatchObject({ session: uuid(1), line: 2 })
  })

  it('ranks a message with every word as it was typed above more of them with other endings', () => {
    const made = temporaryHome()
    putClaude(made, uuid(1), [
      claude.user(1, 'What now?'),
      claude.reply(2, [text('The garden needs a table, and the parts of a memory.')]),
    ])
    for (const session of [2, 3, 4])
      putClaude(made, uuid(session), [
        claude.user(session * 10, 'memory tables: needed part'),
        claude.user(session * 10 + 1, 'part of tables, needed in memories'),
      ])
    expect(json(made, 'search', 'memory needs table parts').hits[0]).toMatchObject({ session: uuid(1) })
  })

  it.each([
    ['why did we say that drains were dropped', 'Let us drop the drains.'],
    ['is it controlled who runs the logs', 'Here is the control: Ann.'],
    ['where were the bugs in the garden logged', 'The bug is in the bed.'],
    ['what should we log in the shed', 'Logging went well.'],
    ['why did we choose the red paint', 'Ann chose it.'],
    ['which decision was there about the hedge', 'They decide on Monday.'],
    ['since nginx 4.7', 'The nginx v4.7 broke.'],
    ['v1.2.3', 'Version 1.2.3 is out.'],
    ['why did we choose that', `${'Filler. '.repeat(60)} So Ann chose it.`],
  ])('finds the forms of a word that it does not begin: %s', (sentence, found) => {
    const made = temporaryHome()
    putClaude(made, uuid(1), [claude.user(1, 'What now?'), claude.reply(2, [text(found)])])
    putClaude(made, uuid(2), [claude.user(3, 'The login of the droplet, bugle and controversy')])
    const { hits } = json(made, 'search', sentence)
    expect(hits.map(({ session, line }: Json) => [session, line])).toEqual([[uuid(1), 2]])
    expect(hits[0].snippet).toContain(found.slice(-10))
  })

  it('counts exactly if one message has all words, however many have one of them', () => {
    const made = temporaryHome()
    const many = Array.from({ length: 12_000 }, (_, at) => claude.user(at + 1, 'common'))
    putClaude(made, uuid(1), [...many, claude.user(12_001, 'common and rare')])
    expect(json(made, 'search', 'common rare')).toMatchObject({ total: 1, more: false })
  })

  it('finds nothing for quoted words only, and whatever contains one of two words', () => {
    expect(foundOfSearchRelaxed('"ferns in the orangery"').total).toBe(0)
    expect(linesOf(foundOfSearchRelaxed('ferns zeppelin'))).toEqual([1])
  })

  it.each(['rch', 'lanter'])('says that it looked inside of words: %s', (part) => {
    const made = temporaryHome()
    putClaude(made, uuid(1), [claude.user(1, 'The orchard needs a lantern')])
    expect(json(made, 'search', part)).toMatchObject({ total: 1, widened: true })
    expect(printed(made, 'search', part).trimEnd().split('\n').at(-1)).toContain(
      'parts of words were searched',
    )
  })

  it('corrects a typo to the most similar word, and reports that', () => {
    const { stdout } = searchOfSearchRelaxed('greenhuose')
    expect(stdout).toContain('“greenhuose” is nowhere; this is what “greenhouse” finds.')
    expect(stdout).toContain('turn brown')
    expect(foundOfSearchRelaxed('greenhuose')).toMatchObject({
      corrections: [{ word: 'greenhuose', instead: 'greenhouse' }],
      corrected: true,
      total: 2,
    })
  })

  it('is by time alone with --sort newest, also if few messages contain all words', () => {
    const home = temporaryHome()
    for (const [number, words] of ['moss fern beds', 'moss and fern', 'fern beds', 'thyme'].entries())
      putClaude(home, uuid(number + 1), [claude.user(number + 1, words)], `-home-ann-bed${number}`)
    const { hits, total } = json(home, 'search', 'moss fern beds', '--sort', 'newest')
    const times = hits.map(({ at }: Json) => at)
    expect([total, times]).toEqual([3, times.toSorted().reverse()])
  })

  it('finds by a word that is corrected what that word finds, also its other forms', () => {
    const home = temporaryHome()
    for (const [number, words] of ['it retries twice', 'retried again', 'created at noon', 'moss'].entries())
      putClaude(home, uuid(number + 1), [claude.user(number + 1, words)], `-home-ann-bed${number}`)
    const hits = (query: string): Json[] =>
      json(home, 'search', query).hits.map(({ session, line }: Json) => ({ session, line }))
    const found = hits('created retried')
    expect(new Set(found.map(({ session }) => session)).size).toBe(3)
    expect(hits('created rtried')).toEqual(found)
    expect(run(['search', 'created rtried'], home).stdout).toContain('this is what “retried” finds')
  })

  it('corrects a typo if the other words are not found either', () => {
    expect(searchOfSearchRelaxed('greenhuose zeppelin').stdout).toContain(
      '“greenhuose” is nowhere; this is what “greenhouse” finds.',
    )
  })

  it.each(['waterInterval', 'water_interval', 'water-interval', 'WATER_INTERVAL'])(
    'treats %s as one name',
    (name) => {
      expect(linesOf(foundOfSearchRelaxed(name))).toEqual([3])
    },
  )

  it.each(['登录页面', '登錄頁面', '登录'])('finds %s in simplified and traditional Chinese', (word) => {
    expect(linesOf(foundOfSearchRelaxed(word))).toEqual([4])
  })

  it.each([
    ['project:mosss', 'project:mosss: no such project in any session. Did you mean moss?'],
    ['project:zeppelin', 'Known: garden, moss.'],
    ['agent:zeppelin', 'agent:zeppelin: no such'],
    ['branch:zeppelin', 'branch:zeppelin: no such'],
    ['-project:zeppelin', 'project:zeppelin: no such'],
    [
      'tool:Zeppelin',
      'tool:Zeppelin: no such tool in any session. Those there are: scrollback stats --by tool',
    ],
  ])('reports that %s is unknown', (filter, remark) => {
    expect(searchOfSearchRelaxed(`ferns ${filter}`).stderr).toContain(remark)
    expect(foundOfSearchRelaxed(`ferns ${filter}`).remarks.join()).toContain(remark)
  })

  it('reports nothing if the named project is known', () => {
    expect(searchOfSearchRelaxed('moss project:moss').stderr).toBe('')
  })
})

describe('filters of a search', () => {
  const filtered = sharedHome()
  putClaude(filtered, uuid(1), [
    claude.user(1, 'Upgrade to v2.1.112-beta.3, please'),
    claude.reply(2, [call('t1', 'Read', { file_path: '/home/ann/garden/auth.ts' })]),
    claude.reply(3, [
      call('t2', 'Edit', { file_path: '/home/ann/garden/auth.ts', old_string: 'fern', new_string: 'moss' }),
    ]),
    claude.reply(4, [call('t3', 'Read', { file_path: '/home/ann/garden/auth.ts' })]),
  ])
  const linesFor = (query: string) => linesOf(json(filtered, 'search', query))

  it('tell who changed a file from who read it', () => {
    expect(linesFor('edited:auth.ts')).toEqual([3])
    expect(linesFor('read:auth.ts').sort()).toEqual([2, 4])
    expect(linesFor('file:auth.ts')[0]).toBe(3)
    expect(linesFor('file:auth.ts')).toHaveLength(3)
    expect(linesFor('file:auth.ts tool:bash edited:auth.ts')).toEqual([])
    expect(run(['search', 'file:auth.ts', '--flat'], filtered).stdout.match(/auth\.ts/g)).toHaveLength(3)
  })

  it.each(['2.1.112', 'v2.1.112', '2.1.112-beta.3', 'v2.1.112-beta.3'])('find a version by %s', (version) => {
    expect(linesFor(version)).toEqual([1])
  })

  it.each([
    ['projekt:garden', 'project:'],
    ['from:human', 'who:'],
  ])('are named with the nearest if they are unknown: %s', (query, nearest) => {
    const { stdout, stderr } = run(['search', query], filtered)
    expect(stdout + stderr).toContain(`${query.split(':')[0]}:`)
    expect(stdout + stderr).toContain(nearest)
  })
})

it.each(['human', 'subagent', 'cron', 'prompted', 'main', 'cron-run', 'main,cron'])(
  'the sessions of kind:%s are those of --kind',
  (kind) => {
    const home = temporaryHome()
    const ids = (list: Json[]): string[] => [...new Set(list.map(({ id, session }) => id ?? session))].sort()
    const { hits } = json(home, 'search', `kind:${kind}`, '--demo', '--limit', '0')
    const { sessions } = json(home, 'sessions', '--all', '--kind', kind, '--demo')
    expect(ids(hits).length).toBeGreaterThan(0)
    expect(ids(hits)).toEqual(ids(sessions))
  },
)
