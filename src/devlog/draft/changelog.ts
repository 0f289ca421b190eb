import { counted } from '../../render/counted.ts'
import { citationKey, cutQuote } from '../evidence/citation.ts'
import type { Citation, CommitEvidence, Evidence, FileEvidence } from '../evidence/evidence.ts'
import type { Block, Draft, Inline } from './document.ts'
import { facts, heading, longList, paragraph, shortPath } from './parts.ts'
import { titleOf } from './story.ts'

const SECTIONS = ['Added', 'Changed', 'Fixed', 'Removed', 'Security'] as const
type Section = (typeof SECTIONS)[number]

/** The type of a conventional commit, or the first word of any other. The first rule that fits decides. */
const RULES: readonly (readonly [Section | 'internal', RegExp])[] = [
  ['internal', /^(?:test|tests|chore|ci|build|docs?|style|refactor|release|merge|wip|bump)\b/i],
  ['Security', /^(?:security|sec)\b|\b(?:vulnerabilit|CVE-)/i],
  ['Removed', /^(?:remove|drop|delete)\b/i],
  ['Fixed', /^(?:fix|bugfix|hotfix|correct|repair|prevent|stop|handle)\b/i],
  ['Added', /^(?:feat|feature|initial|add|create|implement|introduce|support|allow|new|let)\b/i],
  ['Changed', /^/],
]

const sectionOf = (subject: string): Section | 'internal' => RULES.find(([, rule]) => rule.test(subject))![0]

const PREFIX = /^[a-z]+(?:\([^)]*\))?!?:\s*/i
const BREAKS = /^[a-z]+(?:\([^)]*\))?!:|\bBREAKING CHANGE\b/
const MOST_PROMPTS = 12
const MOST_FILES = 4
const LONGEST_PROMPT = 140

/** Changes that users notice, with the commits that made them. Needs no writer. */
export function changelogDraft(evidence: Evidence): Draft {
  const unique = [...new Map(evidence.commits.map((each) => [each.subject, each])).values()]
  const rows = unique.map((commit) => ({ commit, section: sectionOf(commit.subject) }))
  const internal = rows.filter(({ section }) => section === 'internal').length
  return {
    title: titleOf(evidence, 'Changelog'),
    blocks: [
      paragraph(facts(evidence)),
      ...SECTIONS.flatMap((section) =>
        sectionBlocks(
          section,
          rows.filter((row) => row.section === section).map(({ commit }) => commit),
        ),
      ),
      ...(internal > 0
        ? [
            paragraph(
              `${internal} of ${unique.length} commits change nothing that users notice, by their subject.`,
            ),
          ]
        : []),
      ...(unique.length === 0 ? [paragraph('The transcripts show no commit.')] : []),
      ...uncommitted(evidence),
    ],
  }
}

function sectionBlocks(section: Section, commits: readonly CommitEvidence[]): Block[] {
  if (commits.length === 0) return []
  return [
    heading(section),
    ...longList(
      70,
      commits.map(({ subject, commit }): Inline[] => [
        ...(BREAKS.test(subject) ? [{ strong: 'Breaking' }, ': '] : []),
        subject.replace(PREFIX, ''),
        { cite: commit },
      ]),
    ),
  ]
}

/**
 * Files that sessions without any commit changed, by what they were asked with. Users may notice them too.
 */
function uncommitted({ files, commits }: Evidence): Block[] {
  const committing = new Set(commits.map(({ commit }: { commit: Citation }) => commit.session))
  const loose = files.filter(({ sessions }) => !sessions.some((id) => committing.has(id)))
  if (loose.length === 0) return []
  const groups = [
    ...Map.groupBy(loose, ({ asked }) => (asked[0] ? citationKey(asked[0]) : '')).values(),
  ].sort((a, b) => b.length - a.length)
  const shown = groups.slice(0, MOST_PROMPTS)
  const rest = groups.slice(MOST_PROMPTS).reduce((sum, group) => sum + group.length, 0)
  return [
    heading('Changed without a commit'),
    ...longList(40, shown.map(groupLine)),
    ...(rest > 0 ? [paragraph(`${counted(rest, 'more file')}.`)] : []),
  ]
}

function groupLine(group: readonly FileEvidence[]): Inline[] {
  const [prompt] = group[0]!.asked
  const named = group.slice(0, MOST_FILES)
  const names = named.flatMap(({ path, status, last }, index): Inline[] => [
    ...(index > 0 ? [', '] : []),
    { code: shortPath(path) },
    ` ${status}`,
    { cite: last },
  ])
  return [
    ...(prompt ? [{ quote: { ...prompt, quote: cutQuote(prompt.quote, LONGEST_PROMPT) } }, ': '] : []),
    ...names,
    ...(group.length > named.length ? [` and ${counted(group.length - named.length, 'more file')}`] : []),
  ]
}
