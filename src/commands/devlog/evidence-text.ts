import { markOf, shortSession } from '../../devlog/citation.ts'
import type { Citation, Evidence } from '../../devlog/evidence.ts'
import { plainMarkdown } from '../../render/markdown.ts'
import { printable } from '../../render/terminal.ts'

/** The evidence as lists in Markdown, each entry with its citation. */
export function evidenceText(evidence: Evidence): string {
  const { sessions, dynamics, questions, errors, tests, commits, pullRequests, files } = evidence
  const words = (text: string | null): string => plainMarkdown(printable(text ?? 'untitled'))
  const quote = (citation: Citation): string => `“${words(citation.quote)}” ${markOf(citation)}`
  const list = (title: string, rows: readonly string[]): string[] =>
    rows.length > 0 ? [`## ${title}\n\n${rows.map((row) => `- ${row}`).join('\n')}`] : []
  return [
    `# Evidence: ${words(evidence.project ?? 'several projects')}`,
    ...list(
      'Sessions',
      sessions.map(
        ({ id, title, kind, turns, messages }) =>
          `${shortSession(id)} ${words(title)}: ${kind ?? 'unknown'}, ${turns} turns, ${messages.human} messages of the human, ${messages.agent} of the agent`,
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
          `${tool ?? 'reported'}, ${times} times, ${ending}: ${quote(error)}`,
      ),
    ),
    ...list(
      'Tests',
      tests.map(({ outcome, run }) => `${outcome}: ${quote(run)}`),
    ),
    ...list(
      'Commits',
      commits.map(({ subject, commit }) => `${words(subject)} ${markOf(commit)}`),
    ),
    ...list(
      'Pull requests',
      pullRequests.map(({ url, title, mention }) => `${words(title ?? url)} ${markOf(mention)}`),
    ),
    ...list(
      'Files',
      files.map(
        ({ path, status, edits, last }) => `${words(path)}: ${status}, ${edits} edits ${markOf(last)}`,
      ),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}
