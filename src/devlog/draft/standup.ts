import { counted } from '../../render/counted.ts'
import { cutQuote } from '../evidence/citation.ts'
import type { Citation, Evidence } from '../evidence/evidence.ts'
import type { Block, Draft, Inline } from './document.ts'
import { day, heading, list, longList, paragraph, pullRequestName, shortPath, weighted } from './parts.ts'

const MOST_OPEN = 5
const MOST_LINKS = 10
const MOST_FILES = 3
const LONGEST_RESULT = 160

/** What was done, project by project: for every phase what was asked and what came of it. Needs no writer. */
export function standupDraft(evidence: Evidence): Draft {
  const projects = [...new Set(evidence.sessions.map(({ project }) => project))]
  const from = evidence.span === null ? '' : ` since ${day(evidence.span.from)}`
  const blocks = projects.flatMap((project) => projectBlocks(project, evidence))
  return {
    title: `Standup: ${evidence.project ?? 'all projects'}${from}`,
    blocks: blocks.length > 0 ? blocks : [paragraph('No session in this time.')],
  }
}

function projectBlocks(project: string | null, evidence: Evidence): Block[] {
  const own = new Set(evidence.sessions.filter((session) => session.project === project).map(({ id }) => id))
  const isOwn = ({ session }: { session: string }): boolean => own.has(session)
  const phases = evidence.phases.filter(({ asked }) => isOwn(asked))
  const tests = evidence.tests.filter(({ run }) => isOwn(run))
  const last = tests.at(-1)
  const open = evidence.questions.filter(({ question, answer }) => answer === null && isOwn(question))
  const failing = evidence.errors.filter(({ error, ending }) => ending === 'still-failing' && isOwn(error))
  const files = evidence.files.filter(({ sessions }) => sessions.some((id) => own.has(id)))
  const others = evidence.sessions.filter(({ id, main }) => !main && own.has(id)).length
  const facts: Inline[][] = [
    ...(files.length > 0 ? [filesLine(files)] : []),
    ...(last
      ? [
          [
            `${counted(tests.length, 'run')} of tests, the last one ${OUTCOME[last.outcome]}`,
            { cite: last.error ?? last.run },
          ] satisfies Inline[],
        ]
      : []),
    ...evidence.commits
      .filter(({ commit }) => isOwn(commit))
      .map(({ subject, commit }): Inline[] => ['Commit: ', { strong: subject }, { cite: commit }]),
    ...evidence.pullRequests
      .filter(({ mention }) => isOwn(mention))
      .slice(0, MOST_LINKS)
      .map((each): Inline[] => ['Pull request: ', pullRequestName(each), { cite: each.mention }]),
    ...(others > 0 ? [[`${counted(others, 'session')} of subagents and programs ran meanwhile`]] : []),
  ]
  return [
    heading(project ?? 'without a project'),
    ...longList(
      80,
      phases.map(({ from, title, asked, result }): Inline[] => [
        `${day(from)} `,
        { strong: title },
        { cite: asked },
        ...(result ? [' — ', { quote: short(result) }] : []),
      ]),
    ),
    ...list(70, facts),
    ...(open.length + failing.length > 0
      ? [
          weighted(65, paragraph({ strong: 'Open' })),
          ...longList(64, [
            ...failing.map(({ error }): Inline[] => ['Still failing: ', { quote: error }]),
            ...open
              .slice(-MOST_OPEN)
              .map(({ question }): Inline[] => ['No answer yet: ', { quote: question }]),
          ]),
        ]
      : []),
    ...(phases.length + facts.length + open.length + failing.length === 0
      ? [paragraph('Nothing but messages.')]
      : []),
  ]
}

/** A standup says what came of it in a line. */
const short = (citation: Citation): Citation => ({
  ...citation,
  quote: cutQuote(citation.quote, LONGEST_RESULT),
})

/** How many files, and those that changed most. */
const filesLine = (files: Evidence['files']): Inline[] => [
  `${counted(files.length, 'file')} changed: `,
  ...files
    .slice(0, MOST_FILES)
    .flatMap(({ path, last }, index): Inline[] => [
      ...(index > 0 ? [', '] : []),
      { code: shortPath(path) },
      { cite: last },
    ]),
  ...(files.length > MOST_FILES ? [', …'] : []),
]

const OUTCOME = {
  failed: 'failed',
  'no-error': 'without an error',
  unknown: 'with an unknown outcome',
} as const
