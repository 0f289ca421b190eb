import { describe, expect, it } from 'vitest'
import type { DayFigures, MessageFigure, UsageFigure } from '../store/figures.ts'
import {
  chosenRows,
  costOf,
  createSum,
  DIMENSIONS,
  type Dimension,
  isTimed,
  type Owner,
  type PriceOf,
  type Summed,
  summarize,
} from './summarize.ts'

const DAY = Date.parse('2026-11-20') / 86_400_000

const owner = (values: Partial<Owner>): Owner => ({
  platform: 'fernwood',
  agent: 'fern',
  project: 'garden',
  session: 'one',
  own: '/one.jsonl',
  isOfPeople: true,
  ...values,
})

const OWNERS = new Map([
  [1, owner({})],
  [
    2,
    owner({
      project: 'pond',
      session: 'two',
      agent: 'moss',
      platform: 'reed',
      own: '/two.jsonl',
      isOfPeople: false,
    }),
  ],
])

const used = (values: Partial<UsageFigure>): UsageFigure => ({
  artifact: 1,
  model: 'oak',
  length: 0,
  replies: 1,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  reasoning: 0,
  recorded: 0,
  recordedReplies: 0,
  statedInput: 0,
  statedOutput: 0,
  statedCacheRead: 0,
  statedCacheWrite: 0,
  ...values,
})

const spoken = (values: Partial<MessageFigure>): MessageFigure => ({
  artifact: 1,
  who: 'human',
  tool: null,
  count: 1,
  words: 0,
  ...values,
})

const figuresOf = (values: Partial<DayFigures>): DayFigures => ({
  day: DAY,
  usage: [],
  messages: [],
  hours: [],
  touched: [],
  ...values,
})

/** A dollar per token of the oak, and no price for any other model. */
const priceOf: PriceOf = (model, usage) =>
  model === 'oak' ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : undefined

const summaryOf = (figures: DayFigures[], by: Dimension = 'day') =>
  summarize(figures, (artifact) => OWNERS.get(artifact), by, priceOf)

const both = figuresOf({
  usage: [
    used({ input: 10, output: 2, reasoning: 1, replies: 3 }),
    used({ artifact: 2, model: 'ash', input: 5 }),
  ],
  messages: [
    spoken({ count: 4, words: 40 }),
    spoken({ artifact: 2, who: 'agent', count: 6 }),
    spoken({ who: 'tool', tool: 'Rake', count: 7 }),
    spoken({ who: 'error', tool: 'Rake', count: 2 }),
    spoken({ who: 'tool', tool: null, count: 1 }),
  ],
})

