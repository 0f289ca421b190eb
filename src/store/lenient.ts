import type { Steps } from '../model/iteration.ts'
import { slipsBetween } from '../model/slips.ts'
import { fold, hasCjk, hasTokens, simplify } from '../search/characters.ts'
import { createFoldedMatcher, createScorer, wantedTerms } from '../search/match.ts'
import type { Node, Query, Term } from '../search/query.ts'
import { isNear, type Piece, piecesOf, slipsAllowed, tokensOf } from '../search/words.ts'
import type { Correction, SearchAnswer, SearchHit, SearchRequest } from './search.ts'
import type { StoredMessage } from './stored.ts'

/** A session with a title that its first human message does not repeat. */
export interface TitledSession {
  artifact: number
  title: string
  /** For comparing; see `fold`. */
  folded: string
  at: number | null
}

/** What an engine does for one request, within its filters. Messages have numbers. */
export interface SearchSource {
  /** No message can match the filters. */
  isEmpty: boolean
  /** Ranked messages. */
  search(request: SearchRequest): Steps<SearchAnswer>
  /** Messages that match some words, about the newest first. Empty if no word can be looked up. */
  latest(words: Node, count: number): Steps<number[]>
  /** Counts messages that match some words, up to a limit. */
  count(words: Node, most: number): Steps<number>
  /** Ranks some messages, with a score that the caller combines with other criteria. */
  best(
    ids: readonly number[],
    request: SearchRequest,
    rank: (id: number, score: number) => number,
  ): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>>
  /** Words of all messages of a length that have one of these pieces, and perhaps others. */
  vocabulary(lengths: { least: number; most: number }, pieces: readonly Piece[]): readonly string[]
  /** Sessions whose titles match, judged by the folded title. */
  titles(request: SearchRequest, fits: (folded: string) => boolean): readonly TitledSession[]
  /**
   * Makes a hit of a title, at the first line of its session. Undefined if the message there repeats the
   * title.
   */
  titleHit(titled: TitledSession): Omit<SearchHit, 'score'> | undefined
}

/** If fewer messages contain all words, messages with most of them are searched too. */
const FEW = 5
/**
 * How many of the newest messages with one of the words are checked, and how many with most of them are
 * ranked.
 */
const OF_ONE_WORD = 10_000
const WEIGHED = 400
/** The weight of a title. It describes the whole session. */
const TITLE = 1.2

/** Searches as people expect it. See `SearchRequest.lenient`. */
export function* searchLeniently(source: SearchSource, request: SearchRequest): Steps<SearchAnswer> {
  const { query } = request
  const found = yield* withAllWords(source, request)
  if (!query.words || source.isEmpty || found.total >= FEW) return found
  const corrections = found.total > 0 ? [] : yield* correctionsFor(source, wantedTerms(query.words))
  if (corrections.length > 0) {
    const asked = corrected(query, corrections)
    const instead = yield* withAllWords(source, { ...request, query: asked })
    if (instead.total > 0) return { ...instead, asked, corrections, corrected: true }
  }
  const most = yield* withMostWords(source, request, found)
  return corrections.length > 0 ? { ...most, corrections } : most
}

/** Messages and titles that contain all words. */
function* withAllWords(source: SearchSource, request: SearchRequest): Steps<SearchAnswer> {
  const found = yield* source.search(request)
  const { words } = request.query
  if (!words || source.isEmpty) return found
  const titles = titleHits(source, request, request.query, createFoldedMatcher(words))
  if (titles.length === 0) return found
  return {
    ...found,
    hits: inOrder(request, titles, found.hits),
    total: found.total + titles.length,
    sessions: () => summed(found.sessions(), countedBySession(titles)),
  }
}

