import type { Artifact } from '../artifact.ts'
import type { SessionEvent, SessionKind, Speaker } from '../event.ts'
import { textDigest } from '../item-key.ts'
import type { Session } from '../session.ts'
import { labelOfSender, SCRIPT_THRESHOLD, type Sender } from '../session-links.ts'

/** Messages in a session row are cut to this many characters. Less is shown. */
export const QUOTE_LIMIT = 12_000
/** At most this many prompts from other sessions are listed. */
const MOST_SENT = 50
/** How many of the first human messages may name the project. */
const OPENING = 5
const LATEST = 3

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
  /** See `Payload`. */
  attended?: 'maybe' | 'certainly'
  /** The session that sent the prompt. */
  by?: Sender
  /** Duplicates of the record in the same file, after the client rewrote its history. */
  copies?: string[]
}

/** What a session row contains of its prompts. */
export interface PromptRow {
  /** How many are a human's. */
  human: number
  /** The first texts of the human, and the last ones. */
  first: string[]
  last: string[]
  firstProgram?: string
  sent: NonNullable<Session['promptedBy']>
}

/** What the prompts of a session say about it. */
export interface DecidedSession {
  kind: SessionKind | null
  /** The text of the only human prompt, if the client does not record whether a person typed it. */
  only: string | undefined
  row: PromptRow
}

/** Decides the speakers of all prompts of a session, and of which kind it is. Changes the prompts. */
export function decideSpeakers(
  prompts: readonly Prompt[],
  { links, kindHint, attended }: Pick<Artifact, 'links' | 'kindHint'> & { attended: boolean },
): DecidedSession {
  if (attended)
    for (const each of prompts) if (each.attended) Object.assign(each, { speaker: 'human', label: undefined })
  const lastOwn = prompts.findLast((each) => each.lastOnly && isHuman(each))
  for (const each of prompts)
    if (each.lastOnly && each !== lastOwn) Object.assign(each, { speaker: 'program', label: 'copied' })
  markSent(prompts, links)
  const humans = prompts.filter(isHuman)
  const [own] = humans
  const unmarked = humans.length === 1 && own?.unmarked && !own.by ? own : undefined
  if (unmarked && (links?.script?.confidence ?? 0) >= SCRIPT_THRESHOLD)
    Object.assign(unmarked, { speaker: 'program', label: 'probably a script' })
  const kind = kindOf(prompts, humans.some(isHuman), kindHint)
  if (kind !== null && kind !== 'human' && !lastOwn)
    for (const each of prompts)
      if (isHuman(each)) Object.assign(each, { speaker: 'program', label: each.label ?? kind })
  return { kind, only: unmarked?.text, row: rowOf(prompts) }
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
function kindOf(
  prompts: readonly Prompt[],
  hasHuman: boolean,
  kindHint: SessionKind | undefined,
): SessionKind | null {
  const evidence = prompts[0]?.kindEvidence
  const sent = prompts.some((each) => each.by)
  // The path or the header says where a human may write, not whether one did.
  const isDriven = !hasHuman && (sent || evidence !== undefined)
  if (kindHint && !(kindHint === 'human' && isDriven)) return kindHint
  if (evidence === 'cron' || evidence === 'subagent' || evidence === 'hook') return evidence
  if (hasHuman) return 'human'
  return prompts.length > 0 ? (evidence ?? 'program') : null
}

/** What a session row contains of these prompts. */
function rowOf(prompts: readonly Prompt[]): PromptRow {
  const human = prompts.filter(isHuman)
  const texts = human.flatMap((each) => each.text ?? [])
  const program = prompts.find((each) => each.speaker === 'program' && each.text)?.text
  const sent = prompts.flatMap(({ by, event }) => (by ? [{ line: event.origin.line, by }] : []))
  return {
    human: human.length,
    first: texts.slice(0, OPENING).map(quote),
    last: texts.slice(-LATEST).map(quote),
    ...(program === undefined ? {} : { firstProgram: quote(program) }),
    sent: sent.slice(0, MOST_SENT),
  }
}

const quote = (text: string): string => (text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text)
