import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../program.ts'
import { claude, putClaude, text, uuid } from '../records.ts'

let home = ''
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'scrollback-lenient-')))
  putClaude(home, uuid(1), [
    claude.user(1, 'Why do the ferns in the greenhouse turn brown?'),
    claude.reply(2, [text('The greenhouse is too dry: water them twice a week.')]),
    claude.user(3, 'Set waterInterval in the config, then.'),
    claude.reply(4, [text('登錄頁面現在可以用了。')]),
    { type: 'custom-title', customTitle: 'Humidity of the orangery', sessionId: uuid(1) },
  ])
  putClaude(home, uuid(20), [claude.user(21, 'prune the moss', { cwd: '/home/ann/moss' })], '-home-ann-moss')
  run(['index'], home)
})
afterAll(() => rmSync(home, { recursive: true }))

const search = (...args: string[]) => run(['search', ...args], home)
const json = (...args: string[]) => JSON.parse(search('--json', ...args).stdout)
const linesOf = ({ hits }: { hits: { line: number }[] }): number[] => hits.map(({ line }) => line)

describe('what people type', () => {
  it('is found by the title of a session, which is told as such', () => {
    const { hits, total } = json('humidity orangery')
    expect(total).toBe(1)
    expect(hits[0]).toMatchObject({
      who: 'marker',
      label: 'title',
      text: 'Humidity of the orangery',
      line: 1,
    })
    expect(search('orangery').stdout).toContain('Title')
  })

  it('is found by a title only where nobody in particular has to have said it', () => {
    expect(json('orangery who:human').total).toBe(0)
    expect(json('orangery project:moss').total).toBe(0)
    expect(json('orangery -project:garden').total).toBe(0)
    expect(json('orangery after:2099-01-01').total).toBe(0)
  })

  it('falls back from all words to most of them, the most first, and says so', () => {
    const found = json('what makes ferns and greenhouse plants turn brown')
    expect(found).toMatchObject({ relaxed: true })
    expect(linesOf(found)).toEqual([1])
    const { stdout } = search('how often do I water the greenhouse plants')
    expect(stdout).toContain('few have all words, so those with most of them were searched too')
    expect(stdout).toContain('water them twice')
  })

  it('is all there is where quotes say so, and where it is two words without a sentence', () => {
    expect(json('"ferns in the orangery"').total).toBe(0)
    expect(json('ferns zeppelin').total).toBe(0)
  })

  it('with a slip is searched as the word most like it, and says so', () => {
    const { stdout } = search('greenhuose')
    expect(stdout).toContain('“greenhuose” is nowhere; this is what “greenhouse” finds.')
    expect(stdout).toContain('turn brown')
    expect(json('greenhuose')).toMatchObject({
      corrections: [{ word: 'greenhuose', instead: 'greenhouse' }],
      corrected: true,
      total: 2,
    })
  })

  it('gets a line to paste where the other words are nowhere either', () => {
    expect(search('greenhuose zeppelin').stdout).toContain(
      "Did you mean: scrollback search 'greenhouse zeppelin'",
    )
  })

  it.each(['waterInterval', 'water_interval', 'water-interval', 'WATER_INTERVAL'])(
    '%s is one name',
    (name) => {
      expect(linesOf(json(name))).toEqual([3])
    },
  )

  it.each(['登录页面', '登錄頁面', '登录'])('%s is found however Chinese is written', (word) => {
    expect(linesOf(json(word))).toEqual([4])
  })

  it.each([
    ['project:mosss', 'project:mosss is not known: no session is of it. Did you mean moss?'],
    ['project:zeppelin', 'There are garden, moss.'],
    ['agent:zeppelin', 'agent:zeppelin is not known'],
    ['branch:zeppelin', 'branch:zeppelin is not known'],
    ['-project:zeppelin', 'project:zeppelin is not known'],
  ])('says that %s is unknown', (filter, told) => {
    expect(search(`ferns ${filter}`).stderr).toContain(told)
    expect(json(`ferns ${filter}`).remarks.join()).toContain(told)
  })

  it('says nothing where what is named is known', () => {
    expect(search('moss project:moss').stderr).toBe('')
  })
})