/** The given hits, followed by messages that contain most of the words. */
function* withMostWords(
  source: SearchSource,
  request: SearchRequest,
  found: SearchAnswer,
): Steps<SearchAnswer> {
  const relaxed = relax(request.query)
  if (!relaxed) return found
  const first = [...found.hits]
  const further = yield* most(source, request, relaxed, first)
  if (further.total === 0) return found
  return {
    ...found,
    hits: {
      *[Symbol.iterator]() {
        yield* first
        yield* further.hits
      },
    },
    total: found.total + further.total,
    more: further.more,
    relaxed: true,
    asked: relaxed.query,
    sessions: () => summed(found.sessions(), further.sessions()),
  }
}

const orderOf =
  ({ sort }: SearchRequest) =>
  (one: SearchHit, other: SearchHit): number =>
    sort === 'newest' ? (other.at ?? 0) - (one.at ?? 0) : other.score - one.score

/** Titles and messages, both sorted, in one order. Messages are loaded when they are reached. */
const inOrder = (
  request: SearchRequest,
  titles: readonly SearchHit[],
  messages: Iterable<SearchHit>,
): Iterable<SearchHit> => ({
  *[Symbol.iterator]() {
    const order = orderOf(request)
    let next = 0
    for (const message of messages) {
      while (next < titles.length && order(titles[next]!, message) <= 0) yield titles[next++]!
      yield message
    }
    yield* titles.slice(next)
  },
})

function titleHits(
  source: SearchSource,
  request: SearchRequest,
  query: Query,
  fits: (folded: string) => boolean,
): SearchHit[] {
  const scorer = createScorer(query)
  return source
    .titles(request, fits)
    .flatMap((each) => {
      const hit = source.titleHit(each)
      const candidate = { text: each.title, who: 'human', at: each.at ?? undefined }
      return hit ? [{ ...hit, score: TITLE * scorer(candidate, request.now) }] : []
    })
    .sort(orderOf(request))
}

