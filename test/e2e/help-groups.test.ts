import { describe, expect, it } from 'vitest'
import { commands, groups } from '../../src/commands/index.ts'
import { json, run } from '../program.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

describe('the help', () => {
  it('has every command once, in a line of its own that fits 80 columns, and the groups in order', () => {
    const listed = Object.values(groups).flatMap((names) => Object.keys(names))
    const parts = ['recall', 'receive', 'session', 'store']
    expect([...listed, ...parts].toSorted()).toEqual([...Object.keys(commands), 'completions'].toSorted())
    const shown = run(['--help'], temporaryHome()).stdout.match(/^[A-Z][a-z ]+:$/gm)!
    expect(shown.slice(0, -1)).toEqual(Object.keys(groups))
    const { stdout } = run(['--help'], temporaryHome())
    for (const [group, names] of Object.entries(groups)) {
      expect(stdout).toContain(`\n${group}\n`)
      for (const words of Object.values(names))
        expect(stdout).toMatch(new RegExp(`^ {2}\\S.*  ${words.replace(/[()]/g, '\\$&')}$`, 'm'))
    }
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  it('lists where to read from in one place, and names it in every command', () => {
    const home = temporaryHome()
    expect(run(['help', 'sources'], home).stdout).toContain('  --claude-dir <dir>')
    const { stdout } = run(['read', '--help'], home)
    expect(stdout.replace(/\s+/g, ' ')).toContain('where to read from: scrollback help sources')
    expect(stdout).not.toContain('--claude-dir')
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(90)
  })
})

describe('a command that is a part of another', () => {
  it.each(['receive', 'store', 'keep'])('is asked for with both words: collect %s', (part) => {
    const home = temporaryHome()
    for (const line of [
      ['collect', part, '--help'],
      ['help', 'collect', part],
    ])
      expect(run(line, home).stdout).toBe(run([part, '--help'], home).stdout)
  })

  it('shows one session in detail where the list names one', () => {
    const home = temporaryHome()
    const one = run(['sessions', '640ab4c7', '--demo'], home).stdout
    expect(one).toBe(run(['session', '640ab4c7', '--demo'], home).stdout)
    expect(one).toContain('Checkout and payments\n  Id ')
  })
})

describe('another name of a command', () => {
  it.each([
    [
      ['ls', '--demo'],
      ['sessions', '--demo'],
    ],
    [
      ['list', '--demo', '--json'],
      ['sessions', '--demo', '--json'],
    ],
    [
      ['--json', '--demo', 'ls', 'api'],
      ['sessions', 'api', '--json', '--demo'],
    ],
    [
      ['--retention', '30', '--demo', 'yesterday'],
      ['standup', 'yesterday', '--demo', '--retention', '30'],
    ],
    [
      ['log', '--demo'],
      ['sessions', '--demo'],
    ],
    [
      ['show', '640ab4c7', '--demo'],
      ['read', '640ab4c7', '--demo'],
    ],
    [
      ['cat', '640ab4c7', '--demo'],
      ['read', '640ab4c7', '--demo'],
    ],
    [
      ['open', '640ab4c7', '--demo'],
      ['read', '640ab4c7', '--demo'],
    ],
    [
      ['cost', '--demo'],
      ['stats', '--demo'],
    ],
    [
      ['usage', '--demo'],
      ['stats', '--demo'],
    ],
    [
      ['diff', '640ab4c7', '--demo'],
      ['changes', '640ab4c7', '--demo'],
    ],
    [
      ['help', 'diff'],
      ['help', 'changes'],
    ],
  ])('answers as the command does: %j', (alias, command) => {
    const home = temporaryHome()
    expect(run(alias, home)).toEqual(run(command, home))
  })

  it('may be the name of what a command is about', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'open the gate')])
    expect(run(['search', 'open'], home).stdout).toContain('the gate')
  })
})

