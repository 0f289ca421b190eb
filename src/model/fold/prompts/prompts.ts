import type { Artifact } from '../../artifact.ts'
import type { SessionEvent, SessionKind } from '../../event.ts'
import { hashText, type IdHash } from '../../hash.ts'
import { append } from '../../lists.ts'
import { IdTable, type IdTableState } from '../state/id-table.ts'
import { LongList, type LongListState } from '../state/long-list.ts'
import { type ChangedParts, NO_PARTS, type StateParts } from '../state/parts.ts'
import { PROMPT_PART } from '../state/sizes.ts'
import type { Prompt, Waiting } from './prompt.ts'
import { decideSpeakers, NO_PROMPTS, type PromptSummary } from './prompt-decision.ts'
import { EMPTY_ROW, type PromptRow, withPrompts } from './prompt-row.ts'
import { createRepeats } from './repeated-prompts.ts'
import type { SideQuestions } from './side-questions.ts'

/** The prompts read so far, as plain data. */
export interface PromptState {
  prompts: LongListState<Prompt>
  /** Which prompts there are, by what is the same in duplicates of a record; see `originalOf`. */
  originals: IdTableState
  waiting: Waiting[]
  /** An unidentified prompt has left the queue since it was last empty. */
  doubtful: boolean
  /** Prompts that certainly left the queue as an ordinary line. */
  delivered: LongListState<Waiting>
  /**
   * Prompts that left, or may have left, in the middle of a turn. The queue is not always served in order and
   * seldom names the prompt.
   */
  absorbed: LongListState<Waiting>
  /** A person sat in front of the program that sent prompts; see `Payload`. */
  attended?: boolean
  /** What was decided. Absent if all speakers have to be decided again. */
  decided?: Decided
}

interface Decided {
  summary: PromptSummary
  row: PromptRow
}

/** The prompts with their speakers, as far as the file was read. */
export interface SettledPrompts {
  /** In file order. With `holds`, only those since the state was loaded. */
  prompts: Prompt[]
  /** Earlier prompts are as they were. */
  holds: boolean
  kind: SessionKind | null
  /** The text of the only prompt, if the client does not record whether a person typed it. */
  only?: string
  /** About all prompts. */
  row: PromptRow
}

interface PromptOptions {
  parts?: StateParts
  /** What other files say is as it was; see `outsideOf`. */
  isSameOutside?: boolean
}

interface SettleOptions {
  /** The kind of the session according to the path or the header. */
  kindHint?: SessionKind | undefined
  /** False if all prompts are wanted. */
  mayHold?: boolean
}

const NO_QUESTIONS: SideQuestions = { settle: () => [], holds: () => true }
/** The only flag of an original. Its value is the index of the prompt, and half of the hash of its id. */
const ORIGINAL = 1