/** Messages that contain most of the words. Those with more of them rank higher. */
function* most(
  source: SearchSource,
  request: SearchRequest,
  { query, words, least, required }: Relaxed,
  first: readonly SearchHit[],
): Steps<SearchAnswer> {
  const counts = new Map<number, number>()
  let more = false
  for (const term of words) {
    const ids = yield* source.latest({ all: [...required, { term }] } satisfies Node, OF_ONE_WORD)
    more ||= ids.length === OF_ONE_WORD
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  for (const { message } of first) counts.delete(message)
  const needed = least.find((each) => counts.values().some((count) => count >= each)) ?? least[0]!
  const enough = [...counts]
    .filter(([, count]) => count >= needed)
    .sort((one, other) => other[1] - one[1] || other[0] - one[0])
  const ids = enough.slice(0, Math.max(WEIGHED, request.limit)).map(([id]) => id)
  /** Rank below every message that contains all words. */
  const ceiling = first.at(-1)?.score ?? 1
  const rank = (count: number, score: number): number =>
    (ceiling * (count + score / (1 + score))) / (words.length + 1)
  const weighed = yield* source.best(ids, { ...request, query }, (id, score) => rank(counts.get(id)!, score))
  const tests = words.map((term) => createFoldedMatcher({ term }))
  const holds = createFoldedMatcher(required.length > 0 ? { all: required } : undefined)
  const countIn = (folded: string): number => tests.filter((test) => test(folded)).length
  const known = new Set(
    first.flatMap(({ label, who, path }) => (who === 'marker' && label === 'title' ? [path] : [])),
  )
  const further = titleHits(source, request, query, (folded) => holds(folded) && countIn(folded) >= needed)
    .filter(({ path }) => !known.has(path))
    .map((hit) => ({ ...hit, score: rank(countIn(fold(hit.text!).text), hit.score) }))
    .sort(orderOf(request))
  return {
    hits: inOrder(request, further, weighed.hits),
    total: enough.length + further.length,
    more,
    widened: false,
    sessions: () => summed(weighed.sessions(), countedBySession(further)),
  }
}

/** Replaces misspelled words throughout the query. */
function corrected(query: Query, corrections: readonly Correction[]): Query {
  const instead = new Map(corrections.map((each) => [each.word, each.instead]))
  const change = <Some extends Node>(node: Some): Some => {
    if ('term' in node)
      return { term: { ...node.term, text: instead.get(node.term.text) ?? node.term.text } } as Some
    if ('not' in node) return node
    return ('all' in node ? { all: node.all.map(change) } : { any: node.any.map(change) }) as Some
  }
  return { ...query, ...(query.words ? { words: change(query.words) } : {}) }
}

function countedBySession(hits: readonly SearchHit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { path } of hits) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

function summed(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map(one)
  for (const [path, count] of other) sums.set(path, (sums.get(path) ?? 0) + count)
  return sums
}

/** The maximum number of titles. */
const MOST_TITLES = 200

/** The files whose sessions a request may show. */
export interface FileLimits {
  /** Only messages of these files, and none of those. */
  shown?: ReadonlySet<number>
  hidden?: ReadonlySet<number>
  /** Files that a filter excludes. */
  outside?: ReadonlySet<number>
}

/** Titles that match. A title has no speaker and no tool, so filters for these exclude it. */
export function matchingTitles(
  titles: () => Iterable<TitledSession>,
  { query: { filters } }: Pick<SearchRequest, 'query'>,
  { shown, hidden, outside }: FileLimits,
  fits: (folded: string) => boolean,
): TitledSession[] {
  const narrow = [filters, filters.without].some(
    ({ who, tool, file, error, question }) => who.length + tool.length + file.length > 0 || error || question,
  )
  if (narrow) return []
  const found: TitledSession[] = []
  for (const each of titles()) {
    if (!fits(each.folded)) continue
    const at = each.at ?? 0
    if (shown?.has(each.artifact) === false || hidden?.has(each.artifact) || outside?.has(each.artifact))
      continue
    if (at < (filters.after ?? at) || at >= (filters.before ?? Number.POSITIVE_INFINITY)) continue
    found.push(each)
    if (found.length === MOST_TITLES) break
  }
  return found
}

/** Whether the first words of a session repeat its title, as they do where a client chose none. */
export const isRepeated = (title: string, first: string | undefined): boolean =>
  first !== undefined && beginning(title) === beginning(first)

const beginning = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 40)

/** A title as a hit at the first message of its session; undefined if that message repeats the title. */
export function titleHitAt(
  { title, at }: TitledSession,
  first: StoredMessage,
  session: Pick<SearchHit, 'session' | 'platform' | 'agent' | 'project' | 'path' | 'goneMs'>,
): Omit<SearchHit, 'score'> | undefined {
  const { message, line, offset, length, order, text = '' } = first
  if (isRepeated(title, text)) return undefined
  return {
    message,
    line,
    offset,
    length,
    order,
    who: 'marker',
    label: 'title',
    at: at ?? undefined,
    text: title,
    ...session,
    copies: [],
  }
}

/** How many of the most similar words are compared by frequency, and up to which count. */
const NEAREST = 20
const COUNTED = 1000
/** The maximum number of query words that are checked. */
const MOST_WORDS = 8

/** Suggests the most similar existing word for each word that no message contains. */
function* correctionsFor(source: SearchSource, terms: readonly Term[]): Steps<Correction[]> {
  const found: Correction[] = []
  const count = (term: Term): Steps<number> => source.count({ term }, COUNTED)
  for (const term of terms.slice(0, MOST_WORDS)) {
    const [word, ...others] = tokensOf(term.text)
    if (word === undefined || others.length > 0 || term.phrase || term.prefix) continue
    if (slipsAllowed(word) === 0 || (yield* count(term)) > 0) continue
    let best: { instead: string; slips: number; times: number } | undefined
    for (const { word: instead, slips } of nearest(source, word)) {
      if (best && slips > best.slips) break
      const times = yield* count({ text: instead, phrase: true, prefix: false })
      if (times > 0 && (!best || times > best.times)) best = { instead, slips, times }
    }
    if (best) found.push({ word: term.text, instead: best.instead })
  }
  return found
}

