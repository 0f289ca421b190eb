import { largest, smallest } from '../model/iteration.ts'
import type { Evidence } from './citation.ts'
import type { NumberFact } from './numbers.ts'
import { areAlike, factorOf, isSameQuantity } from './units.ts'

const ABOUT =
  /(?:about|around|roughly|nearly|almost|over|more than|less than|under|some|circa|ca\.|etwa|rund|fast|über|knapp|unos?|unas|casi|más de|cerca de|environ|près de|plus de|quase|mais de|约|約|大约|大約|近|超过|超過|多)\s*$/iu
const ROUNDING = 0.1

/** What writers count themselves, as stems. */
const COUNTED =
  /^(?:time|turn|round|attempt|tr(?:y|i)|tri|step|session|message|prompt|question|correction|error|day|week|file|thing|part|phase|way|edit|change|call|commit|mal|runde|versuch|sitzung|tag|fehler|datei|vez|vec|intento|sesion|sesión|día|paso|fois|essai|tour|étape|jour|mes(?:es)?$|month|monat|mois|mês|year|jahr|año|ano$|woch|semana|semaine|[次回轮輪个個天处處件つ])/u

/** Where a number is, and the numbers before and after it. */
interface Surroundings {
  text: string
  beside: readonly (NumberFact | undefined)[]
}

/**
 * Why a number is not held: the nearest that the records have. Undefined if it is held, or may be a count.
 */
export function numberFault(
  number: NumberFact,
  sentence: Surroundings,
  evidence: Evidence,
): string | null | undefined {
  const { value, unit, noun, per, isSmall } = number
  const isAbout = ABOUT.test(sentence.text.slice(Math.max(0, number.index - 30), number.index))
  const equal = (a: number, b: number): boolean => isAbout && Math.abs(a - b) <= Math.abs(a) * ROUNDING
  const fitting = evidence.numbers.filter((own) => isSameQuantity(number, own, equal))
  const isSameThing = (own: NumberFact): boolean =>
    (noun !== undefined && own.noun === noun) || (per !== undefined && own.per === per)
  const sameThing = evidence.numbers.filter(isSameThing)
  const isWord = !/^\d/.test(number.text)
  // Where the records count the same thing, a number of another thing says nothing about it.
  const isOfAnother =
    unit === undefined &&
    sameThing.length > 0 &&
    fitting.length > 0 &&
    fitting.every(
      (own) =>
        !isSameThing(own) &&
        ((own.unit === undefined && own.noun !== undefined) || (isWord && !evidence.ofRecords.has(own))),
    )
  if (fitting.length > 0 && !isOfAnother) return undefined
  const digits = String(value)
  const raw = new RegExp(`(?<![\\d.])${digits.replace('.', '[.,]')}(?![\\d])`)
  // The same digits in a name, a version or an address.
  const named = isSmall ? evidence.texts : [...evidence.texts, ...evidence.tools]
  if (!unit && !isOfAnother && named.some((text) => raw.test(text))) return undefined
  // What the records count, and a part of a number of theirs, is no count of the writer.
  const isCounted = noun !== undefined && COUNTED.test(noun)
  const isTheirs = (sameThing.length > 0 && !isCounted) || isPart(number, sentence, evidence)
  if (!(isTheirs && unit === undefined) && isCount(number, evidence)) return undefined
  const same = [...sameThing, ...evidence.numbers.filter((own) => isComparable(number, own))]
  // Writers count small things themselves: a number in words, or of attempts, sessions and the like.
  const isOwn = (isWord || isCounted) && (!unit || unit.isLoose)
  if (isSmall && isOwn && same.length === 0 && !isTheirs) return undefined
  const nearest = (same.length > 0 ? same : evidence.numbers).toSorted(
    (a, b) => Math.abs(a.value - value) - Math.abs(b.value - value),
  )[0]
  return nearest?.words ?? null
}

/** Whether a number of the records measures the same as one of a text. */
function isComparable({ value, unit }: NumberFact, own: NumberFact): boolean {
  if (!unit || !own.unit || !areAlike(unit, own.unit)) return false
  // Writers count weeks themselves, also beside records about milliseconds.
  return !unit.isLoose || own.unit.isLoose || own.value === value || factorOf(own.unit, 'time') === DAY
}
const DAY = 86_400

/** Between a part and its whole: "9 times in 50", "9 von 50". */
const OUT_OF =
  /^\s?(?:\p{Script=Latin}+\s)?(?:of|out of|in|em|en|de|von|aus|sur|sobre)(?: the| den| les| las| los| os| as)?\s$/iu
/** Between a whole and its part, in scripts without spaces: 50回のうち9回. */
const AMONG = /^\s?[次回个個件]?(?:中|里|裡|のうち|之中)/u

/** Whether a number is a part of one that the records have. */
function isPart(number: NumberFact, { text, beside }: Surroundings, evidence: Evidence): boolean {
  return beside.some((whole) => {
    if (!whole || whole.unit || whole.value <= number.value) return false
    const [first, last] = whole.index > number.index ? [number, whole] : [whole, number]
    const between = text.slice(first.index + first.text.length, last.index)
    const joins = first === number ? OUT_OF.test(between) : between.length <= 14 && AMONG.test(between)
    return joins && evidence.numbers.some((own) => own.value === whole.value)
  })
}

/** Counts of what the records are, and times between them. */
function isCount({ value, unit, noun, text }: NumberFact, { cited, before }: Evidence): boolean {
  if (unit === undefined) {
    if (/^\d/.test(text) && (noun === undefined || !COUNTED.test(noun))) return false
    if (value === cited.length) return true
    return cited.some(({ home: { session } }) =>
      [session.human, session.agentMessages, session.toolCalls, session.errors].includes(value),
    )
  }
  const seconds = factorOf(unit, 'time')
  if (seconds === undefined) return false
  const isAbout = (ms: number): boolean =>
    Math.abs(Math.round(ms / 1000 / seconds) - value) <= (seconds === 60 ? 1 : 0)
  const ofSessions = cited.length > 1 ? cited.map(({ home: { session } }) => session) : []
  const spans = ofSessions.map(
    ({ startedMs = 0, lastActivityMs = 0 }) => [startedMs, lastActivityMs] as const,
  )
  const own = cited.flatMap(({ item: { at } }) => at ?? [])
  const all = [
    ...own,
    ...before.flatMap(({ item: { at } }) => at ?? []),
    ...spans.flat().filter((at) => at > 0),
  ]
  // Of many moments, some are nearly any number of days apart: only the whole time counts.
  if (seconds >= DAY)
    return [own, all, ...spans].some((moments) => isAbout(largest(moments) - smallest(moments)))
  return all.some((one) => all.some((other) => one > other && isAbout(one - other)))
}
