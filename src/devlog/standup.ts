import { oneLine } from '../render/markdown.ts'
import { printable } from '../render/terminal.ts'
import { quotable, resultOf, wishOf } from './drafts.ts'
import type { Evidence } from './evidence.ts'
import { type Exchange, exchangesOf } from './exchanges.ts'
import { countWords, cutText } from './sentences.ts'
import { type SourceSession, shownPath } from './turns.ts'

/** What happened in a project, in plain words without citation marks. */
export interface StandupOfProject {
  project: string | null
  /** What people asked for, and what the agents said came of it, in the order of time. */
  wanted: string[]
  result: string[]
  changed: string[]
  open: string[]
  /** The sessions that people drove. */
  sessions: number
}

const LONGEST = 160

/**
 * A standup for each project, the first active one first. What was said is redacted if the sources are.
 *
 * @example
 * standupOf(sources, evidence) // => [{ project: 'api', wanted: ['Round once per order'], … }]
 */
export function standupOf(sources: readonly SourceSession[], evidence: Evidence): StandupOfProject[] {
  const exchanges = Map.groupBy(exchangesOf(sources), ({ source }) => source)
  const byProject = Map.groupBy(sources, ({ project }) => project ?? null)
  return Array.from(byProject, ([project, own]): StandupOfProject => {
    const driven = own.filter(({ main }) => main)
    const ids = new Set(own.map(({ session }) => session.id))
    const turns = driven.map((source) => exchanges.get(source) ?? [])
    const last = turns.flatMap((some) => some.at(-1) ?? [])
    const { errors, questions, files, tests } = evidence
    const test = tests.findLast(({ run }) => ids.has(run.session))
    return {
      project,
      wanted: distinct(turns.flatMap((some) => textOf(wishOf(some)?.prompt) ?? [])),
      result: distinct(turns.flatMap((some) => textOf(cameOf(some)?.conclusion) ?? [])),
      changed: files
        .filter(({ sessions }) => sessions.some((id) => ids.has(id)))
        .map(({ path }) => shownPath(path, own[0]!.session)),
      open: distinct([
        ...errors.flatMap(({ error, ending }) =>
          ending === 'still-failing' && ids.has(error.session) ? inLine(error.quote) : [],
        ),
        ...(test?.outcome === 'failed' && test.error
          ? [`the last run of tests failed: ${inLine(test.error.quote)}`]
          : []),
        ...questions.flatMap(({ by, question, answer }) =>
          by === 'agent' && answer === null && ids.has(question.session) ? inLine(question.quote) : [],
        ),
        ...last.flatMap(({ prompt, conclusion }) =>
          !conclusion && countWords(prompt.text ?? '') > 3 ? (textOf(prompt) ?? []) : [],
        ),
      ]),
      sessions: driven.length,
    }
  }).filter(
    ({ wanted, result, changed, open }) => wanted.length + result.length + changed.length + open.length > 0,
  )
}

/** In a few lines a short result counts, too. One that ends in a question is none. */
const LEAST_RESULT = 6

const cameOf = (turns: readonly Exchange[]): Exchange | undefined =>
  turns.findLast(({ conclusion }) => {
    const text = textOf(conclusion) ?? ''
    return countWords(text) >= LEAST_RESULT && !text.endsWith('?')
  }) ?? resultOf(turns)

const textOf = (item: Parameters<typeof quotable>[0] | undefined): string | undefined => {
  const text = item && quotable(item, LONGEST)
  return text === undefined ? undefined : inLine(text)
}

const inLine = (text: string): string => cutText(oneLine(printable(text)), LONGEST)

const distinct = (lines: readonly string[]): string[] => [...new Set(lines)]