describe('standup', () => {
  it('is a list in Markdown on request, in which words are no formatting', () => {
    const { stdout } = run(['standup', '--since', '30d', '--demo', '--format', 'md'], temporaryHome())
    expect(stdout).toMatch(
      /^- \*\*\w+\*\*: .+\n {2}- Came of it: .+\n {2}- Changed: .+\n {2}- Open: .+\n {2}- Cost: /,
    )
    expect(stdout).toContain('migrations/002\\_order\\_lines\\_index.sql')
  })

  it('tells in five plain lines a project what was wanted, what came of it, what is open and the cost', () => {
    const { stdout, code } = run(
      ['standup', 'api', '--since', '2026-10-29', '--until', '2026-10-30', '--demo'],
      temporaryHome(),
    )
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'api: The orders page in the back office takes four seconds since the move to Postgres.',
        'Came of it: Two more: payment_events.order_id and order_lines.sku. The first is read on every refund, so I have added it to 002. The second is never searched; I left it.',
        'Changed: migrations/002_order_lines_index.sql, src/orders/store.js',
        'Open: nothing',
        'Cost: $0.05, 1 session',
        '',
      ].join('\n'),
    )
  })

  it('tells the last result however short it is, and that the last run of tests failed', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'Why does the import of plums take so long?', { cwd: '/home/ann/shed' }),
      claude.reply(2, [text('It opens a connection for each row. A pool would take two minutes in all.')]),
      claude.user(3, 'Then use a pool for the rows'),
      claude.reply(4, [call('t1', 'Bash', { command: 'npm test' })]),
      claude.result(5, 't1', 'Exit code 1\n# fail 1\nnot ok 3 - plums are counted', true),
      claude.reply(7, [text('The import takes two minutes now.')]),
      claude.user(8, 'Thank you, that is all for today'),
      claude.reply(9, [text('Shall I also change the import of pears and of apples?')]),
    ])
    const [project] = json(home, 'standup', '--since', '2026-01-01').projects
    expect(project.result).toEqual(['The import takes two minutes now.'])
    expect(project.open[0]).toMatch(/^the last run of tests failed: /)
  })

  it('counts only what the time cost', () => {
    const costOf = (...span: string[]): number =>
      JSON.parse(run(['standup', 'web', ...span, '--demo', '--json'], temporaryHome()).stdout).projects[0]
        .cost
    const [all, part] = [costOf('--since', '2026-10-12'), costOf('--since', '2026-11-14')]
    expect(part).toBeGreaterThan(0)
    expect(part).toBeLessThan(all / 2)
  })

  it('is about the last day that somebody worked where nothing happened since', () => {
    const told = run(['standup', 'api', '--demo'], temporaryHome())
    expect(told.stdout).toMatch(/^api: [\s\S]*Cost: \$/)
    expect(told.stderr).toContain('this is about 2026-11-06, the last day that somebody worked')
    const asked = run(['standup', 'api', '--since', '2d', '--demo'], temporaryHome())
    expect(asked).toMatchObject({ stdout: 'No session in this time.\n', code: 1 })
    expect(asked.stderr).toContain('scrollback standup api --since 2026-11-06 --until 2026-11-06 --demo')
  })

  it('is about yesterday alone as `yesterday`, and says so if nothing happened', () => {
    const home = temporaryHome()
    const at = new Date(Date.now() - 86_400_000).toISOString()
    putClaude(home, uuid(1), [claude.user(1, 'Water all of the ferns today', { timestamp: at })])
    expect(run(['yesterday'], home).stdout).toContain('garden: Water all of the ferns today')
    expect(run(['yesterday'], temporaryHome())).toMatchObject({ code: 1 })
  })
})

describe('a time beside the name of a command', () => {
  it.each([
    ['stats', 'last month'],
    ['cost', '2026-10'],
    ['sessions', 'october'],
    ['standup', '2026-10-14'],
    ['read', 'october'],
    ['projects', 'last month'],
    ['secrets', 'october'],
  ])('is the beginning and the end of what %s is about: %s', (command, span) => {
    const home = temporaryHome()
    const said = run([command, 'api', ...span.split(' '), '--demo', '--json'], home)
    const given = run([command, 'api', '--since', span, '--until', span, '--demo', '--json'], home)
    expect(said).toEqual(given)
    expect(said.code).toBe(0)
  })

  it.each([
    [['--json', 'last', 'month']],
    [['--by=model', '--json', 'last', 'month']],
    [['api', '--breakdown', '--json', 'last', 'month']],
    [['last', 'month', '--json', '--', 'api']],
  ])('is found beside flags: %j', (words) => {
    const home = temporaryHome()
    const given = words.filter((word) => !['last', 'month'].includes(word))
    const span = ['--demo', '--since', 'last month', '--until', 'last month']
    expect(run(['stats', '--demo', ...words], home)).toEqual(run(['stats', ...span, ...given], home))
  })

  it.each([['yesterday'], ['last', 'month'], ['2026-10'], ['october', 'api']])(
    'alone is a standup: %s %s',
    (...words) => {
      const given = words.filter((word) => word !== undefined)
      const home = temporaryHome()
      expect(run([...given, '--demo', '--json'], home)).toEqual(
        run(['standup', ...given, '--demo', '--json'], home),
      )
    },
  )

  it('is a name after two dashes, and beside a time that is given', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [claude.user(1, 'Count the seeds', { cwd: '/home/ann/october' })])
    expect(run(['sessions', '--json', '--', 'october'], home).stdout).toContain('Count the seeds')
    expect(run(['sessions', 'october', '--since', '2020-01-01'], home).stdout).toContain('Count the seeds')
  })
})
