import {
  type Artifact,
  labelOfSender,
  SCRIPT_THRESHOLD,
  type Sender,
  type SideQuestion,
} from '../artifact.ts'
import type { Origin, SessionEvent, SessionKind, Speaker } from '../event.ts'
import { hash53 } from '../hash.ts'
import { textDigest } from '../item-key.ts'
import { append } from '../iteration.ts'
import type { ItemContent } from './items.ts'

/** At most this many prompts from other sessions are listed. */
const MOST_SENT = 50
/** How many of the first human messages may name the project. */
const OPENING = 5
const LATEST = 3

/** A prompt before its speaker is decided. */
export interface Prompt {
  event: SessionEvent
  speaker: Speaker
  text?: string
  media: string[]
  label?: string
  kindEvidence?: SessionKind
  lastOnly?: boolean
  unmarked?: boolean
  /** See `Payload`. */
  attended?: 'maybe' | 'certainly'
  /** The session that sent the prompt. */
  by?: Sender
  /** Duplicates of the record in the same file, after the client rewrote its history. */
  copies?: string[]
}

export const promptItem = ({ speaker, text, label, media }: Prompt): ItemContent => ({
  who: speaker,
  text,
  label,
  ...(media.length > 0 ? { media } : {}),
})

/**
 * Decides the speakers of all prompts of a session, and of which kind it is. Changes the prompts. `only` is
 * the text of the only human prompt, if the client does not record whether a person typed it.
 */
function decideSpeakers(
  prompts: readonly Prompt[],
  {
    links,
    kindHint,
    attended,
    clean,
  }: Pick<Artifact, 'links' | 'kindHint'> & {
    attended: boolean
    clean(text: string): string
  },
) {
  if (attended)
    for (const each of prompts) if (each.attended) Object.assign(each, { speaker: 'human', label: undefined })
  const lastOwn = prompts.findLast((each) => each.lastOnly && isHuman(each))
  for (const each of prompts)
    if (each.lastOnly && each !== lastOwn) Object.assign(each, { speaker: 'program', label: 'copied' })
  markSent(prompts, links, clean)
  const humans = prompts.filter(isHuman)
  const [own] = humans
  const unmarked = humans.length === 1 && own?.unmarked && !own.by ? own : undefined
  if (unmarked && (links?.script?.confidence ?? 0) >= SCRIPT_THRESHOLD)
    Object.assign(unmarked, { speaker: 'program', label: 'probably a script' })
  const kind = kindOf(prompts, humans.some(isHuman), kindHint)
  if (kind !== null && kind !== 'human' && !lastOwn)
    for (const each of prompts)
      if (isHuman(each)) Object.assign(each, { speaker: 'program', label: each.label ?? kind })
  return { kind, only: unmarked?.text, ...rowOf(prompts) }
}

const isHuman = ({ speaker }: Prompt): boolean => speaker === 'human'

/** Labels prompts that another session sent. Their speaker is `program`. */
function markSent(
  prompts: readonly Prompt[],
  links: Artifact['links'],
  clean: (text: string) => string,
): void {
  const sent = links?.sent
  if (!sent || sent.length === 0) return
  const senders = new Map(sent.map(({ digest, at, by }) => [`${digest} ${at}`, by]))
  for (const each of prompts) {
    if (each.text === undefined || each.event.at === undefined) continue
    const by = senders.get(`${textDigest(clean(each.text))} ${each.event.at}`)
    if (!by) continue
    const label = each.speaker === 'program' && each.label !== undefined ? `${each.label}, ` : ''
    Object.assign(each, { speaker: 'program', label: label + labelOfSender(by), by })
  }
}

/** Decides by the path or the header, then by the first prompt's own evidence, then by the speakers. */
function kindOf(
  prompts: readonly Prompt[],
  hasHuman: boolean,
  kindHint: SessionKind | undefined,
): SessionKind | null {
  const evidence = prompts[0]?.kindEvidence
  const sent = prompts.some((each) => each.by)
  // The path or the header says where a human may write, not whether one did.
  const isDriven = !hasHuman && (sent || evidence !== undefined)
  if (kindHint && !(kindHint === 'human' && isDriven)) return kindHint
  if (evidence === 'cron' || evidence === 'subagent' || evidence === 'hook') return evidence
  if (hasHuman) return 'human'
  return prompts.length > 0 ? (evidence ?? 'program') : null
}

