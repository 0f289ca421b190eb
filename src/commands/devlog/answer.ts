import * as z from 'zod/mini'
import { FACT_KINDS } from '../../devlog/check.ts'
import { markOf, type NameOf } from '../../devlog/citation.ts'
import { type Citation, DYNAMIC_KINDS, type Evidence } from '../../devlog/evidence.ts'
import { STYLES } from '../../devlog/guide.ts'
import { plainMarkdown } from '../../render/markdown.ts'
import { counted, grouped, homely, readableBytes, table } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'

const citationShape = () =>
  z.object({
    session: z.string(),
    path: z.string(),
    line: z.number(),
    at: z.nullable(z.string()),
    quote: z.string(),
    digest: z.string(),
  })

const maybeCitation = () => z.nullable(citationShape())
const sides = () => z.object({ human: z.number(), agent: z.number(), program: z.number() })

const sessionShape = () =>
  z.object({
    id: z.string(),
    path: z.string(),
    platform: z.string(),
    agent: z.string(),
    kind: z.nullable(z.string()),
    project: z.nullable(z.string()),
    title: z.nullable(z.string()),
    startedAt: z.nullable(z.string()),
    lastActivityAt: z.nullable(z.string()),
    main: z.boolean(),
    turns: z.number(),
    messages: sides(),
    words: sides(),
    toolCalls: z.number(),
    errors: z.number(),
  })

const phaseShape = () =>
  z.object({
    title: z.string(),
    from: z.string(),
    to: z.string(),
    sessions: z.array(z.string()),
    turns: z.number(),
    files: z.array(z.object({ path: z.string(), edits: z.number() })),
    changedFiles: z.number(),
    errors: z.number(),
    asked: citationShape(),
    result: maybeCitation(),
    commits: z.number(),
    hardPart: z.nullable(z.object({ why: z.string(), citations: z.array(citationShape()) })),
  })

const coverageShape = () =>
  z.object({
    sessions: z.object({ used: z.number(), fitting: z.number(), seen: z.number() }),
    items: z.object({ read: z.number(), there: z.number() }),
    duplicates: z.number(),
  })

/** The evidence as JSON. */
const evidenceShape = () =>
  z.object({
    project: z.nullable(z.string()),
    topic: z.nullable(z.string()),
    span: z.nullable(z.object({ from: z.string(), to: z.string() })),
    coverage: coverageShape(),
    sessions: z.array(sessionShape()),
    totals: z.object({ turns: z.number(), words: sides(), toolCalls: z.number(), errors: z.number() }),
    languages: z.array(z.object({ language: z.string(), messages: z.number(), read: z.boolean() })),
    phases: z.array(phaseShape()),
    questions: z.array(
      z.object({ by: z.enum(['human', 'agent']), question: citationShape(), answer: maybeCitation() }),
    ),
    dynamics: z.array(
      z.object({
        kind: z.enum(DYNAMIC_KINDS),
        detail: z.nullable(z.string()),
        about: maybeCitation(),
        citations: z.array(citationShape()),
      }),
    ),
    files: z.array(
      z.object({
        path: z.string(),
        status: z.enum(['created', 'changed']),
        edits: z.number(),
        sessions: z.array(z.string()),
        asked: z.array(citationShape()),
        askedBy: z.object({ human: z.number(), program: z.number() }),
        first: citationShape(),
        last: citationShape(),
      }),
    ),
    tests: z.array(
      z.object({
        outcome: z.enum(['failed', 'no-error', 'unknown']),
        run: citationShape(),
        error: maybeCitation(),
      }),
    ),
    errors: z.array(
      z.object({
        tool: z.nullable(z.string()),
        error: citationShape(),
        times: z.number(),
        ending: z.enum(['fixed', 'still-failing', 'not-repeated']),
        fixedBy: maybeCitation(),
      }),
    ),
    commits: z.array(z.object({ subject: z.string(), commit: citationShape() })),
    pullRequests: z.array(
      z.object({ url: z.nullable(z.string()), title: z.nullable(z.string()), mention: citationShape() }),
    ),
  })

const leakShape = () => z.object({ kind: z.string(), value: z.nullable(z.string()), times: z.number() })

const briefShape = () =>
  z.object({
    /** From 1, or 0 for the whole project. */
    part: z.number(),
    title: z.string(),
    from: z.string(),
    to: z.string(),
    tokens: z.number(),
    messages: z.object({ whole: z.number(), cut: z.number(), leftOut: z.number() }),
    /** Absent if it was written to a file. */
    text: z.optional(z.string()),
  })

const reportShape = () =>
  z.object({
    title: z.string(),
    words: z.number(),
    citations: z.number(),
    sessions: z.number(),
    coverage: coverageShape(),
    span: z.nullable(z.object({ from: z.string(), to: z.string() })),
    keyFiles: z.array(z.string()),
    /** With a budget: tokens, and what was left out of a draft. */
    budget: z.optional(z.object({ wanted: z.number(), used: z.number(), leftOut: z.number() })),
  })

