import type { Artifact } from '../../artifact.ts'
import type { SessionKind } from '../../event.ts'
import { textDigest } from '../../item-key.ts'
import { labelOfSender, SCRIPT_THRESHOLD } from '../../session-links.ts'
import type { Prompt } from './prompt.ts'

/** What the speakers of later prompts depend on, of all prompts so far. */
export interface PromptSummary {
  /** How many there are, and how many a human sent unless their speaker depends on the others. */
  count: number
  human: number
  /** Whether another session sent one. */
  sent: boolean
  /** What the first one says about the session. */
  evidence?: SessionKind
  /** Whether one is a human's only as the last of its kind. */
  lastOnly: boolean
  /** The text of the only human prompt, if the client does not record whether a person typed it. */
  only?: string
  /** That prompt probably comes from a script. */
  scripted: boolean
  /** The kind of session whose prompts all are a program's. */
  program?: SessionKind
  kind: SessionKind | null
  kindHint?: SessionKind
}

export const NO_PROMPTS: PromptSummary = {
  ...{ count: 0, human: 0, sent: false, lastOnly: false, scripted: false, kind: null },
}

/**
 * Decides the speakers of prompts, which follow those that are summarized. Returns the summary with them;
 * undefined if the speakers of earlier prompts have changed.
 */
export function decideSpeakers(
  prompts: readonly Prompt[],
  before: PromptSummary,
  { links, kindHint, attended }: Pick<Artifact, 'links' | 'kindHint'> & { attended: boolean },
): PromptSummary | undefined {
  if (attended)
    for (const each of prompts) if (each.attended) Object.assign(each, { speaker: 'human', label: undefined })
  const lastOwn = prompts.findLast((each) => each.lastOnly && each.speaker === 'human')
  for (const each of prompts)
    if (each.lastOnly && each !== lastOwn) Object.assign(each, { speaker: 'program', label: 'copied' })
  markSent(prompts, links)
  const humans = prompts.filter(isHuman)
  const human = before.human + humans.length
  const summary: PromptSummary = {
    count: before.count + prompts.length,
    human,
    sent: before.sent || prompts.some((each) => each.by),
    evidence: before.count > 0 ? before.evidence : prompts[0]?.kindEvidence,
    lastOnly: before.lastOnly || prompts.some((each) => each.lastOnly),
    scripted: human === 1 && before.scripted,
    kind: null,
    kindHint,
  }
  const [own] = humans
  if (human === 1 && !own) summary.only = before.only
  if (human === 1 && own?.unmarked && !own.by) {
    summary.only = own.text
    summary.scripted = (links?.script?.confidence ?? 0) >= SCRIPT_THRESHOLD
    if (summary.scripted) Object.assign(own, { speaker: 'program', label: 'probably a script' })
  }
  summary.kind = kindOf(summary)
  if (summary.kind !== null && summary.kind !== 'human' && !lastOwn) {
    summary.program = summary.kind
    for (const each of prompts)
      if (isHuman(each)) Object.assign(each, { speaker: 'program', label: each.label ?? summary.kind })
  }
  if (before.count === 0) return summary
  const isScript = before.scripted === (summary.scripted && !own)
  return isScript && before.program === summary.program ? summary : undefined
}

const isHuman = ({ speaker }: Prompt): boolean => speaker === 'human'

/** Labels prompts that another session sent. Their speaker is `program`. */
function markSent(prompts: readonly Prompt[], links: Artifact['links']): void {
  const sent = links?.sent
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
function kindOf({ count, human, scripted, sent, evidence, kindHint }: PromptSummary): SessionKind | null {
  const hasHuman = human - (scripted ? 1 : 0) > 0
  // The path or the header says where a human may write, not whether one did.
  const isDriven = !hasHuman && (sent || evidence !== undefined)
  if (kindHint && !(kindHint === 'human' && isDriven)) return kindHint
  if (evidence === 'cron' || evidence === 'subagent' || evidence === 'hook') return evidence
  if (hasHuman) return 'human'
  return count > 0 ? (evidence ?? 'program') : null
}
