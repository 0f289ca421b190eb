import type { Artifact } from './artifact.ts'
import type { SessionEvent, SessionKind, Speaker } from './event.ts'
import { hashText } from './id-set.ts'
import { textDigest } from './item-key.ts'
import { append } from './lists.ts'
import { labelOfSender, SCRIPT_THRESHOLD, type Sender } from './session-links.ts'

/** A user turn, before it is known who drove the session. */
export interface Prompt {
  event: SessionEvent
  speaker: Speaker
  text?: string
  media: string[]
  label?: string
  kindEvidence?: SessionKind
  lastOnly?: boolean
  unmarked?: boolean
  /** The session that sent it. */
  by?: Sender
  /** Records that repeat it in the same file, where a history was written anew. */
  copies?: string[]
}

interface Waiting {
  event: SessionEvent
  text?: string
}

/** The lines of a text, white space and the sign of a shell line put aside. */
const linesOf = (text: string): string =>
  text
    .replace(/^! /, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

/** A long text takes a number for its middle, so that no key holds another copy of it. */
function shortened(text: string): string {
  if (text.length <= LONG_TEXT) return text
  hashText(text, hash)
  return `${text.slice(0, LONG_TEXT)} ${text.length} ${hash.high} ${hash.low}`
}
const LONG_TEXT = 256
const hash = { high: 0, low: 0 }

const isQueued = ({ event: { payload } }: Prompt): boolean =>
  payload.type === 'message' && payload.queued === true

/** What is known of the prompts of a file that was read so far: plain data. */
export interface PromptState {
  prompts: Prompt[]
  waiting: Waiting[]
  /** Since the queue was last empty somebody left it of whom it is not known who. */
  doubtful: boolean
  /** Left the queue for an ordinary line, beyond doubt. */
  delivered: Waiting[]
  /** Left it in the middle of a turn, or perhaps so: the queue is not always served in order and seldom says whom. */
  absorbed: Waiting[]
}

/** Who said what, as far as the file was read. */
export interface SettledPrompts {
  /** In file order. */
  prompts: Prompt[]
  kind: SessionKind | null
  /** The words of a session that nobody said more in, where its client does not tell whether a person typed them. */
  only?: string
}

/** The prompt of a session with no other, of whom nothing says that a person typed it. */
function onlyOf(prompts: readonly Prompt[]): Prompt | undefined {
  const said = prompts.filter((each) => each.speaker === 'human')
  const [only] = said
  return said.length === 1 && only?.unmarked && !only.by ? only : undefined
}

/** The user turns of one session and the queue of prompts that were typed while the agent was busy. */
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

  /** The one of which a prompt is a copy, under another id: the prompt itself where it is none. */
  function originalOf(prompt: Prompt): Prompt {
    const { payload, id } = prompt.event
    if (payload.type !== 'message' || id === undefined) return prompt
    const key = `${payload.messageId ?? id} ${shortened(prompt.text ?? '')} ${prompt.media.join()}`
    const original = originals.get(key)
    if (original && original.event.id !== id) return original
    originals.set(key, prompt)
    return prompt
  }

  /** Joins words to the prompt they continue. False when they do not, or when that prompt is not there. */
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
          // Back in the input line: what becomes of it is typed again. Each prompt has such an entry of its own.
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
     * Decides who spoke, as far as the file was read; more may be added afterwards. Prompts that never left the queue, or
     * were absorbed in the middle of a turn, are told when no ordinary line repeats them. `beside` has what another file keeps. Returns
     * them in file order.
     */
    settle(beside: (prompts: readonly Prompt[]) => Prompt[] = () => []): SettledPrompts {
      const prompts = state.prompts.map((each) => ({ ...each }))
      append(prompts, beside(prompts))
      let unheard = [...absorbed, ...state.waiting].sort((a, b) => a.event.origin.line - b.event.origin.line)
      if (unheard.length > 0) {
        const repeats = createRepeats(prompts)
        for (const each of delivered) repeats(each)
        unheard = unheard.filter((each) => each.text !== undefined && !repeats(each))
      }
      const driven =
        prompts.some((each) => each.speaker === 'human') ||
        !prompts.some((each) => each.speaker === 'program')
      for (const { event, text } of unheard)
        prompts.push({ event, speaker: driven ? 'human' : 'program', text, media: [], label: 'queued' })
      prompts.sort((a, b) => a.event.origin.line - b.event.origin.line || a.event.order - b.event.order)
      const lastOwn = prompts.findLast((each) => each.lastOnly && each.speaker === 'human')
      for (const each of prompts)
        if (each.lastOnly && each !== lastOwn) Object.assign(each, { speaker: 'program', label: 'copied' })
      markSent(prompts)
      const only = onlyOf(prompts)
      if (only && (artifact.links?.script?.confidence ?? 0) >= SCRIPT_THRESHOLD)
        Object.assign(only, { speaker: 'program', label: 'probably a script' })
      const kind = kindOf(prompts)
      if (kind !== null && kind !== 'human' && !lastOwn)
        for (const each of prompts)
          if (each.speaker === 'human') Object.assign(each, { speaker: 'program', label: each.label ?? kind })
      return { prompts, kind, only: only?.text }
    },
  }

  /** Who sent them is known of some: of these none is a human's. */
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

  /** The place decides, then what the first turn says of itself, then who spoke. */
  function kindOf(prompts: readonly Prompt[]): SessionKind | null {
    const isSent = prompts.some((each) => each.by) && !prompts.some((each) => each.speaker === 'human')
    if (artifact.kindHint && !(artifact.kindHint === 'human' && isSent)) return artifact.kindHint
    const first = prompts[0]
    const evidence = first?.kindEvidence
    if (evidence === 'cron' || evidence === 'subagent' || evidence === 'hook') return evidence
    if (prompts.some((each) => each.speaker === 'human')) return 'human'
    return first ? (evidence ?? 'program') : null
  }
}

/**
 * Whether a later line says what waited in the queue: alone, and then for one prompt only, or as one of several that
 * were handed over together.
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
