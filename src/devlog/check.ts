import type { Item, Session } from '../model/session.ts'
import {
  type CheckedSession,
  type Cited,
  comparable,
  containsQuote,
  type Evidence,
  type Mark,
  recordOf,
} from './citation.ts'
import { namesIn, type TimeFact, timesIn } from './facts.ts'
import { languageOf, likelyLanguageOf } from './languages.ts'
import { numberFault } from './number-check.ts'
import { numbersIn, stem } from './numbers.ts'
import { GAP, sentencesOf } from './sentences.ts'
import { isSide, speakerFault, type Voice, voiceOf } from './speakers.ts'
import { blank, type Story, type StorySentence, withoutQuotes } from './story.ts'

/** Finds the sessions that a mark may mean. */
export interface Library {
  /** The sessions whose short id is the given one. */
  ofId(short: string): readonly CheckedSession[]
  /** All sessions, where a record may have been copied to. It is only asked if a record is missing. */
  all(): Iterable<CheckedSession>
}

/**
 * `holds`: the record is on its line. `moved`: it is on another line or in another session. `edited`: it is
 * there, but a quotation beside the mark is not in any cited record. `gone`: no session has it.
 */
type CitationState = 'holds' | 'moved' | 'edited' | 'gone'

interface CheckedCitation extends Mark {
  state: CitationState
  /** Where the record is now. */
  now: { session: string; path: string; line: number; at: number | undefined } | undefined
  /** The transcript was deleted, and the words come from the store. */
  stored: boolean
}

export const FACT_KINDS = ['quote', 'speaker', 'number', 'date', 'name'] as const

/** Something in a sentence that none of the records it cites contains. */
export interface FactFinding {
  kind: (typeof FACT_KINDS)[number]
  /** The line in the checked text. */
  line: number
  sentence: string
  /** The words that were not found. */
  what: string
  /** The nearest that a cited record contains, or what it says instead. */
  nearest: string | null
}

export interface Checked {
  citations: CheckedCitation[]
  findings: FactFinding[]
  /** Sentences whose facts were looked up, and those that state facts without a mark. */
  sentences: { checked: number; unmarked: number }
}

/** Looks up every citation of a text, and the facts of its sentences in the records that they cite. */
export function checkStory(story: Story, library: Library): Checked {
  const found = new Map<string, Cited>()
  const citations = story.marks.map((mark) => {
    const { citation, cited } = locate(mark, library)
    if (cited) found.set(mark.label, cited)
    return citation
  })
  const whole = story.sentences.map(({ text }) => text).join(' ')
  const everywhere = [...new Set([...found.values()].map(({ home }) => home))]
  const reader: Reader = {
    voice: voiceOf(whole),
    language: languageOf(whole),
    everywhere,
    agents: [...new Set(everywhere.map(({ session }) => session.platform.split('-')[0]!))],
  }
  const findings: FactFinding[] = []
  const edited = new Set<string>()
  const sentences = { checked: 0, unmarked: 0 }
  let before: readonly Cited[] = []
  for (const sentence of story.sentences) {
    const cited = sentence.labels.flatMap((label) => found.get(label) ?? [])
    // What a missing record said is not known.
    if (cited.length < sentence.labels.length) continue
    if (cited.length > 0) sentences.checked++
    const own = cited.length > 0 ? marked(sentence, cited, before, reader) : unmarked(sentence, reader)
    if (cited.length > 0) before = cited
    if (own.facts > 0 && cited.length === 0) sentences.unmarked++
    for (const finding of own.findings) {
      findings.push(finding)
      if (finding.kind === 'quote' && sentence.labels[0] !== undefined) edited.add(sentence.labels[0])
    }
  }
  for (const citation of citations) if (edited.has(citation.label)) citation.state = 'edited'
  return { citations, findings, sentences }
}

interface Reader {
  voice: Voice
  agents: readonly string[]
  language: string
  /** All sessions that the text cites. */
  everywhere: readonly CheckedSession[]
}

/** A word in small letters that is probably German. */
const UMLAUT = /(?<!\p{L})\p{Ll}*[äöüß]\p{Ll}*(?!\p{L})/u

/** Whether a capital inside of a sentence makes a name: not in German, and in no script without capitals. */
const hasCapitals = (text: string, { language }: Reader): boolean => {
  const own = languageOf(text)
  if (own === 'und' && (likelyLanguageOf(text) === 'de' || UMLAUT.test(text))) return false
  return ['en', 'es', 'fr', 'pt'].includes(own === 'und' ? language : own)
}

