import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstPlatform } from '../first-platform.ts'
import { answer, checkout, packageFolder, run } from '../program.ts'
import { temporaryHome } from '../records.ts'

/** Frozen outputs are next to this file, so that a review shows every change. */
const frozen = (name: string): string => join(import.meta.dirname, 'output', name)

const plain = (output: string): string =>
  firstPlatform(output.replaceAll(packageFolder, '<package>').replaceAll(checkout, '<package>'))

/** The output and the exit code of one command line. */
function outputOf(...args: string[]): string {
  const { stdout, stderr, code } = run(args, temporaryHome())
  return plain(`$ scrollback ${args.join(' ')}\n${stdout}${stderr}${code === 0 ? '' : `exit ${code}\n`}`)
}

describe('the output about the demo', () => {
  it.each([
    ['overview.txt', []],
    ['projects.txt', ['projects']],
    ['projects-named.txt', ['projects', 'eastore']],
    ['sessions-all.txt', ['sessions', '--all']],
    ['sessions-of-a-project.txt', ['sessions', 'web', '--since', '2026-10-01', '--until', '2026-10']],
    ['read.txt', ['read', '640ab4c7']],
    ['read-fold.txt', ['read', '640ab4c7', '--fold']],
    ['read-lines.txt', ['read', '640ab4c7', '--lines']],
    ['read.md', ['read', '640ab4c7', '--format', 'md']],
    ['read-devlog.txt', ['read', '640ab4c7', '--voice', 'devlog']],
    ['read-budget.txt', ['read', '640ab4c7', '--budget', '1k']],
    ['read-small-budget.txt', ['read', '640ab4c7', '--budget', '150']],
    ['read-openclaw.txt', ['read', 'e7b3ed29']],
    ['read-span.txt', ['read', 'e7cf0499', '--since', '2026-11-01']],
  ] as const)('is frozen in %s', async (name, args) => {
    await expect(outputOf(...args, '--demo')).toMatchFileSnapshot(frozen(name))
  })

  it('includes everything with --full', async () => {
    const lines = outputOf('read', '640ab4c7', '--full', '--demo').split('\n')
    await expect(`${lines.slice(0, 60).join('\n')}\n`).toMatchFileSnapshot(frozen('read-full.txt'))
  })
})

describe('the output on a terminal', () => {
  const environment = {
    home: '/home/dev',
    variables: {},
    dirs: { 'claude-code': [join(checkout, 'demo/.claude')], openclaw: [join(checkout, 'demo/.openclaw')] },
  }

  /** The titles of the columns, by which screens of other widths than the frozen one differ. */
  const titles = (text: string): string => text.split('\n')[0]!.replace(/ +/g, ' ')

  it.each([
    [80, 'ID LAST AGENT PROJECT TITLE'],
    [120, 'ID LAST AGENT PROJECT YOU AI TOOLS ERR LINES TITLE'],
    [200, 'ID LAST STARTED AGENT PROJECT CHANNEL STATE YOU AI TOOLS ERR LINES SIZE TITLE'],
  ])('fits the index into %i columns', async (columns, shown) => {
    const { text } = await answer('sessions', { all: true }, environment, {
      screen: { columns, terminal: true },
    })
    const wide = text.split('\n').filter((line) => [...line].length > columns && !line.includes('sessions;'))
    expect(wide).toEqual([])
    expect(titles(text)).toBe(shown)
    if (columns === 120) await expect(text).toMatchFileSnapshot(frozen('sessions-120-columns.txt'))
  })

  it('fits the projects into 80 columns', async () => {
    const { text } = await answer('projects', {}, environment, { screen: { columns: 80, terminal: true } })
    await expect(text).toMatchFileSnapshot(frozen('projects-80-columns.txt'))
  })

  const asOf = { now: Date.parse('2026-11-20T12:00:00Z') }

  it.each([
    [80, 'ID NAME LAST NEXT SCHEDULE'],
    [130, 'ID NAME AGENT LAST NEXT OK TAKES A DAY SCHEDULE'],
    [200, 'ID NAME AGENT LAST NEXT OK TAKES A DAY SCHEDULE IN DOES'],
  ])('fits the scheduled jobs into %i columns', async (columns, shown) => {
    const { text } = await answer('cron', {}, environment, { screen: { ...asOf, columns, terminal: true } })
    expect(text.split('\n').filter((line) => [...line].length > columns)).toEqual([])
    expect(titles(text)).toBe(shown)
    if (columns === 130) await expect(text).toMatchFileSnapshot(frozen('cron-130-columns.txt'))
  })

  it.each([
    ['cron.txt', {}],
    ['cron-failed.txt', { failed: true }],
    ['cron-runs.txt', { job: 'stock' }],
    ['cron-failed-runs.txt', { job: 'COPY', failed: true, limit: 1 }],
  ] as const)('is frozen in %s', async (name, given) => {
    const { text } = await answer('cron', given, environment, { screen: asOf })
    await expect(plain(text)).toMatchFileSnapshot(frozen(name))
  })

  it('fits the runs of a job into 80 columns', async () => {
    const screen = { ...asOf, columns: 80, terminal: true }
    const { text } = await answer('cron', { job: 'cold disk' }, environment, { screen })
    expect(text.split('\n').filter((line) => [...line].length > 80)).toEqual([])
    await expect(text).toMatchFileSnapshot(frozen('cron-runs-80-columns.txt'))
  })

  it('breaks long lines of a transcript between words', async () => {
    const { text } = await answer('read', { target: ['640ab4c7'] }, environment, {
      screen: { columns: 80, terminal: true },
    })
    const words = text.split('\n').filter((line) => /^ {2}[A-Za-z]/.test(line) && !line.startsWith('   '))
    expect(words.filter((line) => line.length > 80)).toEqual([])
    await expect(text).toMatchFileSnapshot(frozen('read-80-columns.txt'))
  })

  it('has colours on request only, and the same text in colour', async () => {
    const colored = await answer('read', { target: ['640ab4c7'] }, environment, { screen: { color: true } })
    const pale = await answer('read', { target: ['640ab4c7'] }, environment)
    expect(pale.text).not.toContain('\x1b')
    expect(colored.text).toContain('\x1b[')
    const words = (output: string) =>
      output
        .replace(/\x1b\[\d+m/g, '')
        .replace(/^[ ━]+/gm, '')
        .replace(/ +$/gm, '')
    expect(words(colored.text)).toBe(words(pale.text))
  })
})

it.each([
  ['help.txt', ['--help']],
  ['help-projects.txt', ['projects', '--help']],
  ['help-sessions.txt', ['help', 'sessions']],
  ['help-read.txt', ['read', '-h']],
  ['help-cron.txt', ['cron', '--help']],
] as const)('help is frozen in %s', async (name, args) => {
  await expect(outputOf(...args)).toMatchFileSnapshot(frozen(name))
})

describe('a machine without transcripts', () => {
  it('gets a list of searched directories, and an offer of the demo', async () => {
    await expect(outputOf()).toMatchFileSnapshot(frozen('empty-machine.txt'))
  })

  it('gets output from every command', async () => {
    const lines = ['projects', 'sessions', 'sessions --all', 'cron', 'read --all']
    const outputs = lines.map((line) => outputOf(...line.split(' ')))
    await expect(outputs.join('\n')).toMatchFileSnapshot(frozen('empty-machine-commands.txt'))
  })
})
