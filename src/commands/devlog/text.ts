import { counted, grouped, homely, readableBytes, table } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import type { DevlogAnswer } from './answer.ts'

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
        value: ({ now, state }) => (now && state === 'moved' ? `${now.session.slice(0, 8)}:${now.line}` : ''),
        rest: true,
      },
    ],
    screen,
  )
}