function locate(mark: Mark, library: Library): { citation: CheckedCitation; cited: Cited | undefined } {
  const fits = (item: Item): boolean => recordOf(item).digest.startsWith(mark.digest.slice(0, 12))
  const at = (home: CheckedSession, item: Item, state: CitationState) => ({
    citation: {
      ...mark,
      state,
      now: { session: home.session.id, path: home.session.path, line: item.line, at: item.at },
      stored: home.session.goneMs !== undefined,
    },
    cited: { item, home, text: recordOf(item).text },
  })
  const own = library.ofId(mark.session)
  for (const home of own) {
    const item = home.items.find((each) => each.line === mark.line && fits(each))
    if (item) return at(home, item, 'holds')
  }
  for (const home of own) {
    // The nearest of several records with the same words.
    const item = home.items
      .filter(fits)
      .sort((a, b) => Math.abs(a.line - mark.line) - Math.abs(b.line - mark.line))[0]
    if (item) return at(home, item, 'moved')
  }
  for (const home of library.all()) {
    const item = home.items.find(fits)
    if (item && recordOf(item).text.length >= LEAST_COPY) return at(home, item, 'moved')
  }
  return { citation: { ...mark, state: 'gone', now: undefined, stored: false }, cited: undefined }
}

/** A shorter record, such as "yes", is in many sessions. */
const LEAST_COPY = 12

function evidenceOf(cited: readonly Cited[]): Omit<Evidence, 'before'> {
  const texts = cited.map(({ text }) => text)
  const tools = [...new Set(cited.flatMap(({ item, home }) => toolsAround(item, home)))]
  const titles = cited.map(({ home: { session } }) => session.annotation?.name ?? session.title ?? '')
  const ofRecords = texts.flatMap(numbersIn)
  const others = [...tools, ...new Set(titles)]
  return {
    cited,
    texts,
    tools,
    numbers: [...ofRecords, ...others.flatMap(numbersIn)],
    ofRecords: new Set(ofRecords),
    times: [...texts, ...others].flatMap(timesIn),
  }
}

/** The calls and errors between the prompt before a record and the next prompt of the human. */
function toolsAround(item: Item, { items }: CheckedSession): string[] {
  const at = items.indexOf(item)
  let from = at
  while (from > 0 && items[from]!.who !== 'human') from--
  const found: string[] = []
  for (let index = from; index < items.length; index++) {
    const each = items[index]!
    if (index > at && each.who === 'human') break
    if (each.who === 'tool' || each.who === 'error') found.push(recordOf(each).text)
  }
  return found
}

interface Result {
  facts: number
  findings: FactFinding[]
}

/** Checks a sentence against the records that it cites. */
function marked(
  sentence: StorySentence,
  cited: readonly Cited[],
  before: readonly Cited[],
  reader: Reader,
): Result {
  const evidence = { ...evidenceOf(cited), before }
  const found: Pick<FactFinding, 'kind' | 'what' | 'nearest'>[] = []
  for (const quote of sentence.quotes) {
    const words = quote.text.trim()
    if (wordsIn(words) === 0) continue
    const holders = cited.filter(({ text }) => containsQuote(text, words))
    if (holders.length > 0) {
      const wrong = speakerFault(sentence, quote, holders, reader)
      if (wrong) found.push({ kind: 'speaker', what: `“${words}”`, nearest: wrong })
    } else if (!evidence.tools.some((text) => containsQuote(text, words)) && !isInSession(words, cited))
      found.push({ kind: 'quote', what: `“${words}”`, nearest: nearestSentence(words, evidence.texts) })
  }
  const plain = withoutQuotes(sentence)
  const isCapital = hasCapitals(plain, reader)
  const around = namesIn(plain, isCapital)
  // The day in `notes/2026-11-20.md` is a part of the name.
  const times = timesIn(plain).filter(
    ({ index, text }) =>
      !around.some(
        (name) =>
          name.text !== text && name.index <= index && index + text.length <= name.index + name.length,
      ),
  )
  const names = namesIn(
    times.reduce((text, { index, text: own }) => blank(text, index, own.length), plain),
    isCapital,
  )
  for (const { kind, text } of names) {
    if ((kind === 'name' && isSide(text)) || hasName(kind, text, evidence, cited)) continue
    found.push({ kind: 'name', what: text, nearest: nearestName(text, evidence, cited) })
  }
  for (const time of times)
    if (!hasTime(time, evidence, cited))
      found.push({ kind: 'date', what: time.text, nearest: timesOf(cited) })
  const masked = [...names, ...times.map(({ index, text }) => ({ index, length: text.length }))].reduce(
    (text, { index, length }) => blank(text, index, length),
    plain,
  )
  const numbers = numbersIn(masked)
  for (const [at, number] of numbers.entries()) {
    const nearest = numberFault(
      number,
      { text: masked, beside: [numbers[at - 1], numbers[at + 1]] },
      evidence,
    )
    if (nearest !== undefined) found.push({ kind: 'number', what: number.words, nearest })
  }
  return {
    facts: names.length + times.length + sentence.quotes.length,
    findings: locatedAt(sentence, found),
  }
}

