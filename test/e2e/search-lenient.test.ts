import { beforeAll, describe, expect, it } from 'vitest'
import { type Json, json, run } from '../program.ts'
import { call, claude, putClaude, sharedHome, text, uuid } from '../records.ts'

const home = sharedHome()
beforeAll(() => {
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
const search = (...args: string[]) => run(['search', ...args], home)
const found = (...args: string[]) => json(home, 'search', ...args)
const linesOf = ({ hits }: Json): number[] => hits.map(({ line }: Json) => line)

describe('a lenient search', () => {
  it('finds the title of a session, and labels it', () => {
    const { hits, total } = found('humidity orangery')
    expect(total).toBe(1)
    expect(hits[0]).toMatchObject({
      who: 'marker',
      label: 'title',
      text: 'Humidity of the orangery',
      line: 1,
    })
    expect(search('orangery').stdout).toContain('Title')
  })

  it('finds a title only if no speaker, project or time is required', () => {
    expect(found('orangery who:human').total).toBe(0)
    expect(found('orangery project:moss').total).toBe(0)
    expect(found('orangery -project:garden').total).toBe(0)
    expect(found('orangery after:2099-01-01').total).toBe(0)
  })

  it('falls back from all words to most of them, best first, and reports that', () => {
    const answer = found('what makes ferns and greenhouse plants turn brown')
    expect(answer).toMatchObject({ relaxed: true })
    expect(linesOf(answer)).toEqual([1])
    const { stdout } = search('how often do I water the greenhouse plants')
    expect(stdout).toContain('few messages contain all words, so those with most of them were searched too')
    expect(stdout).toContain('water them twice')
  })

  it('does not fall back for quoted words, or for two words without a sentence', () => {
    expect(found('"ferns in the orangery"').total).toBe(0)
    expect(found('ferns zeppelin').total).toBe(0)
  })

  it('corrects a typo to the most similar word, and reports that', () => {
    const { stdout } = search('greenhuose')
    expect(stdout).toContain('“greenhuose” is nowhere; this is what “greenhouse” finds.')
    expect(stdout).toContain('turn brown')
    expect(found('greenhuose')).toMatchObject({
      corrections: [{ word: 'greenhuose', instead: 'greenhouse' }],
      corrected: true,
      total: 2,
    })
  })

  it('suggests a corrected query if the other words are not found either', () => {
    expect(search('greenhuose zeppelin').stdout).toContain(
      "Did you mean: scrollback search 'greenhouse zeppelin'",
    )
  })

  it.each(['waterInterval', 'water_interval', 'water-interval', 'WATER_INTERVAL'])(
    'treats %s as one name',
    (name) => {
      expect(linesOf(found(name))).toEqual([3])
    },
  )

  it.each(['登录页面', '登錄頁面', '登录'])('finds %s in simplified and traditional Chinese', (word) => {
    expect(linesOf(found(word))).toEqual([4])
  })

  it.each([
    ['project:mosss', 'project:mosss: no such project in any session. Did you mean moss?'],
    ['project:zeppelin', 'Known: garden, moss.'],
    ['agent:zeppelin', 'agent:zeppelin: no such'],
    ['branch:zeppelin', 'branch:zeppelin: no such'],
    ['-project:zeppelin', 'project:zeppelin: no such'],
  ])('reports that %s is unknown', (filter, remark) => {
    expect(search(`ferns ${filter}`).stderr).toContain(remark)
    expect(found(`ferns ${filter}`).remarks.join()).toContain(remark)
  })

  it('reports nothing if the named project is known', () => {
    expect(search('moss project:moss').stderr).toBe('')
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
