import { oneLine } from '../../render/markdown.ts'
import { datesIn, type FoundDate, holdsDate } from './dates.ts'
import { citedFigures, totalFigures } from './figures.ts'
import { filesIn, holdsFile } from './files.ts'
import type { FactFinding } from './finding.ts'
import { languageOf } from './language.ts'
import { GENERAL, HAPPENED } from './lexicon.ts'
import type { CitedRecord, Material } from './material.ts'
import { namesIn } from './names.ts'
import { holdsNumber, numbersIn } from './numbers.ts'
import { holdsQuote } from './quotes.ts'
import { MASKS, type Sentence } from './sentences.ts'
import { actingSide, wrongSpeaker } from './speakers.ts'
import { wrongOutcome } from './stance.ts'
import { isSupported } from './support.ts'
import { shared, stemsOf } from './words.ts'

type Finding = Pick<FactFinding, 'kind' | 'what'>

const LEAST_SESSIONS = 3
const LEAST_STEMS = 3
const LINK =
  /https?:\/\/[^\s)>\]]+|www\.[^\s)>\]]+|!?\[[^\]]*\]\([^)]*\)|!?\[[^\]^]*\]\[[^\]]*\]|<\/?[a-z!][^>]*>/gi
const SESSION = /(?<![\w-])(?=[\da-f]*\d)[\da-f]{8}(?:-[\da-f-]+)?(?![\w-])/g

/** What the cited records do not hold of a sentence. */
export function checkSentence(sentence: Sentence, material: Material, german: boolean): Finding[] {
  const { refs, quotes, block } = sentence
  const records = refs.flatMap((number) => material.records.get(number) ?? [])
  const findings: Finding[] = refs
    .filter((number) => !material.records.has(number))
    .map(() => ({ kind: 'footnote', what: 'an unknown footnote' }))
  if (block.type === 'heading') return [...findings, ...headingFindings(sentence, material, german)]
  const facts = factsOf(sentence, records, material, german)
  const quoted = quotes.flatMap((quote) => quoteFindings(quote, sentence, material))
  for (const finding of [...linkFindings(sentence, material), ...quoted]) findings.push(finding)
  const general = GENERAL.exec(sentence.words)?.[0]
  if (general !== undefined && !isTheme(sentence.words, general, records, material))
    findings.push({ kind: 'general', what: general })
  if (refs.length === 0) {
    const states =
      facts.length > 0 ||
      quotes.length > 0 ||
      HAPPENED.test(sentence.words) ||
      actingSide(sentence.words, material.sides) !== undefined ||
      isAbout(sentence.words, material)
    if (states) findings.push({ kind: 'uncited', what: facts[0]?.what ?? 'a fact' })
    return findings
  }
  for (const fact of facts) findings.push(fact)
  const speaker = wrongSpeaker(sentence, records, (number) => material.records.get(number), material.sides)
  if (speaker !== undefined) findings.push({ kind: 'speaker', what: speaker })
  const outcome = wrongOutcome(sentence, records, material)
  if (outcome !== undefined) findings.push({ kind: 'outcome', what: outcome })
  const hasQuote = quotes.length > 0 && quoted.length === 0
  if (!hasQuote && findings.length === 0 && !isSupported(wordsOf(sentence), records, material))
    findings.push({ kind: 'unsupported', what: 'no word of the cited records' })
  return findings
}

const wordsOf = ({ words, codes }: Sentence): string => [words, ...codes].join(' ')

/** What the sentence states that its records do not contain. Without records, everything that needs one. */
function factsOf(
  sentence: Sentence,
  records: readonly CitedRecord[],
  material: Material,
  german: boolean,
): Finding[] {
  const texts = records.map(({ text, call }) => `${text} ${call}`)
  const { dates, rest } = datesIn(sentence.words)
  const files = filesIn(rest)
  const withoutFiles = files.reduce((left, path) => left.replace(path, ' '), rest).replace(SESSION, ' ')
  const ids = [...rest.matchAll(SESSION), ...sentence.codes.join(' ').matchAll(SESSION)].map(([id]) => id)
  const codes = sentence.codes.filter((code) => !ids.includes(code))
  const named = [...files, ...codes.flatMap((code) => (isFile(code, material) ? [code] : filesIn(code)))]
  const figures = [...totalFigures(material), ...citedFigures(material, records, named)]
  const parts = new Set(sentence.refs).size
  const comparison = {
    figures,
    anyUnit: sentence.block.type === 'row' && named.length > 0,
    sameLanguage: languageOf(sentence.words) === languageOf(texts.join(' ')),
  }
  const times = records.map(({ citation }) => citation.at)
  return [
    ...dates.flatMap((date): Finding[] =>
      holdsDate(date, times, texts) || (records.length === 0 && isSpan(date, material))
        ? []
        : [{ kind: 'date', what: date.shown }],
    ),
    ...files.flatMap((path): Finding[] =>
      holdsFile(path, records, material) ? [] : [{ kind: 'file', what: path }],
    ),
    ...codes.flatMap((code): Finding[] =>
      holdsCode(code, records, material)
        ? []
        : [{ kind: filesIn(code)[0] === code ? 'file' : 'command', what: code }],
    ),
    ...ids.flatMap((id): Finding[] =>
      records.some(({ citation: { session } }) => session.startsWith(id) || session.startsWith(`agent-${id}`))
        ? []
        : [{ kind: 'session', what: id }],
    ),
    ...numbersIn(withoutFiles).flatMap((number): Finding[] => {
      const counts = number.value === parts || number.value === sentence.quotes.length
      return (counts && !/\d/.test(number.shown)) || holdsNumber(number, texts, comparison)
        ? []
        : [{ kind: 'number', what: number.shown }]
    }),
    ...nameFindings(withoutFiles, records, material, german),
  ]
}

