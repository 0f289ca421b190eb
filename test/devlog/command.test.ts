import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'

const devlog = (home: string, ...args: string[]) => run(['devlog', ...args, '--demo'], home)

interface Answer {
  evidence: { sessions: { id: string }[]; coverage: { items: { read: number } } }
  report: { budget: { wanted: number; used: number } }
  selection: { isIn: boolean; why: string }[]
  check: { holds: number; edited: number; changed: number; gone: number }
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
    expect(stderr).toMatch(/No session fits.*\n[\s\S]*11 nothing on the topic/)
    expect(devlog(temporaryHome(), 'api', '--topic', ' ', '--yes').code).toBe(2)
  })

  it('fits the width of the terminal', () => {
    const { stderr } = run(['devlog', 'api', '--demo'], temporaryHome(), { env: { COLUMNS: '80' } })
    const lines = stderr.split('\n').filter((line) => /^[✓·] /.test(line))
    expect(lines).toHaveLength(12)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it('uses named sessions and refuses unknown ones', () => {
    const home = temporaryHome()
    const { evidence } = json(home, 'api', '--sessions', '640ab4c7,7122ceb8')
    expect(evidence.sessions.map(({ id }) => id.slice(0, 8))).toEqual(['640ab4c7', '7122ceb8'])
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
  it.each(['1k', '2k', '4k'])('%s is used by at least 98 percent and never exceeded', (budget) => {
    const { report } = json(temporaryHome(), 'api', '--yes', '--budget', budget)
    expect(report.budget.used).toBeLessThanOrEqual(report.budget.wanted)
    expect(report.budget.used).toBeGreaterThanOrEqual(report.budget.wanted * 0.98)
  })

  it('that is too small is refused', () => {
    const { stderr, code } = devlog(temporaryHome(), 'api', '--yes', '--budget', '20')
    expect(code).toBe(2)
    expect(stderr).toContain('too few')
  })
})

describe('--check', () => {
  it('finds edited quotes, changed records and missing transcripts', () => {
    const home = temporaryHome()
    const file = join(home, 'devlog.md')
    expect(devlog(home, 'api', '--yes', '--out', file).code).toBe(0)
    expect(json(home, '--check', file).check).toMatchObject({ edited: 0, changed: 0, gone: 0 })
    const text = readFileSync(file, 'utf8')
    const broken = text
      .replace('never ship twice', 'always ship twice')
      .replace(/(\[\^7\]: .*record `)[\da-f]{4}/, '$10000')
      .replace(/(\[\^9\]: session `)[\da-f]{8}/, '$1ffffffff')
    writeFileSync(file, broken)
    expect(json(home, '--check', file).check).toMatchObject({ edited: 1, changed: 1, gone: 1 })
    const { stdout } = devlog(home, '--check', file)
    expect(stdout).toContain('the quote is not in the record')
  })

  it('refuses a file without our citations', () => {
    const home = temporaryHome()
    writeFileSync(join(home, 'other.md'), 'text[^1]\n\n[^1]: a source\n')
    expect(devlog(home, '--check', join(home, 'other.md')).code).toBe(1)
  })
})

describe('the leak check', () => {
  it('lists home directories and replaces them on request, so that the quotes still hold', () => {
    const home = temporaryHome()
    const file = join(home, 'devlog.md')
    expect(json(home, 'api', '--yes').leaks).toContainEqual({ kind: 'home', value: '/home/dev', times: 2 })
    expect(devlog(home, 'api', '--yes', '--anonymize', '--out', file).stdout).toContain('found nothing')
    expect(readFileSync(file, 'utf8')).not.toContain('/home/dev')
    expect(json(home, '--check', file).check).toMatchObject({ edited: 0, changed: 0, gone: 0 })
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
