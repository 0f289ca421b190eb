import { parseBudget } from '../../condense/budget.ts'
import type { FactFinding } from '../../devlog/facts/finding.ts'
import { markFindings } from '../../devlog/facts/mark.ts'
import { finishStory } from '../../devlog/writer/finish.ts'
import { writeStory } from '../../devlog/writer/story.ts'
import type { Subject } from '../../devlog/writer/texts.ts'
import type { Context } from '../kit/command.ts'
import { createWriter } from './ask-writer.ts'
import type { DevlogInput } from './input.ts'
import { createTokenCounter } from './tokens.ts'

const USUAL_CONTEXT = '24k'
const USUAL_SECONDS = 600

/** A written text with marks, and what was found in it. */
export interface Written {
  text: string
  findings: FactFinding[]
  tokens: number
  /** How often the writer was asked. */
  asked: number
}

/** Has the story written by the user's command, and checks every fact in it. */
export async function write(
  subject: Omit<Subject, 'voice'>,
  { writer, writerContext = USUAL_CONTEXT, writerTimeout = USUAL_SECONDS, ...given }: DevlogInput,
  context: Context,
): Promise<Written> {
  const ask = createWriter(writer!, writerTimeout, context)
  const count = await createTokenCounter()
  const { style, voice } = given
  const budget = given.budget === undefined ? undefined : parseBudget(given.budget)
  const { text, findings, notes, asked } = await writeStory(
    { ...subject, style, voice, budget },
    { ask, count, window: parseBudget(writerContext)! },
  )
  const finished = finishStory(markFindings(text, findings), subject.draft, notes)
  return {
    text: finished,
    findings: findings.map(({ kind, line, sentence, what }) => ({ kind, line, sentence, what })),
    ...{ tokens: count(finished), asked },
  }
}
