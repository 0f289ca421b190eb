import { describe, expect, it } from 'vitest'
import { archiveOf, collect } from '../deliveries.ts'
import { run } from '../program.ts'
import { claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const said = (number: number) =>
  number % 2 === 1
    ? claude.user(number, `Question ${number}`)
    : claude.reply(number, [text(`Answer ${number}`)])
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => said(from + index))

const from = (home: string, ...args: string[]) =>
  JSON.parse(run([...args, '--from', archiveOf(home), '--json'], home).stdout) as Record<string, never>

/** What an archive tells of a session, in every view. */
function views(home: string) {
  const { sessions } = from(home, 'sessions', '--all') as unknown as { sessions: Record<string, unknown>[] }
  const { items } = from(home, 'read', uuid(0)) as unknown as { items: { text?: string; who: string }[] }
  const { totals } = from(home, 'stats', '--all') as unknown as { totals: unknown }
  return { sessions, texts: items.map((item) => item.text), totals }
}

describe('an archive of a session whose client keeps only the tail of its file', () => {
  it('tells all of it, cut after cut, as if nothing had been cut', () => {
    const [home, whole] = [temporaryHome(), temporaryHome()]
    for (const [first, last] of [
      [1, 8],
      [5, 14],
      [11, 20],
      [25, 30],
    ] as const) {
      putClaude(home, uuid(0), lines(first, last))
      collect(home)
      // Laid out in between, and gone on with.
      if (last === 14) expect(views(home).texts).toHaveLength(14)
    }
    putClaude(whole, uuid(0), [...lines(1, 20), ...lines(25, 30)])
    collect(whole)
    const [one, other] = [views(home), views(whole)]
    expect(one.texts).toEqual(other.texts)
    expect(one.totals).toEqual(other.totals)
    expect(one.totals).toMatchObject({ outputTokens: 65 })
    const counts = ({ sessions }: typeof one) =>
      sessions.map(({ human, agentMessages, startedAt, firstHuman }) => [
        ...[human, agentMessages, startedAt, firstHuman],
      ])
    expect(counts(one)).toEqual(counts(other))
  })

  it('finds what was cut away before it was laid out for the first time', () => {
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

describe('an archive of a session that its agent rewrote', () => {
  it('tells what was taken out of it', () => {
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
    const { items } = from(home, 'read', 'moss') as unknown as { items: { text?: string }[] }
    expect(items.flatMap((item) => item.text ?? [])).toEqual(['moss 1', 'fern 2', 'reed 3', 'rush 4'])
  })
})