/** What the check found in a text. */
const checkShape = () =>
  z.object({
    /** The checked file, or the command that wrote the text. */
    of: z.string(),
    holds: z.number(),
    moved: z.number(),
    edited: z.number(),
    gone: z.number(),
    citations: z.array(
      z.object({
        label: z.string(),
        session: z.string(),
        line: z.number(),
        digest: z.string(),
        state: z.enum(['holds', 'moved', 'edited', 'gone']),
        now: z.optional(
          z.object({ session: z.string(), path: z.string(), line: z.number(), at: z.optional(z.number()) }),
        ),
        stored: z.boolean(),
      }),
    ),
    findings: z.array(
      z.object({
        kind: z.enum(FACT_KINDS),
        line: z.number(),
        sentence: z.string(),
        what: z.string(),
        nearest: z.nullable(z.string()),
      }),
    ),
    sentences: z.object({ checked: z.number(), unmarked: z.number() }),
  })

/**
 * The answer of `devlog`: briefs, a draft, a written text or evidence; with `--check`, what the check found.
 */
export const output = () =>
  z.object({
    version: z.literal(1),
    style: z.enum(STYLES),
    selection: z.optional(
      z.array(
        z.object({
          id: z.string(),
          path: z.string(),
          isIn: z.boolean(),
          main: z.boolean(),
          why: z.string(),
          title: z.nullable(z.string()),
          startedAt: z.nullable(z.string()),
        }),
      ),
    ),
    evidence: z.optional(evidenceShape()),
    /** The first is about the whole project. */
    briefs: z.optional(z.array(briefShape())),
    /** A draft or a written text, unless it was written to a file. */
    draft: z.optional(z.string()),
    files: z.optional(z.array(z.object({ path: z.string(), bytes: z.number() }))),
    report: z.optional(reportShape()),
    /** With `--writer`: how often it was asked. */
    asked: z.optional(z.number()),
    leaks: z.optional(z.array(leakShape())),
    /** With `--check` or `--writer`. */
    check: z.optional(checkShape()),
  })

export type DevlogAnswer = z.output<ReturnType<typeof output>>

type Leaks = NonNullable<DevlogAnswer['leaks']>
type Check = NonNullable<DevlogAnswer['check']>

/** The report about what was written to files. */
export function* reportText({ files = [], briefs, report }: DevlogAnswer, screen: Screen): Generator<string> {
  for (const { path, bytes } of files) yield `Wrote ${homely(path, screen.home)} (${readableBytes(bytes)})\n`
  if (!report) return
  yield '\n'
  const { title, words, citations, sessions, coverage, span, keyFiles, budget } = report
  const shown = briefs?.[0]?.messages
  const rows = [
    ['title', title],
    ['words', `${grouped(words)}, ${counted(citations, 'citation')}`],
    [
      'sessions',
      `${sessions}, ${span === null ? 'no recorded time' : `${span.from.slice(0, 10)} to ${span.to.slice(0, 10)}`}`,
    ],
    [
      'coverage',
      `${coverage.sessions.used} of ${counted(coverage.sessions.fitting, 'fitting session')}, ${grouped(coverage.items.read)} of ${counted(coverage.items.there, 'item')}`,
    ],
    ...(shown
      ? [
          [
            'messages',
            `${grouped(shown.whole)} whole, ${grouped(shown.cut)} cut, ${grouped(shown.leftOut)} left out`,
          ],
        ]
      : []),
    ...(keyFiles.length > 0 ? [['key files', keyFiles.join(', ')]] : []),
    ...(budget
      ? [
          [
            'budget',
            `${grouped(budget.used)} of ${counted(budget.wanted, 'token')}${budget.leftOut > 0 ? `; left out: ${counted(budget.leftOut, 'line')}` : ''}`,
          ],
        ]
      : []),
  ]
  for (const [name, value] of rows) yield `  ${name!.padEnd(9)} ${value}\n`
}

/** What to look at before publishing. */
export function* leakText(leaks: Leaks): Generator<string> {
  if (leaks.length === 0) {
    yield `\nThe leak check found nothing. ${NOT_LOOKED_FOR}\n`
    return
  }
  yield `\nBefore you publish this, look at ${counted(leaks.length, 'finding')} (replace all of them: --anonymize). ${NOT_LOOKED_FOR}\n`
  for (const { kind, value, times } of leaks)
    yield `  ${kind.padEnd(7)} ${value ?? '(not shown)'}${times > 1 ? `, ${times} times` : ''}\n`
}

export const NOT_LOOKED_FOR =
  'It does not look for names of people and companies in prose, postal addresses, or what pictures show.'

