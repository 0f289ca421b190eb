import { unitAfter } from './units.ts'

type Kind = 'ones' | 'teens' | 'tens' | 'hundreds' | 'times' | 'alone'

interface Numeral {
  value: number
  kind: Kind
  languages: readonly string[]
}

/** Numbers in words, by language, from zero to nineteen. */
const UNDER_TWENTY: Readonly<Record<string, string>> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
  pt: 'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove',
}
/** From twenty, by ten. */
const TENS: Readonly<Record<string, string>> = {
  en: 'twenty thirty forty fifty sixty seventy eighty ninety',
  de: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  es: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  fr: 'vingt trente quarante cinquante soixante septante octante nonante',
  pt: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
}
/** From one hundred, by hundred. */
const HUNDREDS: Readonly<Record<string, string>> = {
  es: 'ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  pt: 'cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
}
const OTHERS: Readonly<Record<string, readonly (readonly [words: string, value: number, kind: Kind])[]>> = {
  en: [
    ['hundred', 100, 'times'],
    ['thousand', 1000, 'times'],
    ['dozen', 12, 'alone'],
    ['dozens', 24, 'alone'],
    ['twice', 2, 'alone'],
  ],
  de: [
    ['ein eine einen', 1, 'ones'],
    ['hundert', 100, 'times'],
    ['tausend', 1000, 'times'],
    ['dutzend', 12, 'alone'],
    ['zweimal', 2, 'alone'],
    ['dreimal', 3, 'alone'],
  ],
  es: [
    ['cien', 100, 'hundreds'],
    ['doscientas', 200, 'hundreds'],
    ['trescientas', 300, 'hundreds'],
    ['cuatrocientas', 400, 'hundreds'],
    ['quinientas', 500, 'hundreds'],
    ['mil', 1000, 'times'],
    ['docena', 12, 'alone'],
    ...'veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'
      .split(' ')
      .map((word, index) => [word, 21 + index, 'teens'] as const),
  ],
  fr: [
    ['une', 1, 'ones'],
    ['vingts', 20, 'tens'],
    ['cent cents', 100, 'times'],
    ['mille', 1000, 'times'],
    ['douzaine', 12, 'alone'],
  ],
  pt: [
    ['duas', 2, 'ones'],
    ['quatorze', 14, 'teens'],
    ['dezasseis', 16, 'teens'],
    ['dezassete', 17, 'teens'],
    ['dezanove', 19, 'teens'],
    ['cem', 100, 'hundreds'],
    ['duzentas', 200, 'hundreds'],
    ['trezentas', 300, 'hundreds'],
    ['mil', 1000, 'times'],
    ['dúzia', 12, 'alone'],
  ],
}
/** Also other words, in another language. They begin a number only in their own one, or before a unit. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  'once seize cent cents sept elf doze dos neuf null cem'.split(' '),
)
export const LANGUAGES: readonly string[] = Object.keys(UNDER_TWENTY)

const NUMERALS = new Map<string, Numeral>()
for (const language of LANGUAGES) {
  const add = (word: string, value: number, kind: Kind): void => {
    const before = NUMERALS.get(word)?.languages ?? []
    NUMERALS.set(word, { value, kind, languages: [...before, language] })
  }
  // A word with a hyphen is put together from its parts.
  for (const [value, word] of UNDER_TWENTY[language]!.split(' ').entries())
    if (!word.includes('-')) add(word, value, value === 0 ? 'alone' : value < 10 ? 'ones' : 'teens')
  for (const [index, word] of TENS[language]!.split(' ').entries()) add(word, 20 + index * 10, 'tens')
  for (const [index, word] of (HUNDREDS[language]?.split(' ') ?? []).entries())
    add(word, 100 + index * 100, 'hundreds')
  for (const [words, value, kind] of OTHERS[language]!)
    for (const word of words.split(' ')) add(word, value, kind)
}

/** German puts the words of a number together: `vierhundert`, `fünfundzwanzig`. */
function numeralOf(word: string): Numeral | undefined {
  const known = NUMERALS.get(word)
  if (known || word.length < 9) return known
  const value = germanValue(word)
  return value === undefined ? undefined : { value, kind: 'alone', languages: ['de'] }
}

function germanValue(word: string): number | undefined {
  const own = (part: string, least: number): number | undefined => {
    if (part === '') return least
    const known = NUMERALS.get(part)
    return known?.languages.includes('de') && known.value < 100 ? known.value : undefined
  }
  let [rest, sum] = [word, 0]
  for (const [name, factor] of [
    ['tausend', 1000],
    ['hundert', 100],
  ] as const) {
    const at = rest.indexOf(name)
    if (at < 0) continue
    const count =
      factor === 1000 && rest.slice(0, at).includes('hundert')
        ? germanValue(rest.slice(0, at))
        : own(rest.slice(0, at), 1)
    if (count === undefined) return undefined
    sum += count * factor
    rest = rest.slice(at + name.length)
  }
  const [ones, tens] = rest.split('und')
  if (tens === undefined) {
    const value = own(rest, 0)
    return sum === 0 || value === undefined ? undefined : sum + value
  }
  const [low, high] = [own(ones!, 0), own(tens, 0)]
  return low && high && low < 10 && high >= 20 ? sum + high + low : undefined
}

