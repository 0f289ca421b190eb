import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'

const devlog = (home: string, ...args: string[]) => run(['devlog', ...args, '--demo'], home)

interface Answer {
  evidence: { sessions: { id: string }[]; coverage: { items: { read: number } } }
  briefs: { part: number; tokens: number; text?: string }[]
  report: { budget: { wanted: number; used: number } }
  selection: { isIn: boolean; why: string }[]
  check: {
    holds: number
    moved: number
    edited: number
    gone: number
    findings: { kind: string }[]
  }
  leaks: { kind: string; value: string | null }[]
}
const json = (home: string, ...args: string[]): Answer =>
  JSON.parse(devlog(home, ...args, '--json').stdout) as Answer

describe('the selection', () => {
  it('is printed without a terminal, with what to add', () => {
    const { stderr, code } = devlog(temporaryHome(), 'api')
    expect(code).toBe(2)
    expect(stderr).toMatch(/✓ +4efda354 .*in the project and the time/)
    expect(stderr).toMatch(/✓ +a11c40c4 .*ran meanwhile \(subagent\)/)
    expect(stderr).toContain('scrollback devlog api --yes')
  })

  it('follows the topic, in messages or in file names, and says why', () => {
    const { selection } = json(temporaryHome(), 'api', '--topic', 'refund', '--yes')
    expect(new Set(selection.filter(({ isIn }) => !isIn).map(({ why }) => why))).toContain(
      'nothing on the topic',
    )
    expect(
      selection.filter(({ why }) => why.includes('on the topic') && !why.startsWith('nothing')).length,
    ).toBeGreaterThan(0)
  })

  it('leaves out programs that have nothing to do with the topic', () => {
    const { stderr, code } = devlog(temporaryHome(), 'api', '--topic', 'zzzz', '--yes')
    expect(code).toBe(1)
    expect(stderr).toMatch(/No session fits.*\n[\s\S]*12 nothing on the topic/)
    expect(devlog(temporaryHome(), 'api', '--topic', ' ', '--yes').code).toBe(2)
  })

  it('fits the width of the terminal', () => {
    const { stderr } = run(['devlog', 'api', '--demo'], temporaryHome(), { env: { COLUMNS: '80' } })
    const lines = stderr.split('\n').filter((line) => /^[✓·] /.test(line))
    expect(lines).toHaveLength(14)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it('uses named sessions and refuses unknown ones', () => {
    const home = temporaryHome()
    const { evidence } = json(home, 'api', '--sessions', '640ab4c7,7122ceb8')
    expect(evidence.sessions.map(({ id }) => id.slice(0, 8))).toEqual(['640ab4c7', '7122ceb8'])
    // Their ids tell enough, wherever one is.
    expect(json(home, '--sessions', '640ab4c7').evidence.sessions).toHaveLength(1)
    expect(devlog(home, 'api', '--sessions', 'ffffffff').code).toBe(1)
  })

  it('says what was scanned if nothing fits', () => {
    const { stderr, code } = devlog(temporaryHome(), 'api', '--since', '2027-01-01', '--yes')
    expect(code).toBe(1)
    expect(stderr).toMatch(/No session fits\. Scanned \d+ transcripts in:/)
    expect(stderr).toContain('ended before the requested time')
  })
})

describe('the budget', () => {
  it.each(['3k', '4k', '5k'])('%s is used by at least 97 percent and never exceeded', (budget) => {
    const { report } = json(temporaryHome(), 'api', '--yes', '--budget', budget)
    expect(report.budget.used).toBeLessThanOrEqual(report.budget.wanted)
    expect(report.budget.used).toBeGreaterThanOrEqual(report.budget.wanted * 0.97)
  })

  it('of a draft is never exceeded', () => {
    const { report } = json(temporaryHome(), 'api', '--yes', '--style', 'log', '--budget', '2k')
    expect(report.budget.used).toBeLessThanOrEqual(report.budget.wanted)
    expect(report.budget.used).toBeGreaterThanOrEqual(report.budget.wanted * 0.97)
  })

  it('that is too small is refused', () => {
    const { stderr, code } = devlog(temporaryHome(), 'api', '--yes', '--budget', '200')
    expect(code).toBe(2)
    expect(stderr).toContain('too few')
  })
})

it('a long project has a brief for every part, which --part prints and --out writes beside the first', () => {
  const home = temporaryHome()
  const { briefs } = json(home, 'api', '--yes', '--budget', '3k')
  expect(briefs.length).toBeGreaterThan(2)
  expect(briefs.map(({ part }) => part)).toEqual([...briefs.keys()])
  const one = devlog(home, 'api', '--yes', '--budget', '3k', '--part', '2').stdout
  expect(one).toContain(`part 2 of ${briefs.length - 1}`)
  const file = join(home, 'brief.md')
  expect(devlog(home, 'api', '--yes', '--budget', '3k', '--out', file).code).toBe(0)
  expect(readFileSync(join(home, 'brief-2.md'), 'utf8')).toBe(one)
  const none = devlog(home, 'api', '--yes', '--part', '2')
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('fits into one brief')
})

describe('--check', () => {
  const STORY = `# A shop

My human said: “Keep it small, no framework magic.”[^4efda354:1:cc0f3f] Two tests passed.[^4efda354:17:a93097]
`

  it('knows a file with a day in its name, in a draft of ours and in words of others', () => {
    const home = temporaryHome()
    const cwd = join(home, 'orchard')
    putClaude(home, uuid(1), [
      claude.user(1, 'Write down what we did today', { cwd }),
      claude.reply(2, [
        call('t1', 'Write', { file_path: join(cwd, 'memory/2026-11-20.md'), content: 'done' }),
      ]),
      claude.result(3, 't1', 'created'),
      claude.reply(4, [text('The log of the day is in the folder now.')]),
    ])
    const file = join(home, 'standup.md')
    const flags = ['--yes', '--style', 'standup', '--since', '2020-01-01', '--out', file]
    expect(run(['devlog', 'orchard', ...flags], home).code).toBe(0)
    const draft = readFileSync(file, 'utf8')
    expect(draft).toContain('`memory/2026-11-20.md`')
    expect(run(['devlog', '--check', file], home)).toMatchObject({ stderr: '', code: 0 })
    writeFileSync(file, draft.replace(/`(memory\/2026-11-20.md)`/, '$1'))
    expect(run(['devlog', '--check', file], home)).toMatchObject({ stderr: '', code: 0 })
    writeFileSync(file, draft.replace('2026-11-20.md', '2026-11-21.md'))
    expect(run(['devlog', '--check', file], home).stdout).toContain(
      'name memory/2026-11-21.md: not in the records',
    )
  })

  it('ends with 0 if everything holds, and with 3 if something does not', () => {
    const home = temporaryHome()
    const file = join(home, 'story.md')
    writeFileSync(file, STORY)
    expect(devlog(home, '--check', file).code).toBe(0)
    writeFileSync(file, STORY.replace('Two tests', 'Seven tests'))
    const { stdout, code } = devlog(home, '--check', file)
    expect(code).toBe(3)
    expect(stdout).toContain('number Seven tests: not in the records\n  nearest: Two tests')
    expect(stdout).toContain('It does not judge whether a sentence draws the right conclusion.')
  })

  it('finds edited quotes, records on another line and missing records', () => {
    const home = temporaryHome()
    const file = join(home, 'story.md')
    writeFileSync(file, STORY.replace('no framework', 'all framework'))
    expect(json(home, '--check', file).check).toMatchObject({ holds: 1, edited: 1 })
    writeFileSync(file, STORY.replace('4efda354:17', '4efda354:16'))
    expect(json(home, '--check', file).check).toMatchObject({ holds: 1, moved: 1, findings: [] })
    writeFileSync(file, STORY.replace('a93097', 'a93098'))
    expect(json(home, '--check', file).check).toMatchObject({ holds: 1, gone: 1 })
  })

  it('writes the text with definitions of its marks, and marks of records that moved corrected', () => {
    const home = temporaryHome()
    const [file, out] = [join(home, 'story.md'), join(home, 'checked.md')]
    writeFileSync(file, STORY.replace('4efda354:17', '4efda354:16'))
    expect(devlog(home, '--check', file, '--out', out).code).toBe(0)
    const text = readFileSync(out, 'utf8')
    expect(text).toContain('[^4efda354:17:a93097]: session `4efda354`, line 17, 2026-09-01 07:21 UTC')
    expect(text).not.toContain('4efda354:16')
  })

  it('holds for every draft and for the words of the brief', () => {
    const home = temporaryHome()
    for (const style of ['log', 'standup', 'changelog']) {
      const file = join(home, `${style}.md`)
      devlog(home, 'api', '--yes', '--style', style, '--since', '2026-09-01', '--out', file)
      expect(json(home, '--check', file).check).toMatchObject({ moved: 0, edited: 0, gone: 0, findings: [] })
    }
  })

  it('understands the numbered citations of older texts', () => {
    const home = temporaryHome()
    const file = join(home, 'old.md')
    writeFileSync(
      file,
      'It said: “Two tests pass.”[^1]\n\n[^1]: session `4efda354`, line 3, 2026-09-01 07:21 UTC, record `a93097`\n',
    )
    expect(json(home, '--check', file).check).toMatchObject({ moved: 1, edited: 0, gone: 0 })
  })

  it('refuses a file without citations', () => {
    const home = temporaryHome()
    writeFileSync(join(home, 'other.md'), 'text[^1]\n\n[^1]: a source\n')
    expect(devlog(home, '--check', join(home, 'other.md')).code).toBe(1)
  })
})

describe('the leak check', () => {
  it('lists home directories and replaces them on request, so that the quotes still hold', () => {
    const home = temporaryHome()
    const file = join(home, 'log.md')
    expect(json(home, 'api', '--yes').leaks).toContainEqual({ kind: 'home', value: '/home/dev', times: 3 })
    expect(devlog(home, 'api', '--yes', '--anonymize').stdout).not.toContain('/home/dev')
    const args = ['api', '--yes', '--style', 'log', '--anonymize', '--out', file]
    expect(devlog(home, ...args).stdout).toContain('found nothing')
    expect(json(home, '--check', file).check).toMatchObject({ edited: 0, gone: 0 })
  })

  it('replaces what it finds in titles, phases, tables and messages alike', () => {
    const home = temporaryHome()
    putClaude(home, uuid(1), [
      claude.user(1, 'Sort the pictures of /home/mei/wren by day, please.'),
      claude.reply(2, [{ type: 'text', text: 'All pictures of /home/mei/wren are sorted.' }]),
    ])
    for (const style of ['story', 'log', 'standup', 'changelog']) {
      const args = [uuid(1), '--yes', '--style', style, '--since', '2020-01-01', '--anonymize']
      const { stdout, code } = run(['devlog', ...args], home)
      expect(code).toBe(0)
      expect(stdout).not.toContain('/home/mei')
    }
  })

  it('never overwrites a file unless it may', () => {
    const home = temporaryHome()
    const file = join(home, 'devlog.md')
    writeFileSync(file, 'mine')
    expect(devlog(home, 'api', '--yes', '--out', file).code).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(devlog(home, 'api', '--yes', '--out', file, '--force').code).toBe(0)
  })

  it('of a page writes HTML that loads nothing', () => {
    const { stdout } = devlog(temporaryHome(), 'api', '--yes', '--format', 'html')
    expect(stdout).toMatch(/^<!doctype html>/)
    expect(stdout).not.toMatch(/<script|<img|src=/)
  })
})
