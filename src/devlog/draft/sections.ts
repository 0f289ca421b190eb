import { counted } from '../../render/counted.ts'
import type { Dynamic, Evidence } from '../evidence/evidence.ts'
import type { Block, Inline } from './document.ts'
import {
  day,
  distinct,
  heading,
  list,
  longList,
  paragraph,
  pullRequestName,
  shortPath,
  spread,
  weighted,
} from './parts.ts'
import type { DraftVoice } from './voice.ts'

const MOST_WISHES = 4
const MOST_DECISIONS = 8
const MOST_INCIDENTS = 6
const MOST_FILES = 20

const ofKind = ({ dynamics }: Evidence, ...kinds: Dynamic['kind'][]): Dynamic[] =>
  dynamics.filter(({ kind }) => kinds.includes(kind))

const sessionOf = ({ citations }: Dynamic): string => citations[0]!.session

/** The first prompt, and what the human said they want in other sessions. */
export function wanted(evidence: Evidence, { human }: DraftVoice): Block[] {
  const first = evidence.phases[0]?.asked
  const wishes = spread(ofKind(evidence, 'intent'), sessionOf, MOST_WISHES).map(
    ({ citations }) => citations[0]!,
  )
  const quotes = distinct([...(first ? [first] : []), ...wishes])
  return [
    heading('What was wanted'),
    weighted(80, { type: 'writer', task: 'what was wanted, in two sentences', evidence: quotes }),
    ...quotes.map((citation, index) =>
      weighted(index === 0 ? 95 : 70 - index, { type: 'quote', speaker: human, citation }),
    ),
  ]
}

const HOW = { agreed: 'Agreed', declined: 'Declined', answered: 'Answered', rule: 'A rule' } as const

/** Agreements, refusals and rules before answers, which are often only the next step. In order. */
function mostTelling(decisions: Evidence['decisions']): Evidence['decisions'] {
  const clear = decisions.filter(({ how }) => how !== 'answered')
  const room = Math.max(0, MOST_DECISIONS - clear.length)
  const shown = new Set([
    ...spread(clear, ({ decision }) => decision.session, MOST_DECISIONS),
    ...spread(
      decisions.filter(({ how }) => how === 'answered'),
      ({ decision }) => decision.session,
      room,
    ),
  ])
  return decisions.filter((each) => shown.has(each))
}

/** The decisions, with what they decided. */
export function approach(evidence: Evidence, { we }: DraftVoice): Block[] {
  const decisions = mostTelling(evidence.decisions)
  const items = decisions.map(({ how, about, decision }): Inline[] => [
    { strong: HOW[how] },
    ': ',
    ...(about ? [{ quote: about }, ' — '] : []),
    { quote: decision },
  ])
  return [
    heading(we),
    ...(items.length > 0 ? longList(65, items) : [paragraph('The transcripts show no decision.')]),
  ]
}

/** Tests, repaired errors and commits. */
export function wentRight(evidence: Evidence): Block[] {
  const { tests, errors, commits, pullRequests } = evidence
  const lastTest = tests.findLast(({ outcome }) => outcome === 'no-error')
  const fixed = errors.filter(({ ending }) => ending === 'fixed')
  const [repair] = fixed
  const long = ofKind(evidence, 'autonomy').sort((a, b) => b.score - a.score)[0]
  const failures = tests.filter(({ outcome }) => outcome === 'failed').length
  const facts: Inline[][] = [
    ...(lastTest
      ? [
          [
            `${counted(tests.length, 'run')} of tests, ${failures} failed. The last one without an error: `,
            { code: lastTest.run.quote },
            { cite: lastTest.run },
          ] satisfies Inline[],
        ]
      : []),
    ...(repair
      ? [
          [
            `${fixed.length} of ${counted(errors.length, 'error')} repaired in the same session, such as `,
            { quote: repair.error },
            ', which worked later',
            { cite: repair.fixedBy! },
          ] satisfies Inline[],
        ]
      : []),
    ...(long
      ? [[`The longest run without a word from the human: ${long.detail}`, { cite: long.citations[0]! }]]
      : []),
    ...commits.map(({ subject, commit }): Inline[] => ['Commit: ', { strong: subject }, { cite: commit }]),
    ...pullRequests.map((each): Inline[] => [
      'Pull request: ',
      pullRequestName(each),
      { cite: each.mention },
    ]),
  ]
  return [
    heading('What went right'),
    ...(facts.length > 0
      ? longList(55, facts)
      : [paragraph('The transcripts show no tests, repairs or commits.')]),
  ]
}