/**
 * Without a mark, only whole quotations, files, commands and addresses are looked up, in all sessions that
 * the text cites.
 */
function unmarked(sentence: StorySentence, { everywhere }: Reader): Result {
  const isThere = (test: (text: string) => boolean): boolean =>
    everywhere.some(({ items }) => items.some((item) => test(recordOf(item).text)))
  const plain = withoutQuotes(sentence)
  const quotes = sentence.quotes.filter(({ text }) => wordsIn(text) > 3)
  const names = namesIn(plain, false).filter(
    ({ kind, text }) => kind === 'file' || /^https?:/.test(text) || isCommandLine(text),
  )
  const missing =
    everywhere.length === 0
      ? []
      : [
          ...quotes
            .filter(({ text }) => !isThere((each) => containsQuote(each, text)))
            .map(({ text }) => ({ kind: 'quote' as const, what: `“${text}”`, nearest: null })),
          ...names
            .filter(({ text }) => !isThere((each) => mentions(each, text)))
            .map(({ text }) => ({ kind: 'name' as const, what: text, nearest: null })),
        ]
  return {
    facts: quotes.length + names.length + timesIn(plain).length + numbersIn(plain).length,
    findings: locatedAt(sentence, missing),
  }
}

/** What was found, with where in the text it is. */
const locatedAt = (
  { line, text }: StorySentence,
  found: readonly Pick<FactFinding, 'kind' | 'what' | 'nearest'>[],
): FactFinding[] => found.map((each) => ({ ...each, line, sentence: text }))

const wordsIn = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor((text.match(/\p{Script=Han}/gu)?.length ?? 0) / 2)

/** A word or two in quotation marks may be a title or a word of the session. */
function isInSession(words: string, cited: readonly Cited[]): boolean {
  const low = comparable(words)
    .toLowerCase()
    .replace(/[.,;:!?]$/, '')
  return cited.some(({ home: { session, items } }) => {
    if ((session.annotation?.name ?? session.title ?? '').toLowerCase().includes(low)) return true
    return wordsIn(words) <= 2 && items.some((item) => recordOf(item).text.toLowerCase().includes(low))
  })
}

/** The sentence of the records that shares most words with a quotation. */
function nearestSentence(words: string, texts: readonly string[]): string | null {
  const wanted = new Set(words.toLowerCase().match(/[\p{Script=Han}]|[\p{L}\p{N}]+/gu))
  let best: { share: number; sentence: string } | undefined
  for (const text of texts)
    for (const sentence of sentencesOf(text)) {
      const own = new Set(sentence.toLowerCase().match(/[\p{Script=Han}]|[\p{L}\p{N}]+/gu))
      let common = 0
      for (const word of wanted) if (own.has(word)) common++
      const share = (2 * common) / (wanted.size + own.size || 1)
      if (share > (best?.share ?? 0.2)) best = { share, sentence }
    }
  return best?.sentence ?? null
}

/** Whether a text contains a name: as it is written, or as the end of a longer path. */
function mentions(text: string, name: string): boolean {
  const [low, whole] = [text.toLowerCase(), name.toLowerCase()]
  const wanted = whole.replace(/^[.~]?\/|[/\\]$/g, '') || whole
  if (wanted === '') return false
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + 1)) {
    const isWhole =
      !/[\p{L}\p{N}_]/u.test(low[at - 1] ?? '') && !/[\p{L}\p{N}_]/u.test(low[at + wanted.length] ?? '')
    if (isWhole) return true
  }
  return false
}

const isFile = (name: string): boolean =>
  /^[\w@~./\\-]+\.[a-z]\w{0,5}$/i.test(name) || /^[\w@~.-]*\/[\w@./-]+$/.test(name)
const isCommandLine = (name: string): boolean => /^[a-z][\w.-]*(?: \S+)+$/i.test(name)

