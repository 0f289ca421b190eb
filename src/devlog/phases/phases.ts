import { oneLine } from '../../render/markdown.ts'
import { printable } from '../../render/printable.ts'
import { isEdit } from '../evidence/calls.ts'
import { cite, cutQuote, GAP } from '../evidence/citation.ts'
import type { Citation, Dynamic, ErrorEvidence, Phase } from '../evidence/evidence.ts'
import { sentencesOf } from '../evidence/sentences.ts'
import type { Turn } from '../evidence/turns.ts'
import { countWords } from '../evidence/words.ts'
import { hardPartOf } from './hard-part.ts'
import { joinSegments, type Segment, segmentsOf } from './segment.ts'
import { splitLong } from './split-long.ts'

const MOST_PHASES = 16
const MOST_FILES = 8
const TITLE = 70
const LEAST_WORDS = 3
const CLIENT_COMMAND = /^\/[a-z][\w:-]*\s*$/

const isClientCommand = ({ text }: Turn['prompt']): boolean => CLIENT_COMMAND.test(text ?? '')

/** The time line of main sessions, cut into phases. The turns of a session are in order. */
export function phasesOf(
  sessions: readonly (readonly Turn[])[],
  dynamics: readonly Dynamic[],
  errors: readonly ErrorEvidence[],
): Phase[] {
  const segments = sessions
    .flatMap(segmentsOf)
    .filter(({ turns }) => turns.some(({ prompt }) => prompt.who === 'human'))
    .sort((a, b) => a.turns[0]!.at - b.turns[0]!.at)
  const counts = new Map(sessions.map((turns) => [turns[0]?.source, turns.length]))
  const parts = joinSegments(segments, MOST_PHASES)
  // With many phases, splitting would exceed the limit.
  const smaller = parts.length > MOST_PHASES / 2 ? parts : parts.flatMap(splitLong)
  return (smaller.length <= MOST_PHASES ? smaller : parts).map((segment) =>
    phaseOf(segment, counts, dynamics, errors),
  )
}

function phaseOf(
  { turns }: Segment,
  counts: ReadonlyMap<Turn['source'] | undefined, number>,
  dynamics: readonly Dynamic[],
  errors: readonly ErrorEvidence[],
): Phase {
  const edits = new Map<string, number>()
  for (const { items } of turns)
    for (const { tool } of items)
      if (tool?.target && isEdit({ name: tool.name, target: tool.target }))
        edits.set(tool.target, (edits.get(tool.target) ?? 0) + 1)
  const contains = spanOf(turns)
  const human = turns.filter(({ prompt }) => prompt.who === 'human')
  // A command of the client says nothing about what was wanted.
  const first = human.find(({ prompt }) => !isClientCommand(prompt)) ?? human[0]!
  const end = turns.reduce((latest, turn) => (turn.end > latest.end ? turn : latest))
  const reply = end.items.findLast(({ who, text }) => who === 'agent' && text)
  const own = dynamics.filter(({ citations }) => contains(citations[0]!))
  const failures = errors.filter(({ error }) => contains(error))
  return {
    title: titleOf(turns, first, counts),
    from: new Date(turns[0]!.at).toISOString(),
    to: new Date(end.end).toISOString(),
    sessions: [...new Set(turns.map(({ source }) => source.session.id))],
    turns: turns.length,
    files: [...edits]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_FILES)
      .map(([path, count]) => ({ path, edits: count })),
    changedFiles: edits.size,
    errors: failures.length,
    asked: cite(first.source.session, first.prompt),
    result: reply ? cite(end.source.session, reply) : null,
    hardPart: hardPartOf(own, failures, repeatedPrompts(turns)),
  }
}

/**
 * The prompts that are the same as an earlier one, and that one. Short ones such as "go on" repeat anyway.
 */
function repeatedPrompts(turns: readonly Turn[]): Citation[] {
  const groups = Map.groupBy(
    turns.filter(({ prompt }) => prompt.who === 'human' && countWords(prompt.text ?? '') >= LEAST_WORDS),
    ({ prompt }) => oneLine(prompt.text!).toLowerCase(),
  )
  const most = [...groups.values()].reduce<readonly Turn[]>((a, b) => (b.length > a.length ? b : a), [])
  return most.map(({ source, prompt }) => cite(source.session, prompt))
}

/** Whether a citation is within these turns. */
function spanOf(turns: readonly Turn[]): (citation: Citation) => boolean {
  const spans = new Map<string, { from: number; to: number }>()
  for (const { source, prompt, items } of turns) {
    const { path } = source.session
    const to = items.at(-1)?.line ?? prompt.line
    const span = spans.get(path)
    if (!span) spans.set(path, { from: prompt.line, to })
    else spans.set(path, { from: Math.min(span.from, prompt.line), to: Math.max(span.to, to) })
  }
  return ({ path, line }) => {
    const span = spans.get(path)
    return span !== undefined && line >= span.from && line <= span.to
  }
}

/** The title of the session if the phase is all of it, else the beginning of the first prompt. */
function titleOf(
  turns: readonly Turn[],
  { source, prompt }: Turn,
  counts: ReadonlyMap<Turn['source'] | undefined, number>,
): string {
  const own = turns.filter((turn) => turn.source === source)
  const { title, annotation } = source.session
  const given = annotation?.name ?? title
  const isWhole = own.length === turns.length && own.length === counts.get(source)
  if (isWhole && given) return shortTitle(given.replace(/^\[\w+\] /, ''))
  // A greeting or a short answer is no title.
  const texts = own
    .filter(({ prompt: each }) => each.who === 'human')
    .map(({ prompt: each }) => sentencesOf(each.text))
  const sentence = texts.flat().find((each) => countWords(each) >= LEAST_WORDS) ?? texts[0]?.[0]
  return shortTitle(sentence ?? prompt.media?.[0] ?? 'Without words')
}

/** Words of a title are no quotation, so the gap is marked as usual. */
const shortTitle = (text: string): string => cutQuote(oneLine(printable(text)), TITLE).replace(` ${GAP}`, '…')
