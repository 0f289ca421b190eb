/** What a unit measures, with how much of it one unit is. A word with two meanings measures two things. */
type Measures = readonly (readonly [measure: string, factor: number])[]

export interface Unit {
  measures: Measures
  /** Its word also occurs in counts and phrases of writers: weeks, points, two cents. */
  isLoose: boolean
}

/** A number, with its unit if it has one. */
interface Quantity {
  value: number
  unit: Unit | undefined
}

const time = (seconds: number): Measures => [['time', seconds]]
const calendar = (months: number, days: number): Measures => [
  ['calendar', months],
  ['time', days * 86_400],
]
/** A kilobyte has 1000 bytes, or 1024. */
const bytes = (power: number): Measures => [
  ['bytes', 1000 ** power],
  ['binary bytes', 1024 ** power],
]
const length = (metres: number): Measures => [['length', metres]]
const weight = (grams: number): Measures => [['weight', grams]]
const alone = (measure: string): Measures => [[measure, 1]]

/**
 * The units in the languages that the check reads. `words`: in any case; an underscore stands for a space.
 * `exact`: only in this case. `dense`: in scripts without spaces. `signs`: also before a number.
 */
const TABLE: readonly {
  measures: Measures
  isLoose?: true
  words?: string
  exact?: string
  dense?: string
  signs?: string
}[] = [
  {
    measures: time(1e-9),
    words:
      'ns nanosecond nanoseconds nanosekunde nanosekunden nanosegundo nanosegundos nanoseconde nanosecondes',
    dense: '纳秒 奈秒 ナノ秒',
  },
  {
    measures: time(1e-6),
    exact: 'us',
    words:
      'µs μs microsecond microseconds mikrosekunde mikrosekunden microsegundo microsegundos microseconde microsecondes microssegundo microssegundos',
    dense: '微秒 マイクロ秒',
  },
  {
    measures: time(1e-3),
    words:
      'ms msec msecs millisecond milliseconds millisekunde millisekunden milisegundo milisegundos milliseconde millisecondes milissegundo milissegundos',
    dense: '毫秒 ミリ秒',
  },
  {
    measures: time(1),
    exact: 's',
    words: 'sec secs second seconds sek sekunde sekunden segundo segundos seconde secondes',
    dense: '秒钟 秒鐘 秒間 秒',
  },
  {
    measures: time(60),
    words: 'min mins minute minutes minuten minuto minutos',
    dense: '分钟 分鐘 分間 分',
  },
  {
    measures: time(3600),
    exact: 'h',
    words: 'hr hrs hour hours std stunde stunden hora horas heure heures',
    dense: '小时 小時 個小時 个小时 個鐘頭 钟头 時間',
  },
  {
    measures: time(86_400),
    words: 'day days tag tage tagen tages día días dia dias jour jours journée journées',
    dense: '天 日間',
  },
  {
    measures: time(7 * 86_400),
    isLoose: true,
    words: 'week weeks wk wks woche wochen semana semanas semaine semaines',
    dense: '周 週間 週 个星期 個星期 星期 个礼拜 個禮拜 礼拜 禮拜',
  },
  {
    measures: calendar(1, 30),
    isLoose: true,
    words: 'month months monat monate monaten monats mes meses mês mois',
    dense: '个月 個月 ヶ月 か月 カ月 ヵ月 ケ月 箇月',
  },
  {
    measures: calendar(12, 365),
    isLoose: true,
    words: 'year years yr yrs jahr jahre jahren jahres año años ano anos ans année années',
    dense: '年間 年',
  },
  {
    measures: calendar(120, 3650),
    isLoose: true,
    words: 'decade decades jahrzehnt jahrzehnte jahrzehnten década décadas décennie décennies',
  },
  {
    measures: alone('percent'),
    signs: '% ％',
    words: 'percent per_cent prozent prozentpunkt prozentpunkte por_ciento por_cento pour_cent',
    dense: 'パーセント',
  },
  {
    measures: [
      ['bytes', 1 / 8],
      ['binary bytes', 1 / 8],
    ],
    isLoose: true,
    words: 'bit bits',
    dense: '比特 ビット',
  },
  { measures: bytes(0), exact: 'B', words: 'byte bytes octet octets', dense: '字节 位元組 バイト' },
  {
    measures: bytes(1),
    exact: 'Ko',
    words: 'kb kib kilobyte kilobytes kilooctet kilooctets',
    dense: 'キロバイト',
  },
  {
    measures: bytes(2),
    exact: 'Mo',
    words: 'mb mib megabyte megabytes mégaoctet mégaoctets',
    dense: '兆字节 メガバイト',
  },
  {
    measures: bytes(3),
    exact: 'Go',
    words: 'gb gib gigabyte gigabytes gigaoctet gigaoctets',
    dense: 'ギガバイト',
  },
  {
    measures: bytes(4),
    exact: 'To',
    words: 'tb tib terabyte terabytes téraoctet téraoctets',
    dense: 'テラバイト',
  },
  {
    measures: bytes(5),
    exact: 'Po',
    words: 'pb pib petabyte petabytes pétaoctet pétaoctets',
    dense: 'ペタバイト',
  },
  { measures: alone('pixels'), words: 'px pixel pixels pixeln píxel píxeles', dense: '像素 ピクセル 画素' },
  {
    measures: alone('points'),
    isLoose: true,
    words: 'pt dot dots point points punkt punkte punkten punto puntos ponto pontos',
    dense: 'ドット ポイント',
  },
  // `5m` is five metres, minutes or million.
  {
    measures: [
      ['length', 1],
      ['time', 60],
      ['count', 1e6],
    ],
    exact: 'm',
  },
  {
    measures: length(1),
    words: 'metre metres meter meters metern metro metros mètre mètres',
    dense: '米 公尺 メートル',
  },
  {
    measures: length(1e-6),
    words:
      'µm μm micron microns micrometre micrometres micrometer micrometers mikrometer micrómetro micrómetros micromètre micromètres',
    dense: '微米',
  },
  {
    measures: length(1e-3),
    words:
      'mm millimetre millimetres millimeter millimeters millimetern milímetro milímetros millimètre millimètres',
    dense: '毫米 公釐 ミリメートル ミリ',
  },
  {
    measures: length(1e-2),
    words:
      'cm centimetre centimetres centimeter centimeters zentimeter zentimetern centímetro centímetros centimètre centimètres',
    dense: '厘米 公分 センチメートル センチ',
  },
  {
    measures: length(1e3),
    words:
      'km kilometre kilometres kilometer kilometers kilometern kilómetro kilómetros quilômetro quilômetros quilómetro quilómetros kilomètre kilomètres',
    dense: '公里 千米 キロメートル',
  },
  {
    measures: length(0.0254),
    words: 'inch inches zoll pulgada pulgadas pouce pouces polegada polegadas',
    dense: '英寸 英吋 インチ',
  },
  { measures: length(0.3048), words: 'ft foot feet fuß', dense: '英尺 英呎 フィート' },
  { measures: length(0.9144), words: 'yard yards', dense: 'ヤード' },
  {
    measures: length(1609.344),
    words: 'mile miles meile meilen milla millas milha milhas',
    dense: '英里 マイル',
  },
  {
    measures: weight(1e-3),
    words: 'mg milligram milligrams milligramm miligramo miligramos milligramme milligrammes',
    dense: '毫克 ミリグラム',
  },
  {
    measures: weight(1),
    exact: 'g',
    words: 'gram grams gramm gramo gramos gramme grammes grama gramas',
    dense: '克 公克 グラム',
  },
  {
    measures: weight(1e3),
    words:
      'kg kilo kilos kilogram kilograms kilogramm kilogramo kilogramos kilogramme kilogrammes quilo quilos quilograma quilogramas',
    dense: '公斤 千克 キログラム',
  },
  {
    measures: [
      ['weight', 1e3],
      ['length', 1e3],
    ],
    dense: 'キロ',
  },
  {
    measures: weight(1e6),
    exact: 't',
    words: 'ton tons tonne tonnes tonnen tonelada toneladas',
    dense: '吨 噸 公吨 トン',
  },
  {
    measures: weight(28.3495),
    words: 'oz ounce ounces unze unzen onza onzas onça onças',
    dense: '盎司 オンス',
  },
  {
    measures: [
      ['GBP', 1],
      ['weight', 453.592],
    ],
    signs: '£',
    words: 'gbp pound pounds lb lbs pfund libra libras livres_sterling',
    dense: '英镑 英鎊 ポンド 磅',
  },
  { measures: alone('EUR'), signs: '€', words: 'eur euro euros', dense: '欧元 歐元 ユーロ' },
  {
    measures: alone('USD'),
    signs: 'US$ $',
    words: 'usd dollar dollars dólar dólares us_dollar us_dollars',
    dense: '美元 美金 ドル',
  },
  {
    measures: [
      ['EUR', 0.01],
      ['USD', 0.01],
    ],
    isLoose: true,
    words: 'ct cent cents céntimo céntimos centime centimes cêntimo cêntimos centavo centavos',
    dense: '美分 欧分 セント',
  },
  {
    measures: alone('CHF'),
    words: 'chf franc francs franken franco francos schweizer_franken swiss_francs',
    dense: '瑞士法郎 法郎 フラン',
  },
  {
    measures: [
      ['JPY', 1],
      ['CNY', 1],
    ],
    signs: '¥ ￥',
  },
  { measures: alone('JPY'), words: 'jpy yen yens', dense: '日元 日圓 円' },
  { measures: alone('CNY'), words: 'cny rmb yuan yuans', dense: '人民币 人民幣 块钱 塊錢 元' },
  { measures: alone('BRL'), signs: 'R$', words: 'brl reais', dense: '雷亚尔' },
  {
    measures: alone('INR'),
    signs: '₹',
    words: 'inr rupee rupees rupien rupias roupies',
    dense: '卢比 ルピー',
  },
  {
    measures: alone('RUB'),
    signs: '₽',
    words: 'rub rouble roubles ruble rubles rubel rublos',
    dense: '卢布 ルーブル',
  },
  { measures: alone('KRW'), signs: '₩', words: 'krw', dense: '韩元 ウォン' },
  { measures: alone('SEK'), words: 'kronor krona', dense: '克朗' },
  { measures: alone('PLN'), words: 'pln zloty złoty złotych', dense: '兹罗提' },
  {
    measures: [
      ['°C', 1],
      ['°F', 1],
      ['angle', 1],
    ],
    signs: '°',
    words: 'degree degrees grad grado grados degré degrés grau graus',
  },
  { measures: alone('°C'), signs: '°C', words: 'celsius', dense: '摄氏度 攝氏度' },
  { measures: alone('°F'), signs: '°F', words: 'fahrenheit', dense: '华氏度' },
]