/** Collects the prompts of one session, including those queued while the agent was busy. */
export function createPrompts(
  artifact: Artifact,
  before?: PromptState,
  { parts = NO_PARTS, isSameOutside = false }: PromptOptions = {},
) {
  const list = new LongList('prompts', PROMPT_PART, parts, before?.prompts)
  const originals = new IdTable('originals', parts, before?.originals)
  const delivered = new LongList('delivered', PROMPT_PART, parts, before?.delivered)
  const absorbed = new LongList('absorbed', PROMPT_PART, parts, before?.absorbed)
  let waiting = before ? [...before.waiting] : []
  let doubtful = before?.doubtful ?? false
  const decidedBefore = isSameOutside ? before?.decided : undefined
  const wasQueueing = waiting.length > 0 || absorbed.length > 0
  /** Something was added since the state was loaded. */
  let isTouched = false
  /** An earlier prompt has changed. */
  let isStale = false
  let decided: Decided | undefined
  let attended = before?.attended ?? false

  /** The prompt that this one duplicates under another id, or the prompt itself. */
  function originalOf(prompt: Prompt): Prompt {
    const index = noteOriginal(originals, prompt, list.length)
    return index === undefined ? prompt : list.all()[index]!
  }

  /** Appends to the previous prompt if this one continues it. Otherwise returns false. */
  function continued({ event: { payload, parentId }, text }: Prompt): boolean {
    const { last } = list
    if (payload.type !== 'message' || !payload.continues || last?.event.id === undefined) return false
    if (last.event.id !== parentId || last.text === undefined) return false
    last.text = `${last.text} ${text ?? ''}`.trimEnd()
    isStale ||= list.length === list.resumedFrom
    return true
  }

  /** Notes a duplicate. The original is stored again, whichever part of the state it is in. */
  function addCopy(original: Prompt, name: string): void {
    original.copies = [...(original.copies ?? []), name]
    list.reopen()
    isStale = true
  }

  /** The prompts of the queue that no ordinary line repeats. */
  function unmatched(prompts: readonly Prompt[]): Waiting[] {
    if (absorbed.length === 0 && waiting.length === 0) return []
    const repeats = createRepeats(prompts)
    for (const each of delivered.all()) repeats(each)
    return [...absorbed.all(), ...waiting]
      .sort((a, b) => a.event.origin.line - b.event.origin.line)
      .filter((each) => each.text !== undefined && !repeats(each))
  }

  /** The new prompts with their speakers. Undefined if those of earlier ones have changed. */
  function settleNew(questions: SideQuestions, kindHint?: SessionKind): SettledPrompts | undefined {
    if (!decidedBefore || isStale || decidedBefore.summary.kindHint !== kindHint) return undefined
    if (!questions.holds(isTouched)) return undefined
    const { summary, row } = decidedBefore
    if (!isTouched) {
      decided = decidedBefore
      return { prompts: [], holds: true, kind: summary.kind, only: summary.only, row }
    }
    if (wasQueueing || absorbed.length > 0 || waiting.length > 0 || summary.lastOnly) return undefined
    const prompts = list.from(list.resumedFrom).map((each) => ({ ...each }))
    if (prompts.some((each) => each.lastOnly)) return undefined
    const next = decideSpeakers(prompts, summary, { links: artifact.links, kindHint, attended })
    return next && settledWith(prompts, next, row)
  }

  function settledWith(prompts: Prompt[], summary: PromptSummary, rowBefore?: PromptRow): SettledPrompts {
    const row = withPrompts(rowBefore ?? EMPTY_ROW, prompts)
    decided = { summary, row }
    return { prompts, holds: rowBefore !== undefined, kind: summary.kind, only: summary.only, row }
  }

  return {
    add(prompt: Prompt): void {
      isTouched = true
      if (continued(prompt)) return
      const original = isSibling(prompt, list.last) ? list.last : originalOf(prompt)
      if (original === prompt) list.push(prompt)
      else addCopy(original, prompt.event.id!)
    },

    /** Notes that a person sits in front of the program that sends the prompts. */
    attend(): void {
      if (!attended) isStale = true
      attended = true
    },

    queue(event: SessionEvent): void {
      if (event.payload.type !== 'queue') return
      isTouched = true
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
     * `questions` has prompts from another file.
     */
    settle(
      questions = NO_QUESTIONS,
      { kindHint = artifact.kindHint, mayHold = true }: SettleOptions = {},
    ): SettledPrompts {
      const settled = mayHold ? settleNew(questions, kindHint) : undefined
      if (settled) return settled
      const prompts = list.all().map((each) => ({ ...each }))
      append(prompts, questions.settle(prompts))
      const queued = unmatched(prompts)
      const driven =
        prompts.some((each) => each.speaker === 'human') ||
        !prompts.some((each) => each.speaker === 'program')
      for (const { event, text } of queued)
        prompts.push({ event, speaker: driven ? 'human' : 'program', text, media: [], label: 'queued' })
      prompts.sort((a, b) => a.event.origin.line - b.event.origin.line || a.event.order - b.event.order)
      const facts = { links: artifact.links, kindHint, attended }
      return settledWith(prompts, decideSpeakers(prompts, NO_PROMPTS, facts)!)
    },

    save: (changed: ChangedParts): PromptState => ({
      prompts: list.save(changed),
      originals: originals.save(changed),
      waiting: [...waiting],
      doubtful,
      ...(attended && { attended }),
      delivered: delivered.save(changed),
      absorbed: absorbed.save(changed),
      ...(decided && isShort(decided) && { decided }),
    }),
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

/** A longer text is not stored a second time. The speakers of its session are decided again. */
const LONGEST_ONLY = 64 * 1024
const isShort = ({ summary: { only } }: Decided): boolean => only === undefined || only.length <= LONGEST_ONLY

const key: IdHash = { high: 0, low: 0 }
const idHash: IdHash = { high: 0, low: 0 }
const value: IdHash = { high: 0, low: 0 }

/**
 * Notes a prompt with its index, unless it duplicates one under another id. Then it returns the index of that
 * one.
 */
export function noteOriginal(originals: IdTable, prompt: Prompt, index: number): number | undefined {
  const { payload, id } = prompt.event
  if (payload.type !== 'message' || id === undefined) return undefined
  hashText(`${payload.messageId ?? id} ${prompt.text ?? ''} ${prompt.media.join()}`, key)
  hashText(id, idHash)
  if (originals.get(key, value) !== 0 && value.low !== idHash.low) return value.high
  originals.put(key, ORIGINAL, { high: index, low: idHash.low })
  return undefined
}
