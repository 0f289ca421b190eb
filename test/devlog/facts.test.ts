import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { timesIn } from '../../src/devlog/facts.ts'
import { numbersIn } from '../../src/devlog/numbers.ts'
import { ownWords } from '../../src/devlog/speakers.ts'
import { checkout } from '../program.ts'
import { casesOf, check, corpusSources, demoSources, type Figures, measure, measureStory } from './stories.ts'

const demo = await demoSources()

/** What the check says about one paragraph, in short. */
const said = (text: string): string[] =>
  check(`# x\n\n${text}\n`, demo).findings.map(({ kind, what, nearest }) => `${kind}: ${what} (${nearest})`)

const share = ({ lies }: Figures): number => {
  const rows = [...lies.values()]
  return rows.reduce((sum, { found }) => sum + found, 0) / rows.reduce((sum, { all }) => sum + all, 0)
}

describe('a sentence with a mark', () => {
  it('may tell what its records say in other words', () => {
    expect(
      said(
        'The shop stood still for eleven minutes while 1,219 orders moved to Postgres.[^7122ceb8:47:21834c] Half past ten was the plan.[^e7b3ed29:5:f0156e] On Wednesday, 14 October 2026, the sums agreed.[^7122ceb8:47:21834c]',
      ),
    ).toEqual([])
  })

  it.each([
    ['The shop was down for 13 minutes.[^7122ceb8:47:21834c]', ['number: 13 minutes (11 minutes)']],
    ['It was down for 11 hours.[^7122ceb8:47:21834c]', ['number: 11 hours (11 minutes)']],
    [
      'I wrote `src/catalogue/shop.js`.[^4efda354:7:1c4dc5]',
      ['name: src/catalogue/shop.js (src/catalogue/store.js)'],
    ],
    ['The agent ran `npm run deploy`.[^4efda354:7:1c4dc5]', ['name: npm run deploy (null)']],
    ['That was on 6 October.[^21c10370:25:41a021]', ['date: 6 October (2026-10-05 11:43 UTC)']],
    [
      'The agent wrote “Keep it small, no framework magic.”[^4efda354:1:cc0f3f]',
      ['speaker: “Keep it small, no framework magic.” (the human said it)'],
    ],
    [
      'The human asked for “no magic at all, ever.”[^4efda354:1:cc0f3f]',
      ['quote: “no magic at all, ever.” (Keep it small, no framework magic.)'],
    ],
    ['It went live with `v1.0.1`.[^b4a22c68:22:88e605]', ['name: v1.0.1 (v1.0.0)']],
    // The record has a file whose name ends like that.
    ['I wrote `alogue/store.js`.[^4efda354:7:1c4dc5]', ['name: alogue/store.js (catalogue/store.js)']],
    ['The move took nine days.[^7122ceb8:47:21834c]', ['number: nine days (11 minutes)']],
    ['VAT on tea is 7 euro.[^640ab4c7:4:d1fbb2]', ['number: 7 euro (7 %)']],
    ['Danach waren es 38 Mikrosekunden.[^1154d7d3:16:115b34]', ['number: 38 Mikrosekunden (38 ms)']],
    [
      'La lista tarda treinta y ocho minutos.[^1154d7d3:16:115b34]',
      ['number: treinta y ocho minutos (38 ms)'],
    ],
    ['A cart is kept for 15 months.[^f6818f97:22:68a4d1]', ['number: 15 months (15 minutes)']],
    ['The sum was $48,719.35.[^7122ceb8:30:196f31]', ['number: 48,719.35 (48,719.35 euro)']],
    ['Six tests are green.[^f6818f97:22:68a4d1]', ['number: Six tests (Nine tests)']],
    ['It wants fifteen orders a day.[^edf530e6:10:5de272]', ['number: fifteen orders (Twelve a)']],
    ['Falló 4 veces en 50.[^21c10370:25:41a021]', ['number: 4 veces (7 in)']],
    ['50回中3回だけ失敗した。[^21c10370:25:41a021]', ['number: 3回だ (1 where)']],
    ['El carrito espera dieciséis minutos.[^f6818f97:22:68a4d1]', ['number: dieciséis minutos (15 minutes)']],
    ['カートは16分間有効。[^f6818f97:22:68a4d1]', ['number: 16分間 (15 minutes)']],
  ])('is found to be wrong: %s', (text, findings) => {
    expect(said(text)).toEqual(findings)
  })

  it('is not judged by its speaker where only a pronoun says who that is', () => {
    const story =
      'My human wrote. I had explained it, and they replied: “Keep it small, no framework magic.”[^4efda354:1:cc0f3f]'
    expect(said(story)).toEqual([])
    expect(said(story.replace('they replied', 'I replied'))).toHaveLength(1)
  })

  it('is not judged by whether it draws the right conclusion', () => {
    expect(said('The switch was a failure, and nobody ever agreed.[^7122ceb8:47:21834c]')).toEqual([])
  })

  it.each([
    'Neun Tests sind grün, kein Fehler war dabei, Dank an Kollegen.[^f6818f97:22:68a4d1]',
    'Erst Korb, später Kasse.[^f6818f97:22:68a4d1]',
    'A cart is held for 900 seconds, a quarter of an hour.[^f6818f97:22:68a4d1]',
    'Avant, la liste prenait 4,1 secondes.[^1154d7d3:16:115b34]',
    'Ein Korb gilt eine Viertelstunde, also 15 Minuten.[^f6818f97:22:68a4d1]',
    'Ein Korb gilt eine Viertelstunde, rief der Händler am Telefon.[^f6818f97:22:68a4d1]',
    'Gestern kamen vierzehn Bestellungen, davon fünf für die Kanne.[^edf530e6:9:1d5794]',
    '„Hold it for 15 minutes“, verlangte der Nutzer im Gespräch.[^f6818f97:4:1c82c6]',
    'La somme est de 48 719,35 euros après la répétition.[^7122ceb8:30:196f31]',
    '合計は48,719.35ユーロ。[^7122ceb8:30:196f31]',
    'Two weeks later the cart was in, after three more tries.[^f6818f97:22:68a4d1]',
    'The agent made two points about it.[^f6818f97:22:68a4d1]',
  ])('may convert a unit, translate it, or count for itself: %s', (text) => {
    expect(check(text, demo).citations.map(({ state }) => state)).toEqual(['holds'])
    expect(said(text)).toEqual([])
  })

  it('may be covered by a mark at the end of its paragraph', () => {
    expect(said('The shop was down for 11 minutes. Nobody wrote.[^7122ceb8:47:21834c]')).toEqual([])
    expect(said('Nobody wrote.[^7122ceb8:47:21834c] The shop was down for 13 minutes.')).toEqual([])
  })
})