const isSpan = (date: FoundDate, { evidence: { span } }: Material): boolean =>
  span !== null &&
  date.year !== undefined &&
  date.day !== undefined &&
  holdsDate(date, [span.from, span.to], [])

function holdsCode(code: string, records: readonly CitedRecord[], material: Material): boolean {
  const words = oneLine(code)
  if (records.some(({ text, call }) => text.includes(words) || call.includes(words))) return true
  return (filesIn(words)[0] === words || isFile(words, material)) && holdsFile(words, records, material)
}

/** The end of the path of a changed file, whatever it looks like. */
const isFile = (name: string, { evidence }: Material): boolean =>
  evidence.files.some(({ path }) => path === name || path.endsWith(`/${name}`))

const hasWord = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'iu').test(text)

function nameFindings(
  words: string,
  records: readonly CitedRecord[],
  material: Material,
  german: boolean,
): Finding[] {
  const { evidence, sides, vocabulary } = material
  const free = [
    ...[evidence.project ?? '', sides.human, sides.agent, 'I', 'Human', 'Agent', 'UTC'],
    ...evidence.sessions.flatMap(({ agent, platform, project }) => [agent, platform, project ?? '']),
  ]
    .join(' ')
    .replaceAll('-', ' ')
  const around = [
    ...records.map(({ text }) => text),
    ...records.flatMap(({ session, phases }) => [session?.title ?? '', ...phases.map(({ title }) => title)]),
  ].join('\n')
  return namesIn(words, german, (word) => hasWord(vocabulary, word)).flatMap(
    ({ name, acronym }): Finding[] =>
      hasWord(free, name) || hasWord(around, name) || (acronym && hasWord(vocabulary, name))
        ? []
        : [{ kind: 'name', what: name }],
  )
}

function quoteFindings(
  quote: Sentence['quotes'][number],
  { refs }: Sentence,
  { records }: Material,
): Finding[] {
  const cited = (quote.refs.length > 0 ? quote.refs : refs).flatMap((number) => records.get(number) ?? [])
  if (cited.length === 0) return refs.length === 0 ? [] : [{ kind: 'quote', what: quote.text }]
  const states = cited.map((record) => holdsQuote(quote.text, record))
  if (states.includes('holds')) return []
  return [{ kind: states.includes('cut') ? 'cut' : 'quote', what: quote.text }]
}

/** Addresses and markup only come from quotes. Links to pull requests are those of the evidence. */
function linkFindings({ raw, words }: Sentence, { evidence }: Material): Finding[] {
  const outside = words.replaceAll(MASKS.ref, ' ')
  return [...outside.matchAll(LINK)].flatMap(([link]): Finding[] => {
    const address = link.replace(/^<|>$/g, '')
    return evidence.pullRequests.some(({ url }) => url === address) ||
      (/^[<![]/.test(link) && !raw.includes(link))
      ? []
      : [{ kind: 'link', what: link }]
  })
}

/** At least three sessions show it: those that are cited, or those of a theme that the sentence names. */
function isTheme(
  words: string,
  general: string,
  records: readonly CitedRecord[],
  { evidence }: Material,
): boolean {
  // The record says so itself.
  if (records.some(({ text }) => hasWord(text, general))) return true
  if (new Set(records.map(({ citation }) => citation.session)).size >= LEAST_SESSIONS) return true
  const own = stemsOf(words)
  return evidence.themes.some(
    ({ about, citations }) =>
      shared(stemsOf(about), own) > 0 &&
      citations.some(({ path, line }) =>
        records.some(({ citation }) => citation.path === path && citation.line === line),
      ),
  )
}

/** A sentence of which most words are in the material is about it. */
function isAbout(words: string, { vocabulary }: Material): boolean {
  const own = stemsOf(words)
  return own.size >= LEAST_STEMS && shared(own, vocabularyOf(vocabulary)) > own.size / 2
}

let latest: { text: string; stems: ReadonlySet<string> } | undefined

/** The stems of the material, which is the same for all sentences of a text. */
function vocabularyOf(text: string): ReadonlySet<string> {
  if (latest?.text !== text) latest = { text, stems: stemsOf(text) }
  return latest.stems
}

/** A heading needs no citation, but what it names must be in the material. */
function headingFindings(sentence: Sentence, material: Material, german: boolean): Finding[] {
  const every = [...material.records.values()]
  const facts = factsOf(sentence, every, material, german)
  const quotes = sentence.quotes.filter(
    ({ text }) => !every.some((record) => holdsQuote(text, record) === 'holds'),
  )
  return [
    ...facts.filter(({ kind }) => kind !== 'name' || !german),
    ...linkFindings(sentence, material),
    ...quotes.map(({ text }): Finding => ({ kind: 'quote', what: text })),
    ...(GENERAL.test(sentence.words)
      ? [{ kind: 'general', what: GENERAL.exec(sentence.words)![0] } as const]
      : []),
  ]
}
