import { shortName } from '../model/hidden.ts'
import { codeSpan, plainMarkdown, quoteMarkdown } from '../render/markdown.ts'
import { counted } from '../render/table.ts'
import { printable, shownLine } from '../render/terminal.ts'
import { markOf, type NameOf } from './citation.ts'
import type { Evidence, Phase, UsedSession } from './evidence.ts'
import type { Exchange } from './exchanges.ts'
import { guideOf, type Style, type VoiceName } from './guide.ts'
import { shortTitle } from './sentences.ts'
import { coverageLine, days, figuresOf, unreadLine } from './summary.ts'

/** How a brief is made. */
export interface BriefOptions {
  style: Style
  voice: VoiceName
  /** In tokens. */
  budget: number
  nameOf: NameOf
  /** Removes from a text of a transcript what must not be shown. */
  clean?(text: string): string
  /** A section with the states of files, for `--code`. */
  code?: string
  /** The texts about the parts, if a writer has written them. */
  chapters?: readonly string[]
  /** The text around the conversation, for a brief that is no story's base. Such a brief has one part. */
  frame?: typeof frameOf
}

/** Options of the brief about the whole: the number of further briefs, each about a part. */
export type FrameOptions = BriefOptions & { parts?: number }

/** Which part of a long project a brief is about. */
export interface Part {
  number: number
  of: number
}

/** The first and the last time of exchanges, as ISO 8601. */
export const spanOf = (exchanges: readonly Exchange[]): [string, string] => {
  const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : '')
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { at, end } of exchanges) {
    from = Math.min(from, at)
    to = Math.max(to, end)
  }
  return [iso(from), iso(to)]
}

/** Text of a transcript on one line of ours: without what must not be shown, and without Markdown. */
export const plainIn = ({ clean }: Pick<BriefOptions, 'clean'>, text: string): string =>
  plainMarkdown(printable(clean ? clean(text) : text))

/** A name from a file, such as a title or a branch: quoted, short, and in one line. */
export const nameIn = ({ clean }: Pick<BriefOptions, 'clean'>, name: string): string =>
  codeSpan(shortName(shownLine(clean ? clean(name) : name)))

export const titleOf = (
  { project, topic }: Evidence,
  options: BriefOptions,
  part: Part | undefined,
): string =>
  `Brief: ${plainIn(options, project ?? 'several projects')}${topic === null ? '' : `, ${plainIn(options, topic)}`}${part ? `, part ${part.number} of ${part.of}` : ''}`

/** A row of the table of sessions needs so much of the budget. */
const TOKENS_PER_ROW = 600
const MOST_ROWS = 40

/** Everything but the conversation: the guide, the tables, and how to check the text. */
export function frameOf(
  exchanges: readonly Exchange[],
  evidence: Evidence,
  options: FrameOptions,
  part: Part | undefined,
  conversation = '',
): string {
  const { style, voice, code, chapters, parts = 0 } = options
  const unread = unreadLine(evidence)
  const own = part && new Set(exchanges.map(({ source }) => source.session.id))
  const [from, to] = spanOf(exchanges)
  const sessions = evidence.sessions.filter(({ id, main }) => main && (!own || own.has(id)))
  const phases = evidence.phases.filter(
    (phase) => !own || (phase.from <= to && phase.to >= from && phase.sessions.some((id) => own.has(id))),
  )
  return [
    `# ${titleOf(evidence, options, part)}`,
    coverageLine(evidence),
    ...(unread === undefined ? [] : [unread]),
    ...(parts > 0 && !chapters
      ? [
          `This is a long project: much is left out here. ${parts} further briefs tell it in parts (\`--part 1\` to \`--part ${parts}\`).`,
        ]
      : []),
    `## How to write it\n\n${guideOf(style, voice, evidence.languages, part !== undefined)}`,
    `## Sessions\n\n${sessionTable(sessions, options)}${meanwhileLine(evidence)}`,
    ...(phases.length > 0
      ? [`## Time line\n\n${phases.map((phase) => phaseLine(phase, options)).join('\n')}`]
      : []),
    ...(chapters
      ? [
          `## The parts, as they were written\n\nJoin them to one text. Keep their marks; where the messages below say otherwise, follow the messages.\n\n${chapters.map((chapter, index) => `### Part ${index + 1}\n\n${quoteMarkdown(chapter)}`).join('\n\n')}`,
        ]
      : []),
    ...(conversation === '' ? [] : [`## The conversation\n\n${conversation}`]),
    ...(code === undefined || part ? [] : [`## Code: first and last state\n\n${code}`]),
    `## When it is written\n\nSave it as \`story.md\` and run \`scrollback devlog --check story.md\`. The check looks up quotes, numbers, names and dates.\n`,
  ].join('\n\n')
}

function sessionTable(sessions: readonly UsedSession[], options: BriefOptions): string {
  const most = Math.min(MOST_ROWS, Math.ceil(options.budget / TOKENS_PER_ROW))
  const shown =
    sessions.length <= most
      ? sessions
      : [...sessions]
          .sort((a, b) => b.turns - a.turns)
          .slice(0, most)
          .sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1))
  const rest = sessions.length - shown.length
  return [
    '| session | from | to | title | prompts | replies | tool calls | errors |',
    '|---|---|---|---|---|---|---|---|',
    ...shown.map(
      ({ id, startedAt, lastActivityAt, title, turns, messages, toolCalls, errors }) =>
        `| ${options.nameOf(id)} | ${minute(startedAt)} | ${minute(lastActivityAt)} | ${plainIn(options, shortTitle(title ?? 'untitled', 60))} | ${turns} | ${messages.agent} | ${toolCalls} | ${errors} |`,
    ),
    ...(rest > 0 ? [`\n${counted(rest, 'shorter session')} not listed.`] : []),
  ].join('\n')
}

const minute = (at: string | null): string => (at === null ? '-' : `${at.slice(0, 10)} ${at.slice(11, 16)}`)

/** One line about what ran beside the sessions of the human. */
function meanwhileLine({ sessions }: Evidence): string {
  const others = sessions.filter(({ main }) => !main)
  if (others.length === 0) return ''
  const kinds = Map.groupBy(others, ({ kind }) => kind ?? 'unknown')
  const calls = others.reduce((sum, { toolCalls }) => sum + toolCalls, 0)
  return `\n\nMeanwhile ran ${[...kinds].map(([kind, own]) => counted(own.length, KINDS[kind] ?? 'other session')).join(', ')} (${counted(calls, 'tool call')}).`
}

const KINDS: Readonly<Record<string, string>> = {
  subagent: 'subagent',
  cron: 'scheduled session',
  heartbeat: 'heartbeat session',
  program: 'session of a program',
}

function phaseLine(phase: Phase, options: BriefOptions): string {
  const { title, from, to, hardPart } = phase
  const hard = hardPart
    ? `; hard part: ${hardPart.why} ${markOf(hardPart.citations[0]!, options.nameOf)}`
    : ''
  return `- ${days(from, to)}: **${plainIn(options, title)}** (${figuresOf(phase).join(', ')})${hard}`
}
