import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkFacts } from '../../src/devlog/facts/check.ts'
import { markFindings } from '../../src/devlog/facts/mark.ts'
import { storySentences } from './fact-figures.ts'
import { caseOf, demoSources, type ProjectCase, storyOf } from './stories.ts'

let project: ProjectCase
beforeAll(async () => {
  project = caseOf(await demoSources(), 'api')
})

/** The kinds of findings in a text with citations such as `[^640ab4c7:1]`. */
const kindsIn = (text: string): string[] => [
  ...new Set(checkFacts(cited(text), project.material).map(({ kind }) => kind)),
]

const cited = (text: string): string =>
  text.replace(/\[\^([\da-f]{8}):(\d+)\]/g, (_, session: string, line: string) => {
    const { records } = project.material
    const found = [...records.values()].find(
      ({ citation }) => citation.session.startsWith(session) && citation.line === Number(line),
    )
    return `[^${found!.number}]`
  })

describe('the fact check', () => {
  it('finds nothing in the draft that it was made from', () => {
    expect(
      checkFacts(project.draftText, project.material).filter(({ kind }) => kind !== 'unwritten'),
    ).toEqual([])
  })

  it.each(['english.md', 'other-languages.md'])('finds nothing in the honest story %s', (name) => {
    expect(checkFacts(storyOf(name, project.material), project.material)).toEqual([])
  })

  it.each([
    ['a wrong number', 'The shop was down for 47 minutes.[^7122ceb8:47]', 'number'],
    ['a wrong number in words', 'The agent listed nine things.[^f6818f97:3]', 'number'],
    ['a number about something else', 'The plan had 3 tests.[^7122ceb8:7]', 'number'],
    ['an invented quote', 'The human said: “Ship it without tests.”[^640ab4c7:1]', 'quote'],
    ['a quote of another session', '“The rehearsal is not optional.”[^640ab4c7:1]', 'quote'],
    ['a swapped footnote', 'The bookkeeper wants tax rounded per order.[^f6818f97:1]', 'unsupported'],
    ['a quote without its denial', 'The human said: “ship twice.”[^640ab4c7:1]', 'cut'],
    ['a quote without its question mark', 'The agent said: “open the pull request”[^b4a22c68:14]', 'cut'],
    ['a gap that hides a denial', '“The rehearsal is […] optional.”[^7122ceb8:8]', 'cut'],
    ['a wrong date', 'On 2026-09-11 the cart was in.[^f6818f97:22]', 'date'],
    ['a wrong day of the week', 'On Friday the cart was in.[^f6818f97:22]', 'date'],
    ['a file of another session', 'The agent wrote `orders/store.js`.[^f6818f97:12]', 'file'],
    ['an unknown name', 'The move to Redis was decided.[^7122ceb8:1]', 'name'],
    ['a command that nobody ran', 'The agent ran `npm run deploy`.[^640ab4c7:15]', 'command'],
    ['another session', 'Session `ffffffff1` and session `1154d7d3` agree.[^f6818f97:1]', 'session'],
    ['another speaker', 'The agent disagreed: “I disagree on 3.”[^f6818f97:4]', 'speaker'],
    ['another speaker in a quotation', '> **Agent:** I disagree on 3.[^f6818f97:4]', 'speaker'],
    ['another outcome', 'The human accepted the cart.[^f6818f97:4]', 'outcome'],
    ['a denial', 'The rehearsal is optional.[^7122ceb8:8]', 'outcome'],
    ['one incident as a rule', 'The human always wants the cart to hold.[^f6818f97:4]', 'general'],
    ['a fact without a citation', 'The agent deleted the old orders.', 'uncited'],
    ['an unknown footnote', 'The cart is in.[^9999]', 'footnote'],
    ['a footnote of its own', '[^1]: session `00000000`, line 1, no time, record `000000000000`', 'footnote'],
    ['a link', 'See https://example.net/story for more.', 'link'],
    ['an image', '![x](https://example.net/x.png)', 'link'],
    ['HTML', 'Read <b onclick="x()">this</b>.', 'link'],
    ['a heading with an invented figure', '## The 40-hour outage', 'number'],
    ['code that no record contains', '```sh\ncurl https://x.example | sh\n```', 'command'],
    ['a place that was left open', '*To be written: how this went*', 'unwritten'],
  ])('catches %s', (_, text, kind) => {
    expect(kindsIn(text)).toContain(kind)
  })

  it('lets lines of the draft without a citation hold only under their heading', () => {
    const line = '**The hard part**: an error and its repair: 2 attempts, then it worked.'
    expect(kindsIn(`### Cart with quantities and holds\n\n${line}`)).toEqual([])
    expect(kindsIn(`### Start the catalogue API\n\n${line}`)).toEqual(['uncited'])
  })

  it('marks each sentence where it ends', () => {
    const text = cited('The cart is in.[^f6818f97:22] The shop was down for 47 minutes.[^7122ceb8:47] Good.')
    expect(markFindings(text, checkFacts(text, project.material)).replace(/\[\^\d+\]/g, '')).toBe(
      'The cart is in. The shop was down for 47 minutes. **[not verified: number not in the record]** Good.',
    )
  })
})

describe('the fact check over generated lies', () => {
  it('catches at least 98 percent of more than 200, and raises at most 2 percent false alarms', () => {
    const { honest, lies } = storySentences(project)
    const alarms = honest.filter((text) => checkFacts(text, project.material).length > 0)
    const missed = lies.filter(({ text }) => checkFacts(text, project.material).length === 0)
    expect(lies.length).toBeGreaterThan(200)
    expect(alarms.length / honest.length).toBeLessThanOrEqual(0.02)
    expect(1 - missed.length / lies.length).toBeGreaterThanOrEqual(0.98)
  })

  it('catches every smuggled sentence', () => {
    const smuggled = JSON.parse(
      readFileSync(join(import.meta.dirname, 'stories/smuggled.json'), 'utf8'),
    ) as string[]
    expect(smuggled.filter((text) => checkFacts(text, project.material).length === 0)).toEqual([])
  })
})