describe('the totals of a time', () => {
  it('are the sums of everything, each session once', () => {
    expect(summaryOf([both, both]).totals).toEqual({
      sessions: 2,
      messages: { human: 8, agent: 12 },
      humanWords: 80,
      toolCalls: 16,
      errors: 4,
      inputTokens: 30,
      outputTokens: 4,
      reasoningTokens: 2,
      cacheReadTokens: 0,
      cacheCreationTokens: 0,
      cost: 24,
      recordedCost: null,
      recordedTokens: null,
      unpricedModels: ['ash'],
    })
  })

  it('are not free if all that has no price is next to replies without tokens', () => {
    const usage = [used({ model: 'ash', input: 1 }), used({ model: null }), used({ model: 'ash' })]
    const { totals, rows } = summaryOf([figuresOf({ usage })])
    expect(totals).toMatchObject({ cost: null, unpricedModels: ['ash'] })
    expect(rows).toMatchObject([{ cost: null, models: [{ cost: null }, { cost: null }] }])
  })

  it('are nothing if there is nothing', () => {
    const { totals, rows, tools, files, hours, activeDays } = summaryOf([])
    expect(totals).toMatchObject({ sessions: 0, cost: null, unpricedModels: [] })
    expect([rows, tools, files, activeDays]).toEqual([[], [], [], 0])
    expect(hours).toEqual(Array.from({ length: 24 }, () => 0))
  })

  it('leave out files that belong to no session', () => {
    const foreign = figuresOf({
      usage: [used({ artifact: 9, input: 5 })],
      messages: [spoken({ artifact: 9 }), spoken({ artifact: 9, who: 'tool', tool: 'Rake' })],
      hours: [{ artifact: 9, hour: 3, count: 1 }],
      touched: [{ artifact: 9, tool: 'Write', target: '/a', count: 1 }],
    })
    const { totals, rows, tools, files, hours, activeDays } = summaryOf([foreign])
    expect(totals).toMatchObject({ sessions: 0, inputTokens: 0, messages: { human: 0 } })
    expect([rows, tools, files, activeDays, hours[3]]).toEqual([[], [], [], 0, 0])
  })

  it('contain cached tokens, and the cost and the tokens that a client recorded', () => {
    const stated = { statedInput: 1, statedOutput: 2, statedCacheRead: 3, statedCacheWrite: 4 }
    const usage = [
      used({ cacheRead: 7, cacheWrite: 8, recorded: 1.5, recordedReplies: 2 }),
      used({ recorded: 2, recordedReplies: 1, ...stated }),
      used({ ...stated, recorded: 9, recordedReplies: 0 }),
    ]
    expect(summaryOf([figuresOf({ usage })]).totals).toMatchObject({
      cacheReadTokens: 7,
      cacheCreationTokens: 8,
      recordedCost: 3.5,
      recordedTokens: { input: 2, output: 4, cacheRead: 6, cacheWrite: 8 },
    })
  })

  it.each(['statedInput', 'statedOutput', 'statedCacheRead', 'statedCacheWrite'] as const)(
    'contain recorded tokens if only %s is above zero',
    (field) => {
      const { totals } = summaryOf([figuresOf({ usage: [used({ [field]: 5 })] })])
      expect(Object.values(totals.recordedTokens!).toSorted()).toEqual([0, 0, 0, 5])
    },
  )

  it('cost nothing where no reply was counted, even if a price is known', () => {
    expect(summaryOf([figuresOf({ usage: [used({ input: 5, replies: 0 })] })]).totals.cost).toBeNull()
  })

  it('name the models without a price in order, and unnamed ones as unknown', () => {
    const usage = ['fir', null, 'ash'].map((model) => used({ model, input: 1 }))
    expect(summaryOf([figuresOf({ usage })]).totals.unpricedModels).toEqual(['(unknown)', 'ash', 'fir'])
  })
})

describe('the price of tokens', () => {
  it('is asked for the model, the length and the time', () => {
    const asked: unknown[] = []
    const at = new Date(0)
    const usage = used({ length: 2, input: 1, output: 2, cacheRead: 3, cacheWrite: 9, cacheWriteHour: 4 })
    costOf(usage, at, (...given) => {
      asked.push(given)
      return 0
    })
    const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 5, cacheWriteHour: 4 }
    expect(asked).toEqual([['oak', tokens, 2, at]])
  })

  it('is nothing for no tokens, and unknown for an unknown model', () => {
    expect(costOf(used({ model: null }), new Date(), priceOf)).toBeNull()
    expect(costOf(used({ model: null, cacheWrite: 1 }), new Date(), priceOf)).toBeUndefined()
    expect(costOf(used({ model: 'ash', cacheRead: 1 }), new Date(), priceOf)).toBeUndefined()
  })

  it('is that of the day', () => {
    const times: number[] = []
    const note: PriceOf = (_model, _usage, _length, at) => times.push(at.getTime())
    summarize([figuresOf({ usage: [used({ input: 1 })] })], () => OWNERS.get(1), 'day', note)
    expect(times).toEqual([Date.parse('2026-11-20')])
  })
})