const [EXACT, WORDS] = [new Map<string, Unit>(), new Map<string, Unit>()]
const [DENSE, SIGNS]: [Named[], Named[]] = [[], []]
interface Named {
  name: string
  unit: Unit
}
for (const { measures, isLoose = false, ...names } of TABLE) {
  const unit: Unit = { measures, isLoose }
  const each = (list: string | undefined): string[] => list?.split(' ') ?? []
  for (const name of each(names.exact)) EXACT.set(name, unit)
  for (const name of each(names.words)) WORDS.set(name.replace('_', ' '), unit)
  for (const name of each(names.dense)) DENSE.push({ name, unit })
  for (const name of each(names.signs)) SIGNS.push({ name, unit })
}
for (const list of [DENSE, SIGNS]) list.sort((a, b) => b.name.length - a.name.length)

const GAP = /^[\s\u00a0\u202f-]{0,2}/
const WORD = /^\p{L}{1,24}(?![\p{L}\d_])/u
const TWO_WORDS = /^(\p{L}{1,12})[ \u00a0-](\p{L}{1,24})(?![\p{L}\d_])/u
/** Words between a number and its unit. */
const FILLER =
  /^(?:full|whole|long|short|more|further|extra|additional|solid|entire|ganzen?|ganzer|vollen?|langen?|weiteren?|mehr|más|plus de|mais) /iu
