import { meaningOf } from '../../devlog/facts/mark.ts'
import { counted } from '../../render/counted.ts'
import type { Screen } from '../../render/screen.ts'
import { table } from '../../render/table.ts'
import type { DevlogAnswer } from './answer.ts'

type Facts = NonNullable<DevlogAnswer['facts']>

/** What the check found in a written text. Without a screen, as plain lines. */
export function* factsText({ findings }: Facts, screen: Screen | undefined): Generator<string> {
  if (findings.length === 0) {
    yield '\nThe fact check found nothing: every sentence is held by the records that it cites.\n'
    return
  }
  yield `\nThe fact check marked ${counted(findings.length, 'place')} as not verified:\n`
  if (!screen) {
    for (const { kind, line, what, sentence } of findings.slice(0, MOST_LINES))
      yield `  line ${line}, ${meaningOf(kind)}: ${short(what)} (${short(sentence)})\n`
    if (findings.length > MOST_LINES)
      yield `  ${findings.length - MOST_LINES} more: --out or --json lists them\n`
    return
  }
  yield* table(
    findings,
    [
      { title: 'LINE', value: ({ line }) => String(line), align: 'right', whole: true },
      { title: 'WHY', value: ({ kind }) => meaningOf(kind), whole: true },
      { title: 'WHAT', value: ({ what }) => what, most: 40 },
      { title: 'SENTENCE', value: ({ sentence }) => sentence, rest: true },
    ],
    screen,
  )
}

/** With --strict: why nothing was written. */
export function* refusedText(facts: Facts, screen: Screen): Generator<string> {
  yield 'Nothing was written, because --strict allows no sentence that the transcripts do not hold.\n'
  yield* factsText(facts, screen)
}

const LONGEST = 80
const MOST_LINES = 20
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
