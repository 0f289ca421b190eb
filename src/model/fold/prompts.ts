import type { Artifact } from '../artifact.ts'
import type { SessionEvent, SessionKind } from '../event.ts'
import { hash53 } from '../hash.ts'
import { append } from '../lists.ts'
import { type DecidedSession, decideSpeakers, type Prompt } from './speakers.ts'

/** A prompt in the queue. */
interface Waiting {
  event: SessionEvent
  text?: string
}

/** The prompts with their speakers, as far as the file was read, and what they say about the session. */
export interface SettledPrompts extends DecidedSession {
  /** In file order. */
  prompts: Prompt[]
}

/** Collects the prompts of one session, including those queued while the agent was busy. */
export function createPrompts(artifact: Artifact) {
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
    ): SettledPrompts {
      const prompts = list.map((each) => ({ ...each }))
      append(prompts, questions(prompts))
      const queued = unmatched(prompts)
      const driven =
        prompts.some((each) => each.speaker === 'human') ||
        !prompts.some((each) => each.speaker === 'program')
      for (const { event, text } of queued)
        prompts.push({ event, speaker: driven ? 'human' : 'program', text, media: [], label: 'queued' })
      prompts.sort((a, b) => a.event.origin.line - b.event.origin.line || a.event.order - b.event.order)
      return { prompts, ...decideSpeakers(prompts, { links: artifact.links, kindHint, attended }) }
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