describe('equal forms', () => {
  it.each([
    ['500万', 5_000_000],
    ['5,000,000', 5_000_000],
    ['5.000.000', 5_000_000],
    ['5 million', 5_000_000],
    ['1.2k', 1200],
    ['forty-two tests', 42],
    ['三次', 3],
    ['hundred lines', 100],
  ])('of a number are read alike: %s', (text, value) => {
    expect(numbersIn(text).map((each) => each.value)).toEqual([value])
  })

  it.each([
    ['half past ten', [630, 1350]],
    ['at 22:30', [1350]],
    ['at 10:30 pm', [1350]],
    ['halb elf', [630, 1350]],
  ])('of a time are read alike: %s', (text, minutes) => {
    expect(timesIn(text)[0]?.minutes).toEqual(minutes)
  })

  it.each([
    '22 September 2026',
    'September 22nd, 2026',
    '2026-09-22',
    '22.09.2026',
    '2026年9月22日',
    '22 de septiembre de 2026',
  ])('of a day are read alike: %s', (text) => {
    expect(timesIn(text)[0]).toMatchObject({ year: 2026, month: 9, day: 22 })
  })
})

it('the words of a human are not those of a letter, a log or code that they passed on', () => {
  const letter = 'Please answer this:\n\nFrom: the bookkeeper\nSubject: tax\n\nRound it per line.'
  expect(ownWords(letter).trim()).toBe('Please answer this:')
  expect(ownWords('see\n```\nerror 42\n```\nfix it')).not.toContain('42')
  expect(ownWords('> you said this\nno')).toBe('no')
})

describe('the check', () => {
  it('flags no honest sentence of the stories about the demo', () => {
    for (const name of ['english.md', 'other-languages.md'])
      expect(measureStory(name, demo).honest.alarms).toEqual([])
  })

  it.each(['never-ship-twice.md', 'the-retry.md', 'move-to-postgres.md'])(
    'holds every citation and fact of docs/examples/%s',
    (name) => {
      const text = readFileSync(join(checkout, 'docs/examples', name), 'utf8')
      const { citations, findings } = check(text, demo)
      expect(citations.length).toBeGreaterThan(5)
      expect(citations.filter(({ state }) => state !== 'holds')).toEqual([])
      expect(findings).toEqual([])
    },
  )

  it('finds at least 97 of 100 wrong facts in sentences of the demo, and flags at most 2 of 100 others', () => {
    const figures = measure(casesOf(demo, 1), demo)
    expect(share(figures)).toBeGreaterThanOrEqual(0.97)
    expect(figures.honest.flagged / figures.honest.all).toBeLessThanOrEqual(0.02)
  })
})

const corpus = process.env.SCROLLBACK_CORPUS

describe.skipIf(!corpus || !existsSync(corpus))('the check on transcripts of others', () => {
  it('finds at least 97 of 100 wrong facts, and flags at most 2 of 100 others', async () => {
    const sources = corpusSources(corpus!, 8)
    const figures = measure(casesOf(sources, 3), sources)
    expect(share(figures)).toBeGreaterThanOrEqual(0.97)
    expect(figures.honest.flagged / figures.honest.all).toBeLessThanOrEqual(0.02)
  })
})