interface Token {
  word: string
  index: number
  end: number
}

/** A number that is written in words. */
interface WrittenNumber {
  value: number
  index: number
  end: number
}

const TOKEN = /(?<![\p{L}\p{N}_])\p{Script=Latin}+(?![\p{L}\p{N}_])/gu
const ORDINAL = /^-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)(?!\p{L})/u

const tokensIn = (text: string): Token[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    index,
    end: index + word.length,
  }))

/** The numbers in the words of a text. `language`: that of the text. */
export function writtenNumbers(text: string, language: string): WrittenNumber[] {
  const tokens = tokensIn(text)
  const found: WrittenNumber[] = []
  for (let at = 0; at < tokens.length; at++) {
    const read = readAt(tokens, at, text, language)
    if (!read) continue
    const { index } = tokens[at]!
    const { end } = tokens[read.next - 1]!
    at = read.next - 1
    const isOrdinal = read.value >= 20 && ORDINAL.test(text.slice(end, end + 20))
    if (!isOrdinal) found.push({ value: read.value, index, end })
  }
  return found
}

/** Words between the parts of a number, with the kinds before and after them. */
const JOINTS: ReadonlyMap<string, (before: Numeral, after: Numeral) => boolean> = new Map([
  ['and', (before: Numeral) => before.kind === 'times'],
  ['y', (before: Numeral, after: Numeral) => before.kind === 'tens' && after.kind === 'ones'],
  ['e', (before: Numeral) => before.kind !== 'ones' && before.kind !== 'teens'],
  ['et', (before: Numeral, after: Numeral) => before.kind === 'tens' && [1, 11].includes(after.value)],
])

/** Reads the number that begins at a word. */
function readAt(
  tokens: readonly Token[],
  from: number,
  text: string,
  language: string,
): { value: number; next: number } | undefined {
  const { word, end } = tokens[from]!
  const first = numeralOf(word)
  if (!first) return undefined
  const isOwn = first.languages.includes(language)
  if (AMBIGUOUS.has(word) && !isOwn && !unitAfter(text.slice(end, end + 60))) return undefined
  // Alone, a thousand is a manner of speaking.
  if (first.kind === 'times' && first.value > 100) return undefined
  let [total, group, last, next] = [0, first.value, first, from + 1]
  if (first.kind === 'alone') return { value: group, next }
  for (;;) {
    const joint = JOINTS.get(tokens[next]?.word ?? '')
    const at = joint && isBeside(text, tokens[next - 1]!, tokens[next]!) ? next + 1 : next
    const [before, token] = [tokens[at - 1]!, tokens[at]]
    if (!token || !isBeside(text, before, token)) break
    const numeral = numeralOf(token.word)
    if (!numeral?.languages.some((each) => first.languages.includes(each))) break
    if (at > next) {
      const after = numeralOf(tokens[at + 1]?.word ?? '')
      // "one hundred and two hundred" are two numbers.
      if (!joint!(last, numeral) || (after?.kind === 'times' && numeral.kind === 'ones')) break
    }
    if (numeral.value === 1000 && numeral.kind === 'times' && total === 0) [total, group] = [group * 1000, 0]
    else {
      const sum = joined(group, total > 0, numeral, {
        isHyphen: text[before.end] === '-',
        isFrench: language === 'fr' || !first.languages.includes('en'),
      })
      if (sum === undefined) break
      group = sum
    }
    ;[last, next] = [numeral, at + 1]
  }
  return { value: total + group, next }
}

const isBeside = (text: string, one: Token, other: Token): boolean =>
  other.index === one.end + 1 && /[ \u00a0-]/.test(text[one.end]!)

/** A number below a thousand with one more word. Undefined if that word begins another number. */
function joined(
  group: number,
  isAfterThousand: boolean,
  { value, kind, languages }: Numeral,
  { isHyphen, isFrench }: { isHyphen: boolean; isFrench: boolean },
): number | undefined {
  const rest = group % 100
  const isFree = rest === 0 && (group > 0 || isAfterThousand)
  const isOfFrench = isFrench && languages.includes('fr')
  if (kind === 'times') {
    // Six cents are money, unless the text is French.
    if (languages.includes('fr') && !isFrench) return undefined
    return value === 100 && group > 0 && group < 20 ? group * 100 : undefined
  }
  if (kind === 'hundreds') return group === 0 ? value : undefined
  if (isFree) return kind === 'alone' ? undefined : group + value
  if (kind === 'ones') {
    if (rest >= 20 && rest % 10 === 0) return group + value
    return isOfFrench && isHyphen && rest % 20 === 10 && value >= 7 ? group + value : undefined
  }
  if (kind === 'teens') return isOfFrench && (rest === 60 || rest === 80) ? group + value : undefined
  // quatre-vingt
  return kind === 'tens' && isOfFrench && isHyphen && value === 20 && rest === 4 ? group + 76 : undefined
}

/** The number that one word or some with hyphens state, in any of the languages. */
export function numberInWords(words: string): number | undefined {
  const tokens = tokensIn(words)
  const own = numeralOf(tokens[0]?.word ?? '')?.languages[0]
  const read = own ? readAt(tokens, 0, words, own) : undefined
  return read?.next === tokens.length ? read.value : undefined
}