function hasName(kind: string, name: string, { texts, tools }: Evidence, cited: readonly Cited[]): boolean {
  const near = [...texts, ...tools]
  if (name.includes(GAP)) return near.some((text) => containsQuote(text, name))
  if (near.some((text) => mentions(text, name))) return true
  // The name of a file is not in that of another one: `cart.ts` in `shopping-cart.ts`.
  const isPart = kind !== 'file' && !isFile(name)
  if (isPart && near.some((text) => comparable(text).includes(comparable(name)))) return true
  const anywhere = (test: (text: string) => boolean): boolean =>
    cited.some(({ home }) => home.items.some((item) => test(recordOf(item).text)))
  if (cited.some(({ home: { session } }) => session.id.replace(/^agent-/, '').startsWith(name.toLowerCase())))
    return true
  if (kind === 'commit')
    return anywhere((text) => text.toLowerCase().includes(name.toLowerCase().slice(0, 7)))
  // Only the records and their turns can show a file, a command or a version. Anything else is a word of the
  // session.
  if (kind === 'file' || kind === 'version' || isFile(name) || isCommandLine(name)) return false
  const about = cited.map(({ home: { session } }) => wordsAbout(session)).join(' ')
  return mentions(about, name) || anywhere((text) => mentions(text, name) || mentions(text, stem(name)))
}

const wordsAbout = ({ title, annotation, model, agent, platform, slug, cwds, branches }: Session): string =>
  [
    title,
    annotation?.name,
    model,
    agent,
    platform.replace('-', ' '),
    platform,
    slug,
    ...(branches ?? []),
    ...(cwds ?? []).map(([path]) => path),
    'GitHub Markdown',
  ]
    .filter(Boolean)
    .join(' ')

/** The words and paths of a text, without the signs after them. */
const tokensIn = (text: string): string[] =>
  (text.match(/[\w@~./-]+/g) ?? []).flatMap((word) =>
    /\w/.test(word) ? word.replace(/(?<=\w)\W+$/, '') : [],
  )

/** The file or word of the evidence that is most like a name. */
function nearestName(name: string, { texts, tools }: Evidence, cited: readonly Cited[]): string | null {
  const elsewhere = cited.flatMap(({ home }) =>
    home.items.filter((item) => mentions(recordOf(item).text, name)).slice(0, 1),
  )[0]
  if (elsewhere) return `line ${elsewhere.line} of the session has it`
  const words = new Set([...texts, ...tools].flatMap(tokensIn))
  const parts = name.split('/').length
  const base = name.toLowerCase().split('/').at(-1)!
  let best: { distance: number; word: string } | undefined
  for (const word of words) {
    const other = word.toLowerCase().split('/').at(-1)!
    if (Math.abs(other.length - base.length) > 4 || other[0] !== base[0]) continue
    const distance = distanceOf(base, other)
    if (distance <= Math.max(2, base.length / 2) && distance < (best?.distance ?? Infinity))
      best = { distance, word: word.split('/').slice(-parts).join('/') }
  }
  return best?.word ?? null
}

/** How many letters differ between two words. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}

/** Moments that a sentence may name: those of its records, and the first and last of their sessions. */
const momentsOf = (cited: readonly Cited[]): Date[] =>
  [
    ...new Set(
      cited.flatMap(({ item, home: { session } }) => [item.at, session.startedMs, session.lastActivityMs]),
    ),
  ].flatMap((at) => (at === undefined ? [] : [new Date(at)]))

function hasTime(fact: TimeFact, { times }: Evidence, cited: readonly Cited[]): boolean {
  const fits = (own: Partial<TimeFact>): boolean =>
    (['year', 'month', 'day', 'weekday'] as const).every((part) =>
      fact[part] === undefined || own[part] === undefined
        ? fact[part] === undefined || part === 'year'
        : fact[part] === own[part],
    ) &&
    (fact.minutes === undefined ||
      (own.minutes ?? []).some((minute) => fact.minutes!.some((each) => Math.abs(each - minute) <= 1)))
  return (
    times.some(fits) ||
    momentsOf(cited).some((at) =>
      fits({
        year: at.getUTCFullYear(),
        month: at.getUTCMonth() + 1,
        day: at.getUTCDate(),
        weekday: at.getUTCDay(),
        minutes: [at.getUTCHours() * 60 + at.getUTCMinutes()],
      }),
    )
  )
}

const timesOf = (cited: readonly Cited[]): string | null => {
  const times = [
    ...new Set(
      cited.flatMap(({ item: { at } }) =>
        at === undefined ? [] : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      ),
    ),
  ]
  return times.length > 0 ? times.slice(0, 3).join(', ') : null
}