/** What a session row contains of these prompts. */
function rowOf(prompts: readonly Prompt[]) {
  const human = prompts.filter(isHuman)
  const texts = human.flatMap((each) => each.text ?? [])
  const program = prompts.find((each) => each.speaker === 'program' && each.text)?.text
  const { at: firstPromptMs, sharedId: firstPromptId } =
    prompts.find(({ text }) => text !== undefined)?.event ?? {}
  const sent = prompts.flatMap(({ by, event }) => (by ? [{ line: event.origin.line, by }] : []))
  return {
    /** How many are a human's. */
    human: human.length,
    /** The first texts of the human, and the last ones. */
    first: texts.slice(0, OPENING),
    last: texts.slice(-LATEST),
    firstProgram: program,
    ...(firstPromptMs !== undefined && { firstPromptMs }),
    ...(firstPromptId !== undefined && { firstPromptId }),
    sent: sent.slice(0, MOST_SENT),
  }
}

/**
 * Side questions of the human, which the client stores in another file. Each is placed before the first line
 * with a later time, or at the end of the file.
 */
export function createSideQuestions(asked: readonly SideQuestion[] = []) {
  /** Each with the line it precedes, 0 until a later line is known. */
  const questions = asked.map((question) => ({ ...question, line: 0, offset: 0 })).sort((a, b) => a.at - b.at)
  let waiting = questions
  return {
    /** Reports that a line with this time was read. */
    reached(at: number, { line, offset }: Origin): void {
      if (waiting.length === 0 || waiting[0]!.at >= at) return
      for (const each of waiting) if (each.at < at) Object.assign(each, { line, offset })
      waiting = waiting.filter((each) => each.line === 0)
    },
    /** The questions that the transcript does not contain. `end` is the position of the next line. */
    settle(prompts: readonly Prompt[], end: Origin): Prompt[] {
      const inTranscript = new Set(prompts.map(({ text }) => text))
      const taken = new Set<Prompt>()
      return questions.flatMap(
        ({ at, text, label = 'side question', mayBeTaken, ...position }, index): Prompt[] => {
          if (label !== 'waiting' && inTranscript.has(text)) return []
          const later = mayBeTaken && prompts.find((each) => !taken.has(each) && isTaken(each, { at, text }))
          if (later) {
            taken.add(later)
            return []
          }
          const { line, offset } = position.line === 0 ? end : position
          const event: SessionEvent = {
            id: label === 'waiting' ? `waiting-${index}-${at}` : `side-question-${at}`,
            at,
            payload: { type: 'message', role: 'user', speaker: 'human', parts: [] },
            index: 0,
            origin: { line, offset, length: 0 },
            // No record of this file contains it. The order keeps several questions before one line in
            // sequence.
            order: index - questions.length,
          }
          return [{ event, speaker: 'human', text, media: [], label }]
        },
      )
    },
  }
}

/** Whether a prompt is one that waited in the queue. */
const isTaken = (prompt: Prompt, waited: Pick<SideQuestion, 'at' | 'text'>): boolean =>
  (prompt.event.at ?? 0) >= waited.at && wordsOf(prompt.text) === wordsOf(waited.text)

const wordsOf = (text = ''): string => text.split(/\s+/).filter(Boolean).join(' ')

/** A prompt in the queue. */
interface Waiting {
  event: SessionEvent
  text?: string
}

