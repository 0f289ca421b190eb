import type { Artifact } from './artifact.ts'
import type { SessionEvent, SessionKind, Speaker } from './event.ts'

/** A user turn, before it is known who drove the session. */
export interface Prompt {
  event: SessionEvent
  speaker: Speaker
  text?: string
  media: string[]
  label?: string
  kindEvidence?: SessionKind
  lastOnly?: boolean
}

interface Waiting {
  event: SessionEvent
  text?: string
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The user turns of one session and the queue of prompts that were typed while the agent was busy. */
export function createPrompts(artifact: Artifact) {
  const prompts: Prompt[] = []
  let waiting: Waiting[] = []
  const absorbed: Waiting[] = []

  return {
    add: (prompt: Prompt): void => void prompts.push(prompt),

    queue(event: SessionEvent): void {
      if (event.payload.type !== 'queue') return
      const { operation, text } = event.payload
      if (operation === 'enqueue') waiting.push({ event, text })
      else if (operation === 'pop-all') waiting = []
      else {
        const at =
          text === undefined
            ? 0
            : Math.max(
                0,
                waiting.findIndex((each) => each.text === text),
              )
        const [taken] = waiting.splice(at, 1)
        if (taken && operation === 'remove') absorbed.push(taken)
      }
    },

    /**
     * Decides who spoke. Prompts that never left the queue, or were absorbed in the middle of a turn, are told when
     * no ordinary line repeats them. Returns them in file order.
     */
    settle(): { prompts: Prompt[]; kind: SessionKind | null } {
      const unheard = [...absorbed, ...waiting].filter(
        ({ event, text }) => text !== undefined && !repeats(event, text),
      )
      const driven =
        prompts.some((each) => each.speaker === 'human') ||
        !prompts.some((each) => each.speaker === 'program')
      for (const { event, text } of unheard)
        prompts.push({ event, speaker: driven ? 'human' : 'program', text, media: [], label: 'queued' })
      prompts.sort((a, b) => a.event.origin.line - b.event.origin.line || a.event.index - b.event.index)
      const lastOwn = prompts.findLast((each) => each.lastOnly && each.speaker === 'human')
      for (const each of prompts)
        if (each.lastOnly && each !== lastOwn) Object.assign(each, { speaker: 'program', label: 'copied' })
      const kind = kindOf()
      if (kind !== null && kind !== 'human' && !lastOwn)
        for (const each of prompts)
          if (each.speaker === 'human') Object.assign(each, { speaker: 'program', label: each.label ?? kind })
      return { prompts, kind }
    },
  }

  function repeats(event: SessionEvent, text: string): boolean {
    const wanted = squeezed(text)
    return prompts.some(
      (each) =>
        each.event.origin.line > event.origin.line &&
        each.text !== undefined &&
        squeezed(each.text).includes(wanted),
    )
  }

  /** The place decides, then what the first turn says of itself, then who spoke. */
  function kindOf(): SessionKind | null {
    if (artifact.kindHint) return artifact.kindHint
    const first = prompts[0]
    const evidence = first?.kindEvidence
    if (evidence === 'cron' || evidence === 'subagent' || evidence === 'hook') return evidence
    if (prompts.some((each) => each.speaker === 'human')) return 'human'
    return first ? (evidence ?? 'program') : null
  }
}
