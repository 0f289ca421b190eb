import type { Draft } from '../draft/document.ts'
import { evidenceDraft } from '../draft/evidence-draft.ts'
import { fitDraft } from '../draft/fit-budget.ts'
import type { Footnotes } from '../draft/footnotes.ts'
import { bodyMarkdown, footnoteLines } from '../draft/markdown.ts'
import { phaseBlocks, phaseHeading } from '../draft/phase-blocks.ts'
import { voices } from '../draft/voice.ts'
import { checkFacts, type LocatedFinding } from '../facts/check.ts'
import { answerText } from './answer.ts'
import { type Assignment, digestGuide, storyGuide } from './guide.ts'
import { messageBlocks } from './messages.ts'
import { packOf, type Section } from './pack.ts'
import { isInPhase, phaseEvidence } from './phase-evidence.ts'
import { type Subject, textsOf } from './texts.ts'
import { withoutFindings } from './without-findings.ts'

/** A story that is to be written. */
export interface Commission extends Assignment, Subject {}

/** The writer, and how much it reads at once. */
export interface Writer {
  ask(pack: string): Promise<string>
  /** Counts tokens. */
  count(text: string): number
  /** The most tokens of a pack. */
  window: number
}

/** A written text without footnotes, what the check found in it, and what it was checked against. */
export interface WrittenStory {
  text: string
  findings: LocatedFinding[]
  notes: Footnotes
  /** How often the writer was asked. */
  asked: number
}

const DIGEST_TOKENS = 300
/** The share of a pack that the draft of a long project may have. The rest is for digests. */
const DRAFT_SHARE = 0.5

/**
 * Has a text written and checks it. If the material is too long for one pack, the writer first makes a digest
 * of every part; sentences of a digest that the evidence does not hold are left out.
 */
export async function writeStory(commission: Commission, writer: Writer): Promise<WrittenStory> {
  const { draft } = commission
  const { notes, material, ...texts } = textsOf(commission)
  const sourcesOf = (texts: readonly string[]): Section => ({
    title: 'Footnotes',
    text: footnoteLines(notes, texts.join('\n')).join('\n'),
  })
  let asked = 0
  const ask = async (pack: string): Promise<string> => {
    asked++
    return answerText(await writer.ask(pack))
  }
  const guide = storyGuide(commission)
  const whole = packOf(guide, [
    { title: 'Draft', text: texts.draft },
    { title: 'Evidence', text: texts.evidence },
    { title: 'Messages', text: texts.messages },
    sourcesOf([texts.draft, texts.evidence, texts.messages]),
  ])
  if (writer.count(whole) <= writer.window) {
    const text = await ask(whole)
    return { text, findings: checkFacts(text, material), notes, asked }
  }
  const digests: string[] = []
  for (const [index, pack] of partPacks(commission, writer, notes, sourcesOf).entries()) {
    const digest = await ask(pack)
    digests.push(`Part ${index + 1}:\n${withoutFindings(digest, checkFacts(digest, material))}`)
  }
  const digestText = digests.join('\n\n')
  const last = (fitted: Draft): string => {
    const text = bodyMarkdown(fitted, notes)
    return packOf(guide, [
      { title: 'Digests of the parts, in order', text: digestText },
      { title: 'Draft', text },
      sourcesOf([text, digestText]),
    ])
  }
  const room = Math.max(writer.window * DRAFT_SHARE, writer.window - writer.count(digestText))
  const fitted = fitDraft(draft, room, (each) => writer.count(last(each)) - writer.count(digestText))
  const text = await ask(last(fitted?.draft ?? { ...draft, blocks: draft.blocks.slice(0, 1) }))
  return { text, findings: checkFacts(text, material), notes, asked }
}

/** Packs about consecutive phases, as many as fit into one. */
function partPacks(
  { evidence, sources, clean, ...assignment }: Commission,
  { count, window }: Writer,
  notes: Footnotes,
  sourcesOf: (texts: readonly string[]) => Section,
): string[] {
  const guide = digestGuide(assignment, DIGEST_TOKENS)
  const packWith = (texts: readonly string[]): string =>
    packOf(guide, [{ title: 'Evidence', text: texts.join('\n\n') }, sourcesOf(texts)])
  const packs: string[] = []
  let held: string[] = []
  for (const phase of evidence.phases) {
    const own = phaseEvidence(evidence, phase)
    const blocks = [phaseHeading(phase), ...phaseBlocks(phase, own, voices[assignment.voice], 'deep')]
    const messages = messageBlocks(sources, voices[assignment.voice], {
      isIn: (each) => isInPhase(each, phase),
      ...(clean ? { clean } : {}),
    })
    const whole: Draft = {
      title: phase.title,
      blocks: [...blocks, ...evidenceDraft(own).blocks.slice(2), ...messages],
    }
    const fitted = fitDraft(whole, window, (each) => count(packWith([bodyMarkdown(each, notes)])))
    const text = bodyMarkdown(fitted?.draft ?? { ...whole, blocks: blocks.slice(0, 2) }, notes)
    if (held.length > 0 && count(packWith([...held, text])) > window) {
      packs.push(packWith(held))
      held = []
    }
    held.push(text)
  }
  if (held.length > 0) packs.push(packWith(held))
  return packs
}
