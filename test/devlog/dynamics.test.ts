import { describe, expect, it } from 'vitest'
import { briefsOf } from '../../src/devlog/brief.ts'
import { draftOf } from '../../src/devlog/drafts.ts'
import { languagesOf } from '../../src/devlog/dynamics.ts'
import { gather } from '../../src/devlog/gather.ts'
import { turnsOf } from '../../src/devlog/turns.ts'
import { finish, type Steps } from '../../src/model/iteration.ts'
import { shortId } from '../../src/selection/session-names.ts'
import { foundIn, measure, sourceOf } from './labelled.ts'

describe('the rules for dynamics', () => {
  const { figures } = measure('all')

  it('are measured on at least 120 labelled spans in eight languages', () => {
    expect(figures.reduce((sum, { labelled }) => sum + labelled, 0)).toBeGreaterThanOrEqual(120)
  })

  it.each(figures)('find $kind with a precision of at least 0.8', ({ precision, recall }) => {
    expect(precision).toBeGreaterThanOrEqual(0.8)
    expect(recall).toBeGreaterThanOrEqual(0.8)
  })

  it('need a reply of the agent for agreement', () => {
    expect([...foundIn(['H: yes, go ahead'])]).not.toContain('0 agreement')
    expect([...foundIn(['H: hello there', 'A: Shall I start?', 'H: yes, go ahead'])]).toContain('2 agreement')
  })

  it('do not read commands of the client or pasted documents', () => {
    expect([...foundIn(['H: /compact I want the plan', `H: I want this. ${'x '.repeat(2000)}`])]).toEqual([])
  })

  it('report no repair where nothing was tried', () => {
    expect([...foundIn(['H: hello', 'T: Bash npm test', 'E: failed'])]).toEqual([])
  })

  it('take praise, wishes and plain statements for nothing that they are not', () => {
    const said = (words: string): string[] => [...foundIn(['H: begin with this', 'A: Done.', `H: ${words}`])]
    expect(said('I like that the API is documented.')).toEqual([])
    expect(said("never mind, we'll look at it later")).toEqual(['2 course'])
    expect(said('nah let us roll back, they do not really need to exist')).toEqual(['2 course'])
    expect(said('只是喜欢研究AI')).toEqual([])
    expect(said('Me gusta, dale')).toEqual(['2 agreement'])
  })

  it.each([
    'No, that is wrong, I meant the temperature.',
    '不对，我说的是窑的温度，不是时间。',
    '不對，我說的是窯的溫度，不是時間。',
    '你理解錯了，請改回來。',
    "Non, ce n'est pas ça, je parlais de la température.",
    'Não, está errado, eu falei da temperatura.',
  ])('find a correction in every language that they read: %s', (words) => {
    expect([...foundIn(['H: show the temperature', 'A: I have added a timer.', `H: ${words}`])]).toEqual([
      '2 correction',
    ])
  })
})

describe('the languages of a project', () => {
  const languages = (...words: string[]) =>
    languagesOf(words.flatMap((each) => turnsOf(sourceOf([`H: ${each}`]))))

  it('are listed with whether they are read', () => {
    expect(
      languages(
        'Show me the temperature of the kiln',
        '아니, 틀렸어. 온도를 말한 거야.',
        'Нет, это неправильно, я говорил о температуре.',
        'ok',
      ),
    ).toEqual([
      { language: 'en', messages: 1, read: true },
      { language: 'ko', messages: 1, read: false },
      { language: 'ru', messages: 1, read: false },
    ])
  })
})

it('a log tells a correction of each session, and names the languages that it cannot read', () => {
  const sources = [
    'No, that is wrong, I meant the temperature.',
    '不對，我說的是窯的溫度，不是時間。',
    'Нет, это неправильно.',
  ].map((words, index) =>
    sourceOf(
      ['H: show the temperature of the kiln', 'A: I have added a timer.', `H: ${words}`, 'A: Changed.'],
      `a${index}b2c3d4`,
    ),
  )
  const count = { used: 3, fitting: 3, seen: 3 }
  const evidence = finish(
    gather(sources, {
      project: 'kiln',
      topic: null,
      coverage: { sessions: count, items: { read: 12, there: 12 }, duplicates: 0 },
    }),
  )
  const { text } = draftOf('log', evidence, sources, undefined, shortId)!
  expect(text).toContain('The human corrected: “No, that is wrong, I meant the temperature.”')
  expect(text).toContain('The human corrected: “不對，我說的是窯的溫度，不是時間。”')
  expect(text).toContain(
    'Corrections, changes of course and agreement are not recognized in Russian (1 message).',
  )
})

it('evidence and briefs are made in steps, at least one for each turn, so that a caller can cancel them', () => {
  const turns = Array.from({ length: 200 }, (_, index) => [`H: water the moss ${index}`, 'A: Done.']).flat()
  const sources = [sourceOf(turns, 'a0b2c3d4')]
  const count = { used: 1, fitting: 1, seen: 1 }
  const coverage = { sessions: count, items: { read: 400, there: 400 }, duplicates: 0 }
  const stepsOf = <Result>(work: Steps<Result>) => {
    for (let steps = 0; ; steps++) {
      const step = work.next()
      if (step.done) return { steps, result: step.value }
    }
  }
  const gathered = stepsOf(gather(sources, { project: 'p', topic: null, coverage }))
  expect(gathered.steps).toBeGreaterThanOrEqual(200)
  const options = { style: 'story', voice: 'agent', budget: 4000, nameOf: shortId } as const
  expect(stepsOf(briefsOf(sources, gathered.result, options)).steps).toBeGreaterThanOrEqual(200)
})
