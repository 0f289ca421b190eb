import type { SideQuestion } from '../artifact.ts'
import type { Origin } from '../event.ts'
import type { Prompt } from './speakers.ts'

/** A question with the line it precedes, 0 until a later line is known. */
interface PendingQuestion extends SideQuestion {
  line: number
  offset: number
}

/**
 * Side questions of the human, which the client stores in another file. Each is placed before the first line
 * with a later time, or at the end of the file.
 */
export function createSideQuestions(asked: readonly SideQuestion[] = [], clean: (text: string) => string) {
  const questions: PendingQuestion[] = asked
    .map(({ at, text }) => ({ at, text: clean(text), line: 0, offset: 0 }))
    .sort((a, b) => a.at - b.at)
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
      return questions.flatMap(({ at, text, ...position }, index): Prompt[] => {
        if (inTranscript.has(text)) return []
        const { line, offset } = position.line === 0 ? end : position
        const label = 'side question'
        const payload = {
          type: 'message' as const,
          role: 'user' as const,
          speaker: 'human' as const,
          parts: [],
        }
        const event = {
          id: `side-question-${at}`,
          at,
          payload,
          index: 0,
          origin: { line, offset, length: 0 },
          // No record of this file contains it. The order keeps several questions before one line in
          // sequence.
          order: index - questions.length,
        }
        return [{ event, speaker: 'human', text, media: [], label }]
      })
    },
  }
}
