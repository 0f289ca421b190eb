import type { Steps } from '../model/iteration.ts'
import type { Item } from '../model/session.ts'
import { cite, citedText } from './citation.ts'
import { commandKind } from './commands.ts'
import type { Citation, Dynamic, LanguageEvidence, QuestionEvidence } from './evidence.ts'
import { isLong, isRead, languageOf, type Reaction, shows } from './languages.ts'
import { isQuestion, sentencesOf } from './sentences.ts'
import {
  attemptOf,
  type Call,
  failed,
  hidesFailure,
  isCommand,
  isEdit,
  type SourceSession,
  type Turn,
} from './turns.ts'

/** People say what they mean early. */
const MOST_SENTENCES = 10
/** A reaction other than a correction opens the message. */
const OPENING = { correction: MOST_SENTENCES, course: 2, agreement: 1 } as const
/** A longer message of a human is a pasted document. */
const LONGEST = 3000
const CLIENT_COMMAND = /^(?:\/[a-z][\w:-]*(?:\s|$)|! ?\S)/
/** Asks nothing, although it ends with a question mark. */
const REPROACH = /\bhow (?:can|could) you (?:say|claim)\b|\bthat'?s wrong\b/i

/** A session with its turns and calls. */
export interface Scene {
  source: SourceSession
  turns: readonly Turn[]
  calls: readonly Call[]
}

/** What happened between human and agent in one main session, in the order of the first lines. */
export function* dynamicsOf(scene: Scene): Steps<Dynamic[]> {
  const reactions = yield* reactionsIn(scene.turns)
  return [...reactions, ...coursesIn(scene), ...debuggingIn(scene.calls)].sort(
    (a, b) => a.citations[0]!.line - b.citations[0]!.line,
  )
}

/** The messages of the human that correct, decline or accept, each with what it is about. */
function* reactionsIn(turns: readonly Turn[]): Steps<Dynamic[]> {
  const found: Dynamic[] = []
  let reply: Item | undefined
  for (const { source, prompt, items } of turns) {
    const reaction = prompt.who === 'human' && reply && reactionOf(prompt.text)
    if (reaction)
      found.push({
        kind: reaction.kind,
        detail: null,
        about: cite(source.session, reply!, lastWords(reply!)),
        citations: [cite(source.session, prompt, quoteWith(reaction, prompt))],
      })
    reply = items.findLast(({ who, text }) => who === 'agent' && text) ?? reply
    yield
  }
  return found
}

interface Found {
  kind: Reaction
  sentence: string
  sentences: readonly string[]
}

/** The reaction that a message shows. A correction is more specific than a change of course. */
export function reactionOf(text: string | undefined): Found | undefined {
  if (!text || CLIENT_COMMAND.test(text) || text.length > LONGEST) return undefined
  const language = languageOf(text)
  const sentences = sentencesOf(text).slice(0, MOST_SENTENCES)
  for (const kind of ['correction', 'course', 'agreement'] as const) {
    const sentence = sentences
      .slice(0, OPENING[kind])
      .find((each) => (!isQuestion(each) || REPROACH.test(each)) && shows(each, kind, language))
    if (sentence !== undefined) return { kind, sentence, sentences }
  }
  return undefined
}

/** A shorter quote says too little on its own. */
const LEAST_QUOTE = 40

/** The sentence, and the next one if it is very short. */
function quoteWith({ sentence, sentences }: Found, item: Item): string {
  if (sentence.length >= LEAST_QUOTE) return sentence
  const text = citedText(item)
  const next = sentences[sentences.indexOf(sentence) + 1] ?? sentence
  const from = text.indexOf(sentence)
  const to = text.indexOf(next, from)
  const quote = text.slice(from, to + next.length)
  return from < 0 || to < 0 || quote.includes('```') ? sentence : quote
}

/** What an agent asked or said last. A very short question comes with the sentence before it. */
function lastWords(reply: Item): string | undefined {
  const sentences = sentencesOf(reply.text)
  const last = sentences.slice(-LAST_SENTENCES).findLast(isQuestion) ?? sentences.at(-1)
  if (last === undefined || last.length >= LEAST_QUESTION) return last
  const joined = `${sentences[sentences.lastIndexOf(last) - 1] ?? ''} ${last}`.trim()
  return citedText(reply).includes(joined) ? joined : last
}

const LEAST_QUESTION = 25

const REVERTS =
  /\bgit\s+(?:revert|restore(?!\s+--staged)|reset\s+--hard|checkout\s+(?:HEAD\s+)?--|stash(?!\s+(?:list|show|pop|apply)))\b/