const MEANING: Record<Check['citations'][number]['state'], string> = {
  holds: 'holds',
  moved: 'moved',
  edited: 'a quotation was edited',
  gone: 'no transcript has this record',
}

const KIND: Record<Check['findings'][number]['kind'], string> = {
  quote: 'not in the records',
  speaker: 'another speaker',
  number: 'not in the records',
  date: 'not in the records',
  name: 'not in the records',
}

const LIMITS =
  'The check looks up quotes, numbers, names and dates. It does not judge whether a sentence draws the right conclusion.'

/** Which citations hold, and what no cited record contains. */
export function* checkText(check: Check, screen: Screen): Generator<string> {
  const { of, citations, findings, sentences, holds, moved, edited, gone } = check
  yield `${homely(of, screen.home)}: ${counted(citations.length, 'citation')}, ${holds} hold, ${moved} moved, ${edited} edited, ${gone} gone; ${counted(sentences.checked, 'sentence')} checked, ${counted(findings.length, 'finding')}\n`
  if (sentences.unmarked > 0)
    yield `${counted(sentences.unmarked, 'sentence')} with facts ${sentences.unmarked === 1 ? 'has' : 'have'} no mark and ${sentences.unmarked === 1 ? 'was' : 'were'} not looked up.\n`
  yield `${LIMITS}\n`
  for (const { line, kind, what, nearest, sentence } of findings) {
    yield `\nline ${line}: ${kind} ${what}: ${KIND[kind]}\n`
    if (nearest !== null) yield `  ${kind === 'speaker' ? nearest : `nearest: ${nearest}`}\n`
    yield `  ${sentence}\n`
  }
  const rows = citations.filter(({ state, stored }) => state !== 'holds' || stored)
  if (rows.length === 0) return
  yield '\n'
  yield* table(
    rows,
    [
      { title: 'MARK', value: ({ label }) => `[^${label}]`, whole: true },
      {
        title: 'STATE',
        value: ({ state, stored }) => (stored ? `${MEANING[state]}, in the store only` : MEANING[state]),
      },
      {
        title: 'NOW',
        value: ({ now, state }) =>
          now && state === 'moved' ? `${screen.suggest.id(now.session)}:${now.line}` : '',
        rest: true,
      },
    ],
    screen,
  )
}

/** The evidence as lists in Markdown, each entry with its citation. */
export function evidenceText(evidence: Evidence, nameOf: NameOf): string {
  const { sessions, dynamics, questions, errors, tests, commits, pullRequests, files } = evidence
  const words = (text: string | null): string => plainMarkdown(printable(text ?? 'untitled'))
  const mark = (citation: Citation): string => markOf(citation, nameOf)
  const quote = (citation: Citation): string => `“${words(citation.quote)}” ${mark(citation)}`
  const list = (title: string, rows: readonly string[]): string[] =>
    rows.length > 0 ? [`## ${title}\n\n${rows.map((row) => `- ${row}`).join('\n')}`] : []
  return [
    `# Evidence: ${words(evidence.project ?? 'several projects')}`,
    ...list(
      'Sessions',
      sessions.map(
        ({ id, title, kind, turns, messages }) =>
          `${nameOf(id)} ${words(title)}: ${kind ?? 'unknown'}, ${turns} turns, ${messages.human} messages of the human, ${messages.agent} of the agent`,
      ),
    ),
    ...list(
      'Phases',
      evidence.phases.map(
        ({ title, asked, result }) =>
          `${words(title)}: ${quote(asked)}${result ? ` — ${quote(result)}` : ''}`,
      ),
    ),
    ...list(
      'What happened between human and agent',
      dynamics.map(
        ({ kind, detail, about, citations }) =>
          `${kind}${detail === null ? '' : ` (${detail})`}: ${quote(citations[0]!)}${about ? `, about ${quote(about)}` : ''}`,
      ),
    ),
    ...list(
      'Questions',
      questions.map(
        ({ by, question, answer }) => `${by}: ${quote(question)} — ${answer ? quote(answer) : 'no answer'}`,
      ),
    ),
    ...list(
      'Errors',
      errors.map(
        ({ tool, error, times, ending }) =>
          `${words(tool ?? 'reported')}, ${times} times, ${ending}: ${quote(error)}`,
      ),
    ),
    ...list(
      'Tests',
      tests.map(({ outcome, run }) => `${outcome}: ${quote(run)}`),
    ),
    ...list(
      'Commits',
      commits.map(({ subject, commit }) => `${words(subject)} ${mark(commit)}`),
    ),
    ...list(
      'Pull requests',
      pullRequests.map(({ url, title, mention }) => `${words(title ?? url)} ${mark(mention)}`),
    ),
    ...list(
      'Files',
      files.map(({ path, status, edits, last }) => `${words(path)}: ${status}, ${edits} edits ${mark(last)}`),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}
