import { textDigest } from './item-key.ts'

/** A prompt without the parts that change between runs of a script. */
export interface PromptTemplate {
  /** One hash for each way in which two prompts can be alike. */
  templates: number[]
  /** The hash of the whole prompt. */
  whole: number
}

/** Shorter prompts are too common, unless they are a command with arguments. */
const FEWEST_WORDS = 6
/** In shorter prompts, half of the text is too common to compare. */
const HALVED_WORDS = 16
const COMMAND = /^(\/[\w:.-]+)\s+\S/
/** Quotes and words. Quotes, URLs, paths and numbers are typical parameters. */
const PARTS = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\S+/g

const IS_PARAMETER = /^["'`].*["'`]$|[/\\]\S|\d/

/** The templates of a session's only prompt. Undefined if it is too short or too common. */
export function promptTemplate(text: string): PromptTemplate | undefined {
  const prompt = text.slice(0, LONGEST).trim()
  const whole = textDigest(prompt)
  const command = COMMAND.exec(prompt)?.[1]
  if (command !== undefined) return { templates: [textDigest(`${command} *`)], whole }
  const words = prompt.replace(PARTS, (part) => (IS_PARAMETER.test(part) ? '*' : part)).split(/\s+/)
  if (words.length < FEWEST_WORDS) return undefined
  const templates = [textDigest(words.join(' '))]
  if (words.length >= HALVED_WORDS) {
    const middle = Math.floor(words.length / 2)
    templates.push(textDigest(`< ${words.slice(0, middle).join(' ')}`))
    templates.push(textDigest(`> ${words.slice(-middle).join(' ')}`))
  }
  return { templates: [...new Set(templates)], whole }
}

const LONGEST = 20_000

/** One of several sessions with similar prompts: its start and the hash of its prompt. */
interface Alike {
  at: number
  whole: number
}

/** Two runs of one script are at most this far apart. */
const CLOSE_MS = 15 * 60_000

/**
 * The confidence that a script started a set of sessions whose only prompts differ in a parameter. It grows
 * with the number of sessions, of distinct prompts, and of sessions that began within 15 minutes of another.
 * Between 0 and 0.95; 0 for fewer than three sessions.
 */
export function scriptConfidence(sessions: readonly Alike[]): number {
  const count = sessions.length
  if (count < 3) return 0
  const distinct = new Set(sessions.map(({ whole }) => whole)).size
  const times = sessions.map(({ at }) => at).sort((a, b) => a - b)
  const close = times.filter(
    (at, index) =>
      at - (times[index - 1] ?? Number.NEGATIVE_INFINITY) <= CLOSE_MS ||
      (times[index + 1] ?? Number.POSITIVE_INFINITY) - at <= CLOSE_MS,
  ).length
  const byCount = count >= 20 ? 0.6 : count >= 10 ? 0.5 : count >= 5 ? 0.4 : 0.25
  const byParameter = distinct === count ? 0.2 : distinct > 1 ? 0.1 : 0
  const byRhythm = close >= count * 0.8 ? 0.25 : close >= count * 0.5 ? 0.15 : 0
  return Math.min(0.95, Math.round((byCount + byParameter + byRhythm) * 100) / 100)
}
