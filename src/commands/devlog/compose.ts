import { parseBudget } from '../../condense/budget.ts'
import type { Draft } from '../../devlog/draft/document.ts'
import { evidenceDraft } from '../../devlog/draft/evidence-draft.ts'
import { type Fitted, fitDraft } from '../../devlog/draft/fit-budget.ts'
import { createFootnotes } from '../../devlog/draft/footnotes.ts'
import { draftHtml } from '../../devlog/draft/html.ts'
import { draftMarkdown } from '../../devlog/draft/markdown.ts'
import { draftOf } from '../../devlog/draft/styles.ts'
import type { Evidence } from '../../devlog/evidence/evidence.ts'
import type { FactFinding } from '../../devlog/facts/finding.ts'
import { ScrollbackError } from '../../errors.ts'
import type { DevlogInput } from './input.ts'
import { documentPage } from './page.ts'
import { createTokenCounter } from './tokens.ts'

/** A draft as text, with what the budget left out. */
export interface Composed {
  draft: Draft
  /** In the requested format. */
  text: string
  budget: { wanted: number; used: number; leftOut: Fitted['leftOut'] } | undefined
  /** If a writer wrote the text. */
  facts?: { asked: number; findings: FactFinding[] }
}

/** Makes the draft, or the list of evidence, in the requested format and within the budget. */
export async function compose(evidence: Evidence, given: DevlogInput, now: number): Promise<Composed> {
  const whole = given.evidence ? evidenceDraft(evidence) : draftOf(evidence, given.style, given.voice)
  const textOf = (draft: Draft): string =>
    given.format === 'html' ? documentPage(draft.title, draftHtml(draft), now) : draftMarkdown(draft)
  if (given.budget === undefined) return { draft: whole, text: textOf(whole), budget: undefined }
  const wanted = parseBudget(given.budget)!
  const count = await createTokenCounter()
  const fitted = fitDraft(whole, wanted, (draft) => count(textOf(draft)))
  if (!fitted)
    throw new ScrollbackError(
      'bad-option',
      `--budget: ${given.budget} tokens are too few for this draft`,
      'Allow more, or choose fewer sessions with --sessions or --since.',
    )
  const { draft, tokens, leftOut } = fitted
  return { draft, text: textOf(draft), budget: { wanted, used: tokens, leftOut } }
}

/** The number of different records that a draft cites. */
export function citationsIn({ blocks }: Draft): number {
  const notes = createFootnotes()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('digest' in value && 'line' in value) notes.numberOf(value as never)
    else for (const each of Object.values(value)) look(each)
  }
  look(blocks)
  return notes.all().length
}
