import { describe, expect, it } from 'vitest'
import { archiveOf, collect } from '../deliveries.ts'
import { type Json, json, run } from '../program.ts'
import { claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const turn = (number: number) =>
  number % 2 === 1
    ? claude.user(number, `Question ${number}`)
    : claude.reply(number, [text(`Answer ${number}`)])
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => turn(from + index))

const from = (home: string, ...args: string[]) => json(home, ...args, '--from', archiveOf(home))

/** The content of a session in an archive, in every view. */
function views(home: string) {
  const { sessions } = from(home, 'sessions', '--all')
  const texts = from(home, 'read', uuid(0)).items.map(({ text }: Json) => text)
  return { sessions, texts, totals: from(home, 'stats', '--all').totals }
}

describe('an archive of a session whose client keeps only the tail of its file', () => {
  it('contains all of it, cut after cut, as if nothing had been cut', () => {
    const [home, whole] = [temporaryHome(), temporaryHome()]
    for (const [first, last] of [
      [1, 8],
      [5, 14],
      [11, 20],
      [25, 30],
    ] as const) {
      putClaude(home, uuid(0), lines(first, last))
      collect(home)
      // Unpacked in between, and continued.
      if (last === 14) expect(views(home).texts).toHaveLength(14)
    }
    putClaude(whole, uuid(0), [...lines(1, 20), ...lines(25, 30)])
    collect(whole)
    const [one, other] = [views(home), views(whole)]
    expect(one.texts).toEqual(other.texts)
    expect(one.totals).toEqual(other.totals)
    expect(one.totals).toMatchObject({ outputTokens: 65 })
    const counts = ({ sessions }: typeof one) =>
      sessions.map(({ human, agentMessages, startedAt, firstHuman }: Json) => [
        human,
        agentMessages,
        startedAt,
        firstHuman,
      ])
    expect(counts(one)).toEqual(counts(other))
  })

  it('restores what was cut off before it was unpacked for the first time', () => {
    const home = temporaryHome()
    for (const [first, last] of [
      [1, 8],
      [7, 12],
      [11, 14],
    ] as const) {
      putClaude(home, uuid(0), lines(first, last))
      collect(home)
    }
    expect(views(home).texts).toHaveLength(14)
    expect(run(['search', '"Question 3"', '--from', archiveOf(home)], home).stdout).toContain('Question 3')
  })
})

it('an archive of a session that its agent rewrote contains what was removed from it', () => {
  const home = temporaryHome()
  const put = (...words: string[]) =>
    putOpenclaw(home, 'moss.jsonl', [
      openclaw.header('moss'),
      ...words.map((word, index) => openclaw.user(Number(word.at(-1)) || index, word)),
    ])
  put('moss 1', 'fern 2', 'reed 3')
  collect(home)
  put('moss 1', 'rush 4')
  collect(home)
  const { items } = from(home, 'read', 'moss')
  expect(items.flatMap(({ text }: Json) => text ?? [])).toEqual(['moss 1', 'fern 2', 'reed 3', 'rush 4'])
})

describe('the index of a session whose client keeps only the tail of its file', () => {
  const totals = (home: string) => json(home, 'stats', '--all').totals
  const texts = (home: string, ...args: string[]): Json[] => json(home, 'read', uuid(0), ...args).items
  const row = (home: string) => json(home, 'sessions', '--all').sessions[0]
  const NOW = ['bytes', 'lines', 'accounting', 'modifiedAt', 'path', 'cut']

  it('retains messages, tokens and counts, cut after cut', () => {
    const [home, whole] = [temporaryHome(), temporaryHome()]
    for (const [first, last] of [
      [1, 8],
      [5, 8],
      [5, 12],
      [11, 20],
      [25, 30],
    ] as const) {
      putClaude(home, uuid(0), lines(first, last))
      putClaude(whole, uuid(0), last === 30 ? [...lines(1, 20), ...lines(25, 30)] : lines(1, last))
      expect(totals(home)).toEqual(totals(whole))
      const messages = texts(home).filter(({ who }) => who !== 'marker')
      expect(messages.map(({ text }) => text)).toEqual(texts(whole).map(({ text }) => text))
      const [ours, theirs] = [row(home), row(whole)]
      for (const name of NOW) for (const each of [ours, theirs]) delete each[name]
      expect(ours).toEqual(theirs)
    }
    expect(row(home).cut).toBe(20)
    expect(totals(home)).toMatchObject({ outputTokens: 65 })
    const { stdout } = run(['read', uuid(0)], home)
    expect(stdout).toContain('up to here from the index: the client has cut 20 messages off its file')
    const full = texts(home, '--full')
    expect(full.filter(({ cut }) => cut)).toHaveLength(20)
    expect(full.filter(({ who }) => who !== 'marker')).toHaveLength(26)
  })

  it('reads only the file if a line of it is requested', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines(1, 8))
    run(['index'], home)
    putClaude(home, uuid(0), lines(5, 8))
    expect(json(home, 'read', `${uuid(0)}:1`).items[0].text).toBe('Question 5')
  })

  it('is that of the whole file again once somebody restores it', () => {
    const home = temporaryHome()
    putClaude(home, uuid(0), lines(1, 8))
    run(['index'], home)
    putClaude(home, uuid(0), lines(5, 8))
    expect(row(home).cut).toBe(4)
    putClaude(home, uuid(0), lines(1, 10))
    expect(row(home).cut).toBeUndefined()
    expect(texts(home)).toHaveLength(10)
    expect(totals(home)).toMatchObject({ outputTokens: 25 })
  })
})