/** Prompts taken back, turns interrupted, calls declined, changes reverted. */
function coursesIn({ source: { session, items }, turns, calls }: Scene): Dynamic[] {
  const found: Dynamic[] = []
  const add = (detail: string, item: Item): void => {
    found.push({ kind: 'course', detail, about: null, citations: [cite(session, item)] })
  }
  for (const item of items) if (item.offBranch && item.who === 'human') add('taken back', item)
  const declined = new Map(calls.map((call) => [call.denial, call]))
  for (const { prompt, items: own } of turns)
    for (const item of own) {
      if (item.who !== 'marker') continue
      if (item.marker === 'interruption') add('interrupted', prompt)
      const refused = declined.get(item)
      if (refused) add('declined', refused.item)
    }
  for (const call of calls)
    if (isCommand(call) && !failed(call) && REVERTS.test(call.target)) add('reverted', call.item)
  return found
}

/** Calls between two attempts. */
const FAR = 12
const MOST_ATTEMPTS = 4

/** A command that only looks, such as a search, fails if it finds nothing. */
const isWork = (call: Call): boolean => isCommand(call) && commandKind(call.target) !== 'look'

/** A command fails, something is changed, and the command is run again. */
function debuggingIn(calls: readonly Call[]): Dynamic[] {
  const found: Dynamic[] = []
  const taken = new Set<Call>()
  for (const [index, first] of calls.entries()) {
    if (!isWork(first) || !failed(first) || taken.has(first)) continue
    const attempts = [first]
    let changes = 0
    /** Calls since the last attempt that did more than look. */
    let since = 0
    for (let next = index + 1; next < calls.length && since <= FAR; next++) {
      const call = calls[next]!
      if (isEdit(call) || isWork(call)) since++
      if (isCommand(call) && attemptOf(call) === attemptOf(first)) {
        attempts.push(call)
        taken.add(call)
        since = 0
        if (!failed(call) && !hidesFailure(call)) break
      } else if (!failed(call) && (isEdit(call) || isWork(call))) changes++
    }
    const last = attempts.at(-1)!
    const worked = !failed(last) && !hidesFailure(last)
    if (attempts.length === 1 || (changes === 0 && !worked)) continue
    const of = ({ source }: Call, item: Item): Citation => cite(source.session, item)
    found.push({
      kind: 'debugging',
      detail: `${attempts.length} attempts, ${worked ? 'then it worked' : 'it did not work'}`,
      about: null,
      citations: [
        of(first, first.item),
        ...attempts.slice(0, MOST_ATTEMPTS).flatMap((call) => (call.error ? [of(call, call.error)] : [])),
        of(last, last.item),
      ],
    })
  }
  return found
}

/** An agent that asks does so at the end of its message. */
const LAST_SENTENCES = 3

/**
 * The questions of human and agent in the turns of main sessions. Agents ask in the last message of a turn;
 * the next prompt of the human in the same session is the answer.
 */
export function questionsOf(turns: readonly Turn[]): QuestionEvidence[] {
  const questions: QuestionEvidence[] = []
  for (const [index, { source, prompt, items }] of turns.entries()) {
    const { session } = source
    const replies = items.filter(({ who, text }) => who === 'agent' && text)
    if (prompt.who === 'human') {
      const asked = sentencesOf(prompt.text).find(isQuestion)
      const [reply] = replies
      if (asked !== undefined)
        questions.push({
          by: 'human',
          question: cite(session, prompt, asked),
          answer: reply ? cite(session, reply) : laterReply(turns, index),
        })
    }
    const last = replies.at(-1)
    const asked = sentencesOf(last?.text).slice(-LAST_SENTENCES).findLast(isQuestion)
    if (!last || asked === undefined) continue
    const next = turns.slice(index + 1).find((turn) => turn.source === source && turn.prompt.who === 'human')
    questions.push({
      by: 'agent',
      question: cite(session, last, asked),
      answer: next ? cite(session, next.prompt) : null,
    })
  }
  return questions
}

/** A turn without a reply was interrupted, and the human went on with the next prompt. */
function laterReply(turns: readonly Turn[], index: number): Citation | null {
  const { source } = turns[index]!
  const next = turns[index + 1]
  const reply = next?.source === source && next.items.find(({ who, text }) => who === 'agent' && text)
  return reply ? cite(source.session, reply) : null
}

/** The languages of the human's messages, most frequent first. Very short messages are of none. */
export function languagesOf(turns: readonly Turn[]): LanguageEvidence[] {
  const counts = new Map<string, number>()
  for (const { prompt } of turns) {
    if (prompt.who !== 'human' || !prompt.text || CLIENT_COMMAND.test(prompt.text)) continue
    const language = languageOf(prompt.text)
    if (language === 'und' && !isLong(prompt.text)) continue
    counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts]
    .map(([language, messages]) => ({ language, messages, read: isRead(language) }))
    .sort((a, b) => b.messages - a.messages || (a.language < b.language ? -1 : 1))
}