/** The words of the vocabulary with the fewest differences. Words with the same first letter come first. */
function nearest(source: SearchSource, word: string): { word: string; slips: number }[] {
  const allowed = slipsAllowed(word)
  const pieces = piecesOf(word, allowed)
  const lengths = { least: word.length - allowed, most: word.length + allowed }
  const found: { word: string; slips: number; otherStart: number }[] = []
  for (const other of source.vocabulary(lengths, pieces)) {
    if (!pieces.some((piece) => isNear(other, piece, allowed))) continue
    const slips = slipsBetween(word, other, allowed)
    if (slips > 0 && slips <= allowed)
      found.push({ word: other, slips, otherStart: other[0] === word[0] ? 0 : 1 })
  }
  return found
    .sort((one, other) => one.slips - other.slips || one.otherStart - other.otherStart)
    .slice(0, NEAREST)
}

/** A question in plain words, most of which are enough. */
interface Relaxed {
  /** Matches any of the words. For ranking and snippets. */
  query: Query
  /** The meaningful words, without their endings. */
  words: Term[]
  /**
   * How many of the words are required. For a question in whole sentences, the second number applies if the
   * first finds nothing.
   */
  least: number[]
  /** Parts of the query that are always required: phrases, alternatives and exclusions. */
  required: Node[]
}

/** The maximum number of words. The longest are used, because they are the rarest. */
const MOST_PLAIN_WORDS = 12

/** Undefined if the query has no meaningful plain words. */
export function relax(query: Query): Relaxed | undefined {
  const plain: Term[] = []
  const required: Node[] = []
  for (const node of query.words?.all ?? [])
    if ('term' in node && !node.term.phrase) plain.push(node.term)
    else required.push(node)
  const all = plain.flatMap(partsOf)
  const telling = all.filter(({ text }) => !STOP_WORDS.has(simplify(text.toLowerCase())))
  const chosen = distinct(telling.map(withoutEnding))
    .sort((one, other) => other.text.length - one.text.length)
    .slice(0, MOST_PLAIN_WORDS)
  if (chosen.length === 0) return undefined
  const most = Math.floor(chosen.length / 2) + 1
  const any: Node = { any: chosen.map((term) => ({ term })) }
  return {
    query: { ...query, words: { all: [...required, any] } },
    words: chosen,
    least: telling.length < all.length ? [most, Math.ceil(chosen.length / 2)] : [most],
    required,
  }
}

