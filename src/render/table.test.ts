import fc from 'fast-check'
import measure from 'fast-string-truncated-width'
import { describe, expect, it } from 'vitest'
import { suggesting } from '../context/flags.ts'
import { type Column, cutNames, table } from './table.ts'

interface Row {
  id: string
  name: string
  count: string
  title: string
}

const COLUMNS: Column<Row>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name, most: 28 },
  { title: 'KIND', value: () => 'human', from: 60 },
  { title: 'COUNT', value: ({ count }) => count, align: 'right', from: 50 },
  { title: 'TITLE', value: ({ title }) => title, rest: true },
]

const formatted = (rows: Row[], columns: number, given = COLUMNS): string =>
  [
    ...table(rows, given, {
      columns,
      color: false,
      terminal: true,
      home: '/home/ann',
      now: 0,
      suggest: suggesting('scrollback', () => []),
    }),
  ].join('')

const rows: Row[] = [
  {
    id: '640ab4c7',
    name: '-home-ann-dev-eastore-storefront-api',
    count: '12',
    title: 'Checkout and payments, at last',
  },
  { id: '7122ceb8', name: '-home-ann-dev-eastore-storefront-web', count: '3', title: 'Tea' },
]

describe('a table', () => {
  it('cuts nothing if the width is unknown', () => {
    expect(formatted(rows, Number.POSITIVE_INFINITY)).toMatchInlineSnapshot(`
      "ID	NAME	KIND	COUNT	TITLE
      640ab4c7	-home-ann-dev-eastore-storefront-api	human	12	Checkout and payments, at last
      7122ceb8	-home-ann-dev-eastore-storefront-web	human	3	Tea
      "
    `)
  })

  it('is not widened by a few long cells that are never cut, which move the rest of their row', () => {
    const columns: Column<Row>[] = [
      { title: 'ID', value: ({ id }) => id, whole: true, most: 10 },
      { title: 'NAME', value: ({ name }) => name, most: 12 },
      { title: 'N', value: ({ count }) => count, align: 'right' },
      { title: 'TITLE', value: ({ title }) => title, rest: true },
    ]
    const long = (id: string): Row => ({ id, name: 'api', count: '7', title: 'The taxes, at last' })
    const given = [...rows, long('compact-640ab4c7'), long('compact-640ab4c7-of-a-long-name')]
    const shown = (columns: Column<Row>[], width: number): string => {
      const screen = { columns: width, color: false, terminal: true, home: '/home/ann', now: 0 }
      return [...table(given, columns, { ...screen, suggest: suggesting('scrollback', () => []) })].join('')
    }
    expect(shown(columns, 50)).toMatchInlineSnapshot(`
      "ID        NAME           N  TITLE
      640ab4c7  …refront-api  12  Checkout and payments…
      7122ceb8  …refront-web   3  Tea
      compact-640ab4c7  api    7  The taxes, at last
      compact-640ab4c7-of-a-long-name  api  7  The taxe…
      "
    `)
    expect(shown(columns, Number.POSITIVE_INFINITY)).toMatchInlineSnapshot(`
      "ID	NAME	N	TITLE
      640ab4c7	-home-ann-dev-eastore-storefront-api	12	Checkout and payments, at last
      7122ceb8	-home-ann-dev-eastore-storefront-web	3	Tea
      compact-640ab4c7	api	7	The taxes, at last
      compact-640ab4c7-of-a-long-name	api	7	The taxes, at last
      "
    `)
  })

  it('omits the least important columns first, and cuts names where they do not differ', () => {
    expect(formatted(rows, 80)).toMatchInlineSnapshot(`
      "ID        NAME                          KIND   COUNT  TITLE
      640ab4c7  …-dev-eastore-storefront-api  human     12  Checkout and payments, at…
      7122ceb8  …-dev-eastore-storefront-web  human      3  Tea
      "
    `)
    expect(formatted(rows, 55)).toMatchInlineSnapshot(`
      "ID        NAME                     TITLE
      640ab4c7  …eastore-storefront-api  Checkout and paymen…
      7122ceb8  …eastore-storefront-web  Tea
      "
    `)
    expect(formatted(rows, 40)).toMatchInlineSnapshot(`
      "ID        NAME      TITLE
      640ab4c7  …ont-api  Checkout and paymen…
      7122ceb8  …ont-web  Tea
      "
    `)
  })

  it('keeps the first column and a text on a narrow screen, if the text is what a row is about', () => {
    const given = COLUMNS.map((column) => (column.title === 'TITLE' ? { ...column, least: 20 } : column))
    expect(formatted(rows, 30, given).split('\n')[0]).toBe('ID        TITLE')
    expect(formatted(rows, 30).split('\n')[0]).toBe('ID        NAME')
  })

  it('is never wider than the screen, whatever it contains', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '語', ' ', 'é', '★', '\u{1f331}', '\n'),
      maxLength: 60,
    })
    const row = fc.record({ id: cell, name: cell, count: cell, title: cell })
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 20, max: 140 }),
        (some, width) => {
          for (const line of formatted(some, width).split('\n'))
            expect(measure(line).width).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})

it.each([
  [['storefront-one-api', 'storefront-two-api'], 12],
  [['api-of-the-first-shop', 'api-of-the-other-shop'], 12],
  [['eastore-storefront', 'westore-storefront'], 10],
  [['storefront-eastore', 'storefront-westore'], 10],
])('shortened names of %j remain distinct', (names, width) =>
  expect(new Set(cutNames(names, width)).size).toBe(names.length),
)
