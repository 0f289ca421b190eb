import type { SideQuestion } from './artifact.ts'
import type { Origin } from './event.ts'
import type { Prompt } from './prompts.ts'

/** A question with the line it was asked before: 0 as long as no line is later. */
interface PlacedQuestion extends SideQuestion {
  line: number
  offset: number
}

/** The side questions of a file that was read so far: plain data. */
export type SideQuestionState = PlacedQuestion[]

/**
 * Questions that a human asked beside the conversation, and that another file keeps. Each takes its place before the first line that
 * is later; as long as there is none, it stands behind the last.
 */
export function createSideQuestions(
  asked: readonly SideQuestion[] = [],
  clean: (text: string) => string,
  before: SideQuestionState = [],
) {
  const known = new Set(before.map(({ at }) => at))
  const fresh = asked.filter(({ at }) => !known.has(at))
  const state: SideQuestionState = [
    ...before,
    ...fresh.map(({ at, text }) => ({ at, text: clean(text), line: 0, offset: 0 })),
  ].sort((a, b) => a.at - b.at)
  let waiting = state.filter(({ line }) => line === 0)
  return {
    state,
    /** A line of this time stands here. */
    reached(at: number, { line, offset }: Origin): void {
      if (waiting.length === 0 || waiting[0]!.at >= at) return
      for (const each of waiting) if (each.at < at) Object.assign(each, { line, offset })
      waiting = waiting.filter((each) => each.line === 0)
    },
    /** The questions that the file itself does not repeat; `end` is the line that would come next. */
    settle(prompts: readonly Prompt[], end: Origin): Prompt[] {
      const told = new Set(prompts.map(({ text }) => text))
      return state.flatMap(({ at, text, ...place }, index): Prompt[] => {
        if (told.has(text)) return []
        const { line, offset } = place.line === 0 ? end : place
        const label = 'side question'
        const payload = {
          type: 'message' as const,
          role: 'user' as const,
          speaker: 'human' as const,
          parts: [],
        }
        const event = {
          ...{ id: `side-question-${at}`, at, payload, index: 0 },
          // No record of this file holds it; several before one line keep their order.
          ...{ origin: { line, offset, length: 0 }, order: index - state.length },
        }
        return [{ event, speaker: 'human', text, media: [], label }]
      })
    },
  }
}
