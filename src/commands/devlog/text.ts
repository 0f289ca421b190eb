import { days } from '../../devlog/draft/parts.ts'
import { counted, grouped } from '../../render/counted.ts'
import type { Screen } from '../../render/screen.ts'
import { homely, readableBytes, table } from '../../render/table.ts'
import type { DevlogAnswer } from './answer.ts'

type Report = NonNullable<DevlogAnswer['report']>
type Leaks = NonNullable<DevlogAnswer['leaks']>
type Check = NonNullable<DevlogAnswer['check']>

/** The report about a draft that was written to a file. */
export function* reportText(
  file: NonNullable<DevlogAnswer['file']>,
  { title, words, citations, sessions, coverage, span, keyFiles, budget }: Report,
  screen: Screen,
): Generator<string> {
  yield `Wrote ${homely(file.path, screen.home)} (${readableBytes(file.bytes)})\n\n`
  const rows = [
    ['title', title],
    ['words', `${grouped(words)}, ${counted(citations, 'citation')}`],
    ['sessions', `${sessions}, ${span === null ? 'no recorded time' : days(span.from, span.to)}`],
    [
      'coverage',
      `${coverage.sessions.used} of ${counted(coverage.sessions.fitting, 'fitting session')}, ${grouped(coverage.items.read)} of ${counted(coverage.items.there, 'item')}`,
    ],
    ...(keyFiles.length > 0 ? [['key files', keyFiles.join(', ')]] : []),
    ...(budget
      ? [
          [
            'budget',
            `${grouped(budget.used)} of ${counted(budget.wanted, 'token')}; left out: ${counted(budget.leftOut.blocks, 'block')}; shortened: ${counted(budget.leftOut.shortened, 'quote')}`,
          ],
        ]
      : []),
  ]
  for (const [name, value] of rows) yield `  ${name!.padEnd(9)} ${value}\n`
}

/** What to look at before publishing. */
export function* leakText(leaks: Leaks): Generator<string> {
  if (leaks.length === 0) {
    yield '\nThe leak check found nothing.\n'
    return
  }
  yield `\nBefore you publish this, look at ${counted(leaks.length, 'finding')} (replace all of them: --anonymize):\n`
  for (const { kind, value, times } of leaks)
    yield `  ${kind.padEnd(7)} ${value ?? '(not shown)'}${times > 1 ? `, ${times} times` : ''}\n`
}

const MEANING: Record<Check['citations'][number]['state'], string> = {
  holds: 'holds',
  changed: 'the line has another record',
  edited: 'the quote is not in the record',
  gone: 'the transcript is gone',
}

/** Which citations hold. */
export function* checkText({ file, citations, ...counts }: Check, screen: Screen): Generator<string> {
  const { holds, changed, edited, gone } = counts
  yield `${homely(file, screen.home)}: ${counted(citations.length, 'citation')}, ${holds} hold, ${edited} edited, ${changed} changed, ${gone} gone\n`
  const rows = citations.filter(({ state, stored }) => state !== 'holds' || stored)
  if (rows.length === 0) return
  yield '\n'
  yield* table(
    rows,
    [
      { title: 'NOTE', value: ({ number }) => `[^${number}]`, whole: true },
      { title: 'SESSION', value: ({ session, line }) => `${session}:${line}`, whole: true },
      {
        title: 'STATE',
        value: ({ state, stored }) => (stored ? `${MEANING[state]}, in the store only` : MEANING[state]),
      },
      { title: 'QUOTE', value: ({ quotes }) => quotes[0] ?? '', rest: true },
    ],
    screen,
  )
}