/** The words of a term. Chinese and Japanese are segmented, and punctuation at the ends is removed. */
function partsOf(term: Term): Term[] {
  if (!hasCjk(term.text)) {
    const text = term.text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    // The index splits `don't` into two words, neither of which is meaningful.
    const pieces = text.split(/['\u2019]/)
    return (pieces.length > 1 ? pieces : [text]).filter(hasTokens).map((piece) => ({ ...term, text: piece }))
  }
  return Array.from(new Intl.Segmenter('zh', { granularity: 'word' }).segment(term.text))
    .filter(({ segment, isWordLike }) => isWordLike && hasTokens(segment))
    .map(({ segment }) => ({ ...term, text: segment, prefix: false }))
}

/** `orders`, `ordered` and `ordering` all become `order*`. Only applies to longer plain words. */
function withoutEnding(term: Term): Term {
  if (!/^\p{L}{4,}$/u.test(term.text) || hasCjk(term.text)) return term
  const stem = term.text.replace(/(?<=\p{L}{4})(?:ies|ied|es|ed|ing|s|en|er|e|n|y)$/iu, '')
  return { ...term, text: stem, prefix: true }
}

function distinct(terms: readonly Term[]): Term[] {
  const seen = new Map<string, Term>()
  for (const term of terms) {
    const key = term.text.toLowerCase()
    if (!seen.has(key)) seen.set(key, term)
  }
  return [...seen.values()]
}

/**
 * Words that questions contain but answers need not, by language. Excludes words that mean something else to
 * programmers, such as `ci`, `os` and `bin`. Apostrophes split words, so `don't` is `don` and `t`.
 */
const LANGUAGES: Record<string, string> = {
  english: `a an the and or but not no nor so if then than as at by for from in into of off on onto out over to up with about after
    before between during through under again i me my mine we us our you your he him his she her it its they them their this that these
    those there here what which who whom whose when where why how is am are was were be been being do does did done doing have has had
    having can could will would shall should may might must let lets s t d ll m re ve don doesn didn isn aren wasn weren won wouldn
    couldn shouldn hasn haven hadn any some all each every just only also too very please tell show find say said says get got`,
  german: `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine wenn dann als wie wo was wer wen wem
    warum wieso weshalb wann welche welcher welches ich mich mir mein meine du dich dir dein er ihn ihm sie ihr ihre es wir uns unser
    in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter durch um ist sind war waren sein bist hat habe
    haben hatte hatten wird werden wurde wurden kann können konnte soll sollte muss musste darf auch noch nur schon so sehr hier da dass
    ob bitte zeig sag gesagt`,
  french: `le la les l un une des du de d et ou mais ne pas non si comme que qui quoi quel quelle quels quelles où quand pourquoi comment
    je j me m mon ma mes tu te t ton ta tes il elle on nous notre vous votre ils elles leur se s son sa ses ce cet cette ces c y en au aux
    à dans par pour sur sous avec sans est sont était été être ai as a avons avez ont avait avoir fait faire peut doit aussi très
    plus est-ce`,
  spanish: `el la los las lo un una unos unas y e o u pero no si como que qué quien quién cual cuál cuando cuándo donde dónde por porque
    cómo yo me mi mis tú te tu tus él ella nos nuestro se su sus este esta esto estos estas ese esa eso de del a al en con sin para sobre
    es son era eran fue ser está están estar hay ha han he haber hace hacer puede debe también muy más ya`,
  italian: `il lo la i gli le un uno una e o ma non se come che chi cosa quale quali quando dove perché di del della dei delle a al alla
    da dal in nel nella con su per tra fra io mi mio mia tu ti tuo lui lei si suo sua noi nostro voi questo questa è sono era erano
    essere ho hai ha abbiamo hanno avere può deve anche molto più già`,
  portuguese: `o a as um uma uns umas e ou mas não se como que quem qual quais quando onde por porque eu me meu minha tu te teu ele ela
    nós nosso seu sua este esta isto esse essa isso de do da dos das em no na nos nas com sem para sobre é são era eram foi ser está
    estão estar há tem têm ter pode deve também muito mais já`,
  russian: `и или но не нет да же ли бы если как что кто где когда почему зачем какой какая какие я меня мне мой мы нас нам наш ты тебя
    твой вы вас вам ваш он его ему она её ей оно они их им это этот эта эти тот в во на по с со к ко из от до за для о об у над под при
    был была было были есть быть можно надо уже ещё только тоже очень`,
  chinese: `的 了 是 在 我 你 您 他 她 它 我们 你们 他们 和 与 或 也 都 就 不 没 没有 有 这 那 这个 那个 什么 怎么 怎样 如何 为什么 为 哪 哪个 哪里
    谁 吗 呢 吧 啊 把 被 给 对 从 到 要 会 能 可以 请 一个 一下 上 下 里 中 很 还 再 又`,
  japanese: `の に は を が で と も へ から まで より や か ね よ な だ です ます でした ました した して する ください これ それ あれ この その あの
    ここ そこ 何 なに なぜ どう どこ いつ だれ 誰 どの こと もの ある いる ない`,
}

/** In lower case and simplified characters. */
const STOP_WORDS = new Set(Object.values(LANGUAGES).flatMap((words) => words.split(/\s+/)))
