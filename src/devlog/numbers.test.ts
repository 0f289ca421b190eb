import { describe, expect, it } from 'vitest'
import { namesIn, timesIn } from './facts.ts'
import { numbersIn } from './numbers.ts'
import { isSameQuantity } from './units.ts'

const quantity = (text: string) => numbersIn(text)[0]!

describe('two quantities', () => {
  it.each([
    ['90 s', '1.5 minutes'],
    ['250 ms', '0.25 seconds'],
    ['two hundred and fifty milliseconds', '0.25 s'],
    ['zweihundertfünfzig Millisekunden', '250 ms'],
    ['deux cent cinquante millisecondes', '250 ms'],
    ['doscientos cincuenta milisegundos', '250 ms'],
    ['duzentos e cinquenta milissegundos', '250 ms'],
    ['二百五十毫秒', '250 ms'],
    ['three weeks', '21 days'],
    ['2年', 'twenty-four months'],
    ['3 GB', '3,072 MB'],
    ['3 Go', '3 gigabytes'],
    ['2.4 km', '2.400 Meter'],
    ['1.5 kg', '1,500 grams'],
    ['£30', '30 pounds'],
    ['CHF 12', '12 Franken'],
    ['12ドル', '$12'],
    ['80 cents', '0.80 €'],
    ['百分之八', '8 percent'],
    ['a nine-minute wait', '9分間'],
    ['6 full weeks', 'six weeks'],
    ['5m', '5 million'],
  ])('of the same measure are equal: %s and %s', (one, other) => {
    expect(isSameQuantity(quantity(one), quantity(other))).toBe(true)
  })

  it.each([
    ['five weeks', 'five months'],
    ['5 years', '5 days'],
    ['7 TB', '7 GB'],
    ['7 To', '7 Go'],
    ['40 microseconds', '40 ms'],
    ['300 metres', '300 pixels'],
    ['300 pixels', '300 dots'],
    ['£30', '30 euro'],
    ['30 pounds', '$30'],
    ['30 francs', '30 Euro'],
    ['30元', '30欧元'],
    ['9分', '9秒'],
    ['8 %', '8 ms'],
    ['20 °C', '20 °F'],
  ])('with the same value and another unit are not: %s and %s', (one, other) => {
    expect(isSameQuantity(quantity(one), quantity(other))).toBe(false)
  })
})

describe('a number in words', () => {
  it.each([
    ['three hundred and six lines', 306],
    ['two thousand five hundred orders', 2500],
    ['sixty-one tests', 61],
    ['viertausendzwanzig Zeilen', 4020],
    ['dreiundsechzig Zeilen', 63],
    ['quatre-vingt-douze lignes de texte', 92],
    ['soixante et onze lignes dans le texte', 71],
    ['treinta y cuatro pedidos', 34],
    ['quarenta e dois pedidos', 42],
    ['La prueba duró once minutos', 11],
    ['quince minutos', 15],
  ])('is read whole, in the languages of the check: %s', (text, value) => {
    expect(numbersIn(text).map((each) => each.value)).toEqual([value])
  })

  it.each([
    ['We tried it once, and the elf left.', []],
    ['between one hundred and two hundred lines', [100, 200]],
    ['two, three or four of them', [2, 3, 4]],
    ['the twenty-third attempt', []],
    ['six cents each', [6]],
  ])('is not read into other words: %s', (text, values) => {
    expect(numbersIn(text).map((each) => each.value)).toEqual(values)
  })
})

it('a number is read after a letter of a script without spaces', () => {
  expect(numbersIn('合計13件、再起動は8回').map((each) => each.value)).toEqual([13, 8])
  expect(numbersIn('共有13个订单').map((each) => each.value)).toEqual([13])
})

it('groups of three digits make one number where a language writes it so', () => {
  expect(numbersIn('La liste passe de 5 300 ms à 12 ms.').map((each) => each.value)).toEqual([5300, 12])
  expect(numbersIn('In test 5 300 of the orders were lost.').map((each) => each.value)).toEqual([5, 300])
})

describe('a time of day', () => {
  it.each([
    'À 9 h 25, tout était prêt.',
    'à 9 heures 25',
    'um 9 Uhr 25',
    'um 9.25 Uhr',
    'at twenty-five past nine',
    '上午9点25分',
    '午前9時25分',
  ])('is no number of anything: %s', (text) => {
    expect(timesIn(text)[0]?.minutes).toContain(565)
    expect(timesIn(text)).toHaveLength(1)
  })

  it('is not how long something took', () => {
    expect(timesIn('it took 9 h 25 min')).toEqual([])
    expect(timesIn('9時間かかった')).toEqual([])
  })
})

it('months are read in a list and with the digits of Chinese and Japanese', () => {
  const months = (text: string) => timesIn(text).map(({ month }) => month)
  expect(months('the sums of April and May')).toEqual([4, 5])
  expect(months('4月と5月の合計')).toEqual([4, 5])
  expect(months('四月和十二月的总和')).toEqual([4, 12])
  expect(months('4个月')).toEqual([])
})

it('a unit with a capital inside is no name after a number', () => {
  expect(namesIn('It needs 640 kB and runs in JavaScript.', true).map(({ text }) => text)).toEqual([
    'JavaScript',
  ])
})
