import { counted, grouped } from '../render/table.ts'
import type { Evidence, Phase } from './evidence.ts'
import { languageName } from './languages.ts'

/** `2026-09-01 to 2026-09-03`, or one day, of times in ISO 8601. */
export const days = (from: string, to: string): string =>
  from.slice(0, 10) === to.slice(0, 10) ? from.slice(0, 10) : `${from.slice(0, 10)} to ${to.slice(0, 10)}`

/** What a brief or draft is made from, in one line. */
export function coverageLine({ span, sessions, totals, coverage }: Evidence): string {
  const main = sessions.filter((session) => session.main).length
  const { sessions: of, items } = coverage
  return [
    span === null ? 'no recorded time' : days(span.from, span.to),
    counted(main, 'session') +
      (sessions.length > main ? ` and ${grouped(sessions.length - main)} that ran meanwhile` : ''),
    `${counted(totals.turns, 'prompt')} of the human`,
    counted(totals.toolCalls, 'tool call'),
    `coverage: ${grouped(of.used)} of ${counted(of.fitting, 'fitting session')}, ${grouped(items.read)} of ${counted(items.there, 'item')}`,
  ].join(' · ')
}

/** Says in which languages reactions of the human are not found. Undefined if there are none. */
export function unreadLine({ languages }: Evidence): string | undefined {
  const names = languages
    .filter(({ read }) => !read)
    .map(({ language, messages }) => `${languageName(language)} (${counted(messages, 'message')})`)
  return names.length === 0
    ? undefined
    : `Corrections, changes of course and agreement are not recognized in ${names.join(', ')}.`
}

/** What happened in a phase, in figures. */
export const figuresOf = ({ turns, changedFiles, commits, errors }: Phase): string[] => [
  counted(turns, 'turn'),
  ...(changedFiles > 0 ? [`${counted(changedFiles, 'file')} changed`] : []),
  ...(commits > 0 ? [counted(commits, 'commit')] : []),
  ...(errors > 0 ? [counted(errors, 'error')] : []),
]

/** Changes of course that the records state, by the detail of their dynamic. */
export const COURSE: Readonly<Record<string, string>> = {
  interrupted: 'the human interrupted the agent',
  declined: 'the human declined a tool call',
  'taken back': 'the human took this prompt back',
  reverted: 'changes were reverted',
}