describe('rows', () => {
  it.each<[Dimension, string[]]>([
    ['day', ['2026-11-20']],
    ['week', ['2026-W47']],
    ['month', ['2026-11']],
    ['project', ['garden', 'pond']],
    ['session', ['one', 'two']],
    ['agent', ['fern', 'moss']],
    ['platform', ['fernwood', 'reed']],
    ['project-day', ['2026-11-20 garden', '2026-11-20 pond']],
    ['model', ['oak', 'ash']],
    ['tool', ['Rake', '(unknown)']],
    ['block', []],
  ])('by %s have the keys %j, and add up to the totals', (by, keys) => {
    const { rows, totals } = summaryOf([both], by)
    expect(rows.map(({ key }) => key)).toEqual(keys)
    if (by === 'block') return
    const sum = (of: (row: Summed) => number): number => rows.reduce((all, row) => all + of(row), 0)
    // Tools use no tokens, and models call no tools.
    if (by !== 'tool') {
      expect(sum(({ inputTokens }) => inputTokens)).toBe(totals.inputTokens)
      expect(sum(({ outputTokens }) => outputTokens)).toBe(totals.outputTokens)
    }
    if (by !== 'model') {
      expect(sum(({ toolCalls }) => toolCalls)).toBe(totals.toolCalls)
      expect(sum(({ errors }) => errors)).toBe(totals.errors)
    }
  })

  it.each<[Dimension, string]>([
    ['day', '(no time)'],
    ['week', '(no time)'],
    ['project-day', '(no time) garden'],
  ])('by %s collect what has no time under "%s"', (by, key) => {
    const { rows, activeDays } = summaryOf([figuresOf({ day: null, messages: [spoken({})] })], by)
    expect(rows.map((row) => row.key)).toEqual([key])
    expect(activeDays).toBe(0)
  })

  it('by day and project contain both', () => {
    expect(summaryOf([both], 'project-day').rows.map(({ day, project }) => [day, project])).toEqual([
      ['2026-11-20', 'garden'],
      ['2026-11-20', 'pond'],
    ])
  })

  it('contain the usage of their models, the dearest first, then the largest, then by name', () => {
    const usage = [
      used({ model: 'fir', input: 1 }),
      used({ model: 'ash', input: 1, replies: 4 }),
      used({ model: 'elm', input: 2, output: 3, cacheRead: 4, cacheWrite: 5 }),
      used({ model: 'oak', input: 1 }),
    ]
    const [row] = summaryOf([figuresOf({ usage })]).rows
    expect(row!.models.map(({ model, replies }) => [model, replies])).toEqual([
      ['oak', 1],
      ['elm', 1],
      ['ash', 4],
      ['fir', 1],
    ])
    expect(row!.models[1]).toEqual({
      model: 'elm',
      replies: 1,
      inputTokens: 2,
      outputTokens: 3,
      reasoningTokens: 0,
      cacheReadTokens: 4,
      cacheCreationTokens: 5,
      cost: null,
      recordedCost: null,
      recordedTokens: null,
    })
  })

  it('by model count replies, and neither messages nor tools', () => {
    const { rows, rowTotal } = summaryOf([both], 'model')
    expect(rows.map(({ messages, toolCalls }) => [messages, toolCalls])).toEqual([
      [{ human: 0, agent: 3 }, 0],
      [{ human: 0, agent: 1 }, 0],
    ])
    expect(rowTotal.messages).toEqual({ human: 0, agent: 4 })
  })

  it('by day count messages, not replies', () => {
    const { rows, rowTotal } = summaryOf([both])
    expect(rows[0]!.messages).toEqual({ human: 4, agent: 6 })
    expect(rowTotal).toMatchObject({ messages: { human: 4, agent: 6 }, inputTokens: 15, toolCalls: 8 })
  })

  it('by tool contain calls and errors, and no tokens', () => {
    const { rows, rowTotal } = summaryOf([both], 'tool')
    expect(
      rows.map(({ key, toolCalls, errors, inputTokens }) => [key, toolCalls, errors, inputTokens]),
    ).toEqual([
      ['Rake', 7, 2, 0],
      ['(unknown)', 1, 0, 0],
    ])
    expect(rowTotal).toMatchObject({ toolCalls: 8, errors: 2, inputTokens: 0, messages: { human: 0 } })
  })
})