/** Collects the prompts of one session, including those queued while the agent was busy. */
export function createPrompts(artifact: Artifact, clean: (text: string) => string = (text) => text) {
  const list: Prompt[] = []
  /** The index of each prompt, by what is the same in duplicates of its record. */
  const originals = new Map<number, number>()
  let waiting: Waiting[] = []
  /** Prompts that certainly left the queue as an ordinary line. */
  const delivered: Waiting[] = []
  /**
   * Prompts that left, or may have left, in the middle of a turn. The queue is not always served in order and
   * seldom names the prompt.
   */
  const absorbed: Waiting[] = []
  /** An unidentified prompt has left the queue since it was last empty. */
  let doubtful = false
  /** A person sat in front of the program that sent prompts; see `Payload`. */
  let attended = false

  /** The earlier prompt that this one duplicates under another id. Notes the prompt if there is none. */
  function originalOf({ event: { payload, id }, text, media }: Prompt): Prompt | undefined {
    if (payload.type !== 'message' || id === undefined) return undefined
    const key = hash53([payload.messageId ?? id, text ?? '', media.join()], 0)
    const original = list[originals.get(key) ?? -1]
    if (original && original.event.id !== id) return original
    originals.set(key, list.length)
    return undefined
  }

  /** Appends to the previous prompt if this one continues it. Otherwise returns false. */
  function continued({ event: { payload, parentId }, text }: Prompt): boolean {
    const last = list.at(-1)
    if (payload.type !== 'message' || !payload.continues || last?.event.id === undefined) return false
    if (last.event.id !== parentId || last.text === undefined) return false
    last.text = `${last.text} ${text ?? ''}`.trimEnd()
    return true
  }

  /** The prompts of the queue that no ordinary line repeats. */
  function unmatched(prompts: readonly Prompt[]): Waiting[] {
    if (absorbed.length === 0 && waiting.length === 0) return []
    const repeats = createRepeats(prompts)
    for (const each of delivered) repeats(each)
    return [...absorbed, ...waiting]
      .sort((a, b) => a.event.origin.line - b.event.origin.line)
      .filter((each) => each.text !== undefined && !repeats(each))
  }

  return {
    add(prompt: Prompt): void {
      if (continued(prompt)) return
      const last = list.at(-1)
      const original = isSibling(prompt, last) ? last : originalOf(prompt)
      if (original) original.copies = [...(original.copies ?? []), prompt.event.id!]
      else list.push(prompt)
    },

    /** Notes that a person sits in front of the program that sends the prompts. */
    attend(): void {
      attended = true
    },

    queue(event: SessionEvent): void {
      if (event.payload.type !== 'queue') return
      const { operation, text } = event.payload
      if (operation === 'enqueue') waiting.push({ event, text })
      else {
        const named = text === undefined ? -1 : waiting.findIndex((each) => each.text === text)
        if (operation === 'pop-all') {
          // Moved back to the input line. If sent, it is recorded again. Each prompt has its own `pop-all`
          // entry.
          waiting = named < 0 ? [] : waiting.filter((_, index) => index !== named)
          return
        }
        doubtful ||= named < 0 && waiting.length > 1
        const [taken] = waiting.splice(Math.max(0, named), 1)
        const certain = named >= 0 || !doubtful
        if (taken) (operation === 'dequeue' && certain ? delivered : absorbed).push(taken)
        doubtful &&= waiting.length > 0
      }
    },

    /**
     * Decides the speakers, as far as the file was read; more prompts may be added later. Prompts that never
     * left the queue, or left it in the middle of a turn, are included unless an ordinary line repeats them.
     * `questions` has prompts from another file. `kindHint`: what the path or the header says of the session.
     */
    settle(
      questions: (prompts: readonly Prompt[]) => Prompt[] = () => [],
      kindHint: SessionKind | undefined = artifact.kindHint,
    ) {
      const prompts = list.map((each) => ({ ...each }))
      append(prompts, questions(prompts))
      const queued = unmatched(prompts)
      const driven =
        prompts.some((each) => each.speaker === 'human') ||
        !prompts.some((each) => each.speaker === 'program')
      for (const { event, text } of queued)
        prompts.push({ event, speaker: driven ? 'human' : 'program', text, media: [], label: 'queued' })
      prompts.sort((a, b) => a.event.origin.line - b.event.origin.line || a.event.order - b.event.order)
      return { prompts, ...decideSpeakers(prompts, { links: artifact.links, kindHint, attended, clean }) }
    },
  }
}

/** The client stores the siblings within this time. */
const SIBLING_MS = 1000

/** Whether the client stored the same prompt twice: as it came, and as it is sent. */
function isSibling(prompt: Prompt, last: Prompt | undefined): last is Prompt {
  const { id, parentId, at } = prompt.event
  return (
    last !== undefined &&
    id !== undefined &&
    last.event.id !== undefined &&
    prompt.text !== undefined &&
    prompt.text === last.text &&
    parentId === last.event.parentId &&
    at !== undefined &&
    Math.abs(at - (last.event.at ?? 0)) <= SIBLING_MS
  )
}

/** The lines of a text without surrounding white space and without the `!` of a shell command. */
const linesOf = (text: string): string =>
  text
    .replace(/^! /, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

const isQueued = ({ event: { payload } }: Prompt): boolean =>
  payload.type === 'message' && payload.queued === true

/**
 * Returns a test for whether a later line repeats a queued prompt: on its own, each line for one prompt only,
 * or among several that were sent together.
 */
function createRepeats(prompts: readonly Prompt[]): (waited: Waiting) => boolean {
  const whole = new Map<string, Prompt[]>()
  const joined: { line: number; lines: string }[] = []
  for (const prompt of prompts) {
    if (prompt.text === undefined) continue
    const lines = linesOf(prompt.text)
    const same = whole.get(lines)
    if (same) same.push(prompt)
    else whole.set(lines, [prompt])
    if (lines.includes('\n')) joined.push({ line: prompt.event.origin.line, lines: `\n${lines}\n` })
  }
  return ({ event, text }) => {
    if (text === undefined) return false
    const { line } = event.origin
    const wanted = linesOf(text)
    const same = whole.get(wanted) ?? []
    const later = same.filter((each) => each.event.origin.line > line)
    const found = later.find(isQueued) ?? later[0]
    if (found) same.splice(same.indexOf(found), 1)
    return (
      found !== undefined || joined.some((each) => each.line > line && each.lines.includes(`\n${wanted}\n`))
    )
  }
}
