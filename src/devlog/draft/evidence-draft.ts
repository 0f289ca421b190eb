import type { Evidence } from '../evidence/evidence.ts'
import type { Block, Draft, Inline } from './document.ts'
import { facts, heading, longList, paragraph } from './parts.ts'
import { titleOf } from './story.ts'

/** All evidence as lists with citations. */
export function evidenceDraft(evidence: Evidence): Draft {
  const { totals, sessions, decisions, questions, abandoned, dynamics, files } = evidence
  const { commands, tests, errors, commits, pullRequests, themes } = evidence
  return {
    title: titleOf(evidence, 'Evidence'),
    blocks: [
      paragraph(facts(evidence)),
      paragraph(
        `Words: human ${totals.words.human}, agent ${totals.words.agent}, programs ${totals.words.program} · ${totals.toolCalls} tool calls · ${totals.errors} errors`,
      ),
      ...section(
        'Sessions',
        sessions.map(({ id, kind, title, turns, messages }) => [
          { code: id },
          ` ${kind ?? 'unknown'}, ${turns} turns, messages: human ${messages.human}, agent ${messages.agent}: `,
          { strong: title ?? 'untitled' },
        ]),
      ),
      ...section(
        'Decisions',
        decisions.map(({ how, about, decision }) => [
          { strong: how },
          ': ',
          ...(about ? [{ quote: about }, ' — '] : []),
          { quote: decision },
        ]),
      ),
      ...section(
        'Questions',
        questions.map(({ by, question, answer }) => [
          { strong: by },
          ': ',
          { quote: question },
          ...(answer ? [' — ', { quote: answer }] : [' — no answer']),
        ]),
      ),
      ...section(
        'Dynamics',
        dynamics.map(({ kind, score, detail, citations }) => [
          { strong: kind },
          ` ${score.toFixed(2)}${detail === null ? '' : ` (${detail})`}: `,
          { quote: citations[0]! },
          ...citations.slice(1).map((cite) => ({ cite })),
        ]),
      ),
      ...section(
        'Themes',
        themes.map(({ about, sessions: count, citations }) => [
          `${about}, ${count} sessions`,
          ...citations.map((cite) => ({ cite })),
        ]),
      ),
      ...section(
        'Abandoned',
        abandoned.map(({ how, what }) => [{ strong: how }, ': ', { quote: what }]),
      ),
      ...section(
        'Files',
        files.map(({ path, status, edits, askedBy, first, asked }) => [
          { code: path },
          ` ${status}, ${edits} edits, asked by human ${askedBy.human}, program ${askedBy.program}`,
          { cite: first },
          ...asked.map((cite) => ({ cite })),
        ]),
      ),
      ...section(
        'Commands',
        commands.map(({ kind, count, failed, examples }) => [
          `${kind}: ${count}, ${failed} failed`,
          ...examples.flatMap((cite): Inline[] => [' ', { code: cite.quote }, { cite }]),
        ]),
      ),
      ...section(
        'Tests',
        tests.map(({ outcome, run, error }) => [
          `${outcome}: `,
          { code: run.quote },
          { cite: run },
          ...(error ? [' ', { quote: error }] : []),
        ]),
      ),
      ...section(
        'Errors',
        errors.map(({ tool, error, times, ending, fixedBy }) => [
          `${tool ?? 'reply'}, ${times} times, ${ending}: `,
          { quote: error },
          ...(fixedBy ? [{ cite: fixedBy }] : []),
        ]),
      ),
      ...section(
        'Commits',
        commits.map(({ subject, commit }) => [{ strong: subject }, { cite: commit }]),
      ),
      ...section(
        'Pull requests',
        pullRequests.map(({ url, title, mention }) => [
          { strong: title ?? url ?? 'untitled' },
          { cite: mention },
        ]),
      ),
    ],
  }
}

const section = (title: string, rows: Inline[][]): Block[] =>
  rows.length > 0 ? [heading(title), ...longList(50, rows)] : []
