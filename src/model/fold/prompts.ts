import type { Artifact } from '../artifact.ts'
import type { SessionEvent, SessionKind, Speaker } from '../event.ts'
import { hashText } from '../hash.ts'
import { textDigest } from '../item-key.ts'
import { append } from '../lists.ts'
import { labelOfSender, SCRIPT_THRESHOLD, type Sender } from '../session-links.ts'

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
  /** The session that sent the prompt. */
  by?: Sender
  /** Duplicates of the record in the same file, after the client rewrote its history. */
  copies?: string[]
}

interface Waiting {
  event: SessionEvent
  text?: string
}

/** The lines of a text without surrounding white space and without the `!` of a shell command. */
const linesOf = (text: string): string =>
  text
    .replace(/^! /, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

/** Replaces the rest of a long text by a hash, so that map keys stay small. */
function shortened(text: string): string {
  if (text.length <= LONG_TEXT) return text
  hashText(text, hash)
  return `${text.slice(0, LONG_TEXT)} ${text.length} ${hash.high} ${hash.low}`
}
const LONG_TEXT = 256
const hash = { high: 0, low: 0 }

const isQueued = ({ event: { payload } }: Prompt): boolean =>
  payload.type === 'message' && payload.queued === true

/** The prompts read so far, as plain data. */
export interface PromptState {
  prompts: Prompt[]
  waiting: Waiting[]
  /** An unidentified prompt has left the queue since it was last empty. */
  doubtful: boolean
  /** Prompts that certainly left the queue as an ordinary line. */
  delivered: Waiting[]
  /**
   * Prompts that left, or may have left, in the middle of a turn. The queue is not always served in order and
   * seldom names the prompt.
   */
  absorbed: Waiting[]
}

/** The prompts with their speakers, as far as the file was read. */
export interface SettledPrompts {
  /** In file order. */
  prompts: Prompt[]
  kind: SessionKind | null
  /** The text of the only prompt, if the client does not record whether a person typed it. */
  only?: string
}

/** The only prompt of a session, if nothing proves that a person typed it. */
function onlyOf(prompts: readonly Prompt[]): Prompt | undefined {
  const human = prompts.filter((each) => each.speaker === 'human')
  const [only] = human
  return human.length === 1 && only?.unmarked && !only.by ? only : undefined
}

/** Collects the prompts of one session, including those queued while the agent was busy. */
export function createPrompts(artifact: Artifact, before?: PromptState) {
  const state: PromptState = before ?? {
    prompts: [],
    waiting: [],
    doubtful: false,
    delivered: [],
    absorbed: [],
  }
  const { delivered, absorbed } = state
  const originals = new Map<string, Prompt>()
  for (const each of state.prompts) originalOf(each)

  /** The prompt that this one duplicates under another id, or the prompt itself. */
  function originalOf(prompt: Prompt): Prompt {
    const { payload, id } = prompt.event
    if (payload.type !== 'message' || id === undefined) return prompt
    const key = `${payload.messageId ?? id} ${shortened(prompt.text ?? '')} ${prompt.media.join()}`
    const original = originals.get(key)
    if (original && original.event.id !== id) return original
    originals.set(key, prompt)
    return prompt
  }

  /** Appends to the previous prompt if this one continues it. Otherwise returns false. */
  function continued({ event: { payload, parentId }, text }: Prompt): boolean {
    const last = state.prompts.at(-1)
    if (payload.type !== 'message' || !payload.continues || last?.event.id === undefined) return false
    if (last.event.id !== parentId || last.text === undefined) return false
    last.text = `${last.text} ${text ?? ''}`.trimEnd()
    return true
  }

  return {
    state,
    add(prompt: Prompt): void {
      if (continued(prompt)) return
      const original = originalOf(prompt)
      if (original === prompt) state.prompts.push(prompt)
      else original.copies = [...(original.copies ?? []), prompt.event.id!]
    },

    queue(event: SessionEvent): void {
      if (event.payload.type !== 'queue') return
      const { operation, text } = event.payload
      const { waiting } = state
      if (operation === 'enqueue') waiting.push({ event, text })
      else {
        const named = text === undefined ? -1 : waiting.findIndex((each) => each.text === text)
        if (operation === 'pop-all') {
          // Moved back to the input line. If sent, it is recorded again. Each prompt has its own `pop-all`
          // entry.
          state.waiting = named < 0 ? [] : waiting.filter((_, index) => index !== named)
          return
        }
        state.doubtful ||= named < 0 && waiting.length > 1
        const [taken] = waiting.splice(Math.max(0, named), 1)
        const certain = named >= 0 || !state.doubtful
        if (taken) (operation === 'dequeue' && certain ? delivered : absorbed).push(taken)
        state.doubtful &&= waiting.length > 0
      }
    },

    /**
     * Decides the speakers, as far as the file was read; more prompts may be added later. Prompts that never
     * left the queue, or left it in the middle of a turn, are included unless an ordinary line repeats them.
     * `elsewhere` returns prompts from another file. `kindHint` is the kind according to the path or the
     * header. The result is in file order.
     */
    settle(
      elsewhere: (prompts: readonly Prompt[]) => Prompt[] = () => [],
      kindHint = artifact.kindHint,
    ): SettledPrompts {
      const prompts = state.prompts.map((each) => ({ ...each }))
      append(prompts, elsewhere(prompts))
      let unmatched = [...absorbed, ...state.waiting].sort(
        (a, b) => a.event.origin.line - b.event.origin.line,
      )
      if (unmatched.length > 0) {
        const repeats = createRepeats(prompts)
        for (const each of delivered) repeats(each)
        unmatched = unmatched.filter((each) => each.text !== undefined && !repeats(each))
      }
      const driven =
        prompts.some((each) => each.speaker === 'human') ||
        !prompts.some((each) => each.speaker === 'program')
      for (const { event, text } of unmatched)
        prompts.push({ event, speaker: driven ? 'human' : 'program', text, media: [], label: 'queued' })
      prompts.sort((a, b) => a.event.origin.line - b.event.origin.line || a.event.order - b.event.order)
      const lastOwn = prompts.findLast((each) => each.lastOnly && each.speaker === 'human')
      for (const each of prompts)
        if (each.lastOnly && each !== lastOwn) Object.assign(each, { speaker: 'program', label: 'copied' })
      markSent(prompts)
      const only = onlyOf(prompts)
      if (only && (artifact.links?.script?.confidence ?? 0) >= SCRIPT_THRESHOLD)
        Object.assign(only, { speaker: 'program', label: 'probably a script' })
      const kind = kindOf(prompts, kindHint)
      if (kind !== null && kind !== 'human' && !lastOwn)
        for (const each of prompts)
          if (each.speaker === 'human') Object.assign(each, { speaker: 'program', label: each.label ?? kind })
      return { prompts, kind, only: only?.text }
    },
  }

  /** Labels prompts that another session sent. Their speaker is `program`. */
  function markSent(prompts: readonly Prompt[]): void {
    const sent = artifact.links?.sent
    if (!sent || sent.length === 0) return
    const senders = new Map(sent.map(({ digest, at, by }) => [`${digest} ${at}`, by]))
    for (const each of prompts) {
      if (each.text === undefined || each.event.at === undefined) continue
      const by = senders.get(`${textDigest(each.text)} ${each.event.at}`)
      if (!by) continue
      const label = each.speaker === 'program' && each.label !== undefined ? `${each.label}, ` : ''
      Object.assign(each, { speaker: 'program', label: label + labelOfSender(by), by })
    }
  }

  /** Decides by the path or the header, then by the first prompt's own evidence, then by the speakers. */
  function kindOf(prompts: readonly Prompt[], kindHint: SessionKind | undefined): SessionKind | null {
    const isSent = prompts.some((each) => each.by) && !prompts.some((each) => each.speaker === 'human')
    if (kindHint && !(kindHint === 'human' && isSent)) return kindHint
    const first = prompts[0]
    const evidence = first?.kindEvidence
    if (evidence === 'cron' || evidence === 'subagent' || evidence === 'hook') return evidence
    if (prompts.some((each) => each.speaker === 'human')) return 'human'
    return first ? (evidence ?? 'program') : null
  }
}

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