const STEPS = { correction: 'Correction', disagreement: 'Disagreement', taste: 'Taste' } as const

/** Corrections, disagreements and matters of taste, in the words of the human. */
export function steppedIn(evidence: Evidence, voice: DraftVoice): Block[] {
  const steps = spread(ofKind(evidence, 'correction', 'disagreement', 'taste'), sessionOf, 12)
  return [
    heading(voice.steppedIn),
    ...(steps.length > 0
      ? longList(
          75,
          steps.map(({ kind, citations }) => [
            { strong: STEPS[kind as keyof typeof STEPS] },
            ': ',
            { quote: citations[0]! },
          ]),
        )
      : [paragraph('The rules found no correction, disagreement or matter of taste.')]),
  ]
}

const GIVEN_UP = {
  ...{
    'taken-back': 'Taken back',
    declined: 'Declined call',
    interrupted: 'Interrupted',
    reverted: 'Reverted',
  },
} as const

/** Themes that at least three sessions show, and single incidents. */
export function learned(evidence: Evidence): Block[] {
  const { themes, questions, abandoned } = evidence
  const surprises = spread(ofKind(evidence, 'surprise'), sessionOf, MOST_INCIDENTS)
  const open = questions.filter(({ answer }) => answer === null).slice(-MOST_INCIDENTS)
  const givenUp = spread(abandoned, ({ what }) => what.session, MOST_INCIDENTS)
  const evidenceOf = distinct([
    ...themes.flatMap(({ citations }) => citations.slice(0, 1)),
    ...surprises.flatMap(({ citations }) => citations.slice(0, 1)),
  ])
  return [
    heading('What we learned'),
    ...(evidenceOf.length > 0
      ? [weighted(50, { type: 'writer', task: 'what these incidents teach', evidence: evidenceOf })]
      : []),
    ...list(
      60,
      themes.map(({ about, sessions, citations }): Inline[] => [
        `In ${counted(sessions, 'session')}: ${about}`,
        ...citations.map((cite) => ({ cite })),
      ]),
    ),
    ...longList(
      58,
      surprises.map(({ citations }): Inline[] => [
        `Once, on ${day(citations[0]!.at)}, a surprise: `,
        { quote: citations[0]! },
      ]),
    ),
    ...longList(
      45,
      givenUp.map(({ how, what }): Inline[] => [{ strong: GIVEN_UP[how] }, ': ', { quote: what }]),
    ),
    ...longList(
      52,
      open.map(({ question }): Inline[] => ['Still open: ', { quote: question }]),
    ),
    ...(themes.length + surprises.length + givenUp.length + open.length === 0
      ? [paragraph('The rules found no surprise, no repeated theme and no open question.')]
      : []),
  ]
}

/** Subagents and programs, which are not part of the story. */
export function meanwhile({ sessions }: Evidence): Block[] {
  const others = sessions.filter(({ main }) => !main)
  if (others.length === 0) return []
  return [
    weighted(28, heading('What ran meanwhile')),
    ...longList(
      28,
      others.map(({ kind, title, startedAt, toolCalls }): Inline[] => [
        `${day(startedAt)}, ${kind ?? 'unknown'}: `,
        { strong: title ?? 'untitled' },
        `, ${counted(toolCalls, 'tool call')}`,
      ]),
    ),
  ]
}

/** The changed files as a table. */
export function filesChanged({ files }: Evidence): Block[] {
  if (files.length === 0) return [heading('Files changed'), paragraph('No tool changed a file.')]
  const rows = files
    .slice(0, MOST_FILES)
    .map(({ path, status, edits, sessions, askedBy, first }): Inline[][] => [
      [{ code: shortPath(path) }, { cite: first }],
      [status],
      [String(edits)],
      [String(sessions.length)],
      [askedBy.program === 0 ? 'human' : askedBy.human === 0 ? 'program' : 'both'],
    ])
  const more = files.length - rows.length
  return [
    heading('Files changed'),
    { type: 'table', head: ['File', 'Status', 'Edits', 'Sessions', 'Asked by'], rows, weight: 40 },
    ...(more > 0 ? [weighted(20, paragraph(`${counted(more, 'more file')} changed.`))] : []),
  ]
}