/** 分 as a part of another word: 三分之一, 3分类. */
const NO_MINUTE = /^分(?:之|支|类|類|布|割|片|别|別|析|配|数|數|钱|錢)/u

/** The unit at the beginning of a text. */
export function unitAfter(text: string): Unit | undefined {
  const near = text.slice(0, 60).replace(GAP, '')
  return unitAt(near) ?? (FILLER.test(near) ? unitAt(near.replace(FILLER, '')) : undefined)
}

function unitAt(text: string): Unit | undefined {
  const named = ({ name }: Named): boolean => text.startsWith(name)
  const sign = SIGNS.find(named)
  if (sign) return sign.unit
  const [, first, second] = TWO_WORDS.exec(text) ?? []
  const two = first && WORDS.get(`${first} ${second}`.toLowerCase())
  if (two) return two
  const word = WORD.exec(text)?.[0]
  const one = word && (EXACT.get(word) ?? WORDS.get(word.toLowerCase()))
  if (one) return one
  return NO_MINUTE.test(text) ? undefined : DENSE.find(named)?.unit
}

const BEFORE = /(?:(R\$|US\$|[$€£¥￥₹₽₩])|(?<!\p{L})(EUR|USD|GBP|CHF|JPY|CNY|RMB|BRL|INR))\s?$/u

/** The unit at the end of a text: that of `€ 5`, `CHF 5` and `百分之五`. */
export function unitBefore(text: string): Unit | undefined {
  const near = text.slice(-6)
  if (near.endsWith('百分之')) return unitAt('%')
  const [, sign, code] = BEFORE.exec(near) ?? []
  return sign ? unitAt(sign) : code ? WORDS.get(code.toLowerCase()) : undefined
}

/** How many of a unit a measure has: 60 for minutes and `time`. */
export const factorOf = ({ measures }: Unit, measure: string): number | undefined =>
  measures.find(([name]) => name === measure)?.[1]

const isNearly = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= Math.abs(a) * 1e-9

/**
 * Whether two quantities are equal. A number without a unit is equal to any of the same value. `equal`
 * compares values of the same measure.
 */
export function isSameQuantity(
  one: Quantity,
  other: Quantity,
  equal: (a: number, b: number) => boolean = isNearly,
): boolean {
  const either = (a: number, b: number): boolean => isNearly(a, b) || equal(a, b)
  const [own, others] = [one.unit?.measures ?? COUNT, other.unit?.measures ?? COUNT]
  if ((own === COUNT || others === COUNT) && either(one.value, other.value)) return true
  return own.some(([measure, factor]) =>
    others.some(([name, by]) => name === measure && either(one.value * factor, other.value * by)),
  )
}

const COUNT: Measures = [['count', 1]]

/** Whether two units measure the same. */
export const areAlike = (one: Unit, other: Unit): boolean =>
  one.measures.some(([measure]) => factorOf(other, measure) !== undefined)