describe('what goes with the rows', () => {
  it('are tools, the most called first, then by name', () => {
    const calls = ['Saw', 'Hoe', 'Rake'].map((tool) =>
      spoken({ who: 'tool', tool, count: tool === 'Saw' ? 2 : 1 }),
    )
    expect(
      summaryOf([figuresOf({ messages: [...calls, spoken({ who: 'error', tool: 'Hoe' })] })]).tools,
    ).toEqual([
      { name: 'Saw', calls: 2, errors: 0 },
      { name: 'Hoe', calls: 1, errors: 1 },
      { name: 'Rake', calls: 1, errors: 0 },
    ])
  })

  it('has a file once, whether its path is stated from the folder of the session or not', () => {
    const touched = [
      { artifact: 1, tool: 'Write', target: 'src/pot.ts', count: 2 },
      { artifact: 1, tool: 'Write', target: '/garden/src/pot.ts', count: 1 },
      { artifact: 2, tool: 'Write', target: 'src/pot.ts', count: 4 },
    ]
    const folders = new Map([
      [1, owner({ folder: '/garden' })],
      [2, owner({ session: 'two' })],
    ])
    const { files } = summarize(
      [figuresOf({ touched })],
      (artifact) => folders.get(artifact),
      'day',
      () => 0,
    )
    expect(files).toEqual([
      { path: 'src/pot.ts', count: 4 },
      { path: '/garden/src/pot.ts', count: 3 },
    ])
  })

  it('has each file of a patch', () => {
    const touched = [
      { artifact: 1, tool: 'apply_patch', target: 'pot.ts, "fern, moss.ts"', count: 2 },
      { artifact: 1, tool: 'write', target: 'fern, moss.ts', count: 1 },
    ]
    expect(summaryOf([figuresOf({ touched })]).files).toEqual([
      { path: 'fern, moss.ts', count: 3 },
      { path: 'pot.ts', count: 2 },
    ])
  })

  it('leaves out a file whose calls failed, be it on a later day', () => {
    const touch = (target: string, count: number) => ({ artifact: 1, tool: 'Write', target, count })
    const days = [
      [touch('/fern', 1), touch('/moss', 2)],
      [touch('/fern', -1), touch('/moss', -1)],
    ]
    expect(summaryOf(days.map((touched) => figuresOf({ touched }))).files).toEqual([
      { path: '/moss', count: 1 },
    ])
  })

  it('are the twenty most changed files, over all days', () => {
    const touched = Array.from({ length: 25 }, (_, at) => ({
      artifact: 1,
      tool: 'Write',
      target: `/${at + 10}`,
      count: 1,
    }))
    const { files } = summaryOf([figuresOf({ touched }), figuresOf({ touched: touched.slice(24) })])
    expect(files).toHaveLength(20)
    expect(files.slice(0, 3)).toEqual([
      { path: '/34', count: 2 },
      { path: '/10', count: 1 },
      { path: '/11', count: 1 },
    ])
  })

  it('are human messages by hour, and the days on which anything happened', () => {
    const hours = [9, 9, 23].map((hour) => ({ artifact: 1, hour, count: 2 }))
    const summary = summaryOf([
      figuresOf({ hours, messages: [spoken({})] }),
      figuresOf({ day: DAY + 1, messages: [spoken({ who: 'tool', tool: 'Rake' })] }),
      figuresOf({ day: DAY + 2 }),
    ])
    expect(summary.hours.flatMap((count, hour) => (count > 0 ? [[hour, count]] : []))).toEqual([
      [9, 4],
      [23, 2],
    ])
    // The day is a Friday.
    expect(summary.weekHours.map((counts) => counts[9])).toEqual([0, 0, 0, 0, 4, 0, 0])
    expect(summary.activeDays).toBe(2)
  })
})

type Row = Summed & { key: string; day?: string }

const row = (key: string, values: Partial<Row> = {}): Row => ({ ...createSum().done(), key, ...values })

const keys = (rows: Row[], by: (typeof DIMENSIONS)[number], limit = 0, order: 'asc' | 'desc' = 'desc') =>
  chosenRows(rows, { by, limit, order }).map(({ key }) => key)

const days = ['2026-01-02', '2026-01-01', '2026-01-03'].map((key) => row(key))

describe('the rows of statistics', () => {
  it('by time are the newest, in either order', () => {
    expect(keys(days, 'day')).toEqual(['2026-01-03', '2026-01-02', '2026-01-01'])
    expect(keys(days, 'day', 2)).toEqual(['2026-01-03', '2026-01-02'])
    expect(keys(days, 'day', 2, 'asc')).toEqual(['2026-01-02', '2026-01-03'])
  })

  it('by anything else are the largest: by cost, then tokens, then tool calls, then name', () => {
    const rows = [
      row('b'),
      row('a'),
      row('calls', { toolCalls: 1 }),
      row('input', { inputTokens: 5 }),
      row('written', { cacheCreationTokens: 7 }),
      row('read', { cacheReadTokens: 8 }),
      row('output', { outputTokens: 6 }),
      row('dear', { cost: 0.1 }),
    ]
    expect(keys(rows, 'model')).toEqual(['dear', 'read', 'written', 'output', 'input', 'calls', 'a', 'b'])
    expect(keys(rows, 'model', 1, 'asc')).toEqual(['dear'])
  })

  it('of one time are sorted by size', () => {
    const rows = [row('x', { day: '1', cost: 1 }), row('y', { day: '1', cost: 2 }), row('z', { day: '2' })]
    expect(keys(rows, 'project-day')).toEqual(['z', 'y', 'x'])
  })

  it('are sorted by time in five dimensions', () => {
    expect(DIMENSIONS.filter(isTimed)).toEqual(['day', 'week', 'month', 'block', 'project-day'])
  })
})
