import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draftMarkdown } from '../../src/devlog/draft/markdown.ts'
import { draftOf } from '../../src/devlog/draft/styles.ts'
import { digestOf } from '../../src/devlog/evidence/citation.ts'
import { gather } from '../../src/devlog/evidence/gather.ts'
import type { Session } from '../../src/model/session.ts'
import { readSession } from '../../src/surfaces/library/read-session.ts'
import { run } from '../program.ts'
import { temporaryHome } from '../records.ts'

const golden = (name: string): string => join(import.meta.dirname, 'golden', name)

describe('the drafts about the demo', () => {
  it.each([
    ['log.md', ['api', '--yes']],
    ['one-session.md', ['640ab4c7', '--yes', '--voice', 'agent']],
    ['tutorial.md', ['api', '--topic', 'refund', '--yes', '--style', 'tutorial']],
    ['deep-dive.md', ['api', '--sessions', '7122ceb8', '--style', 'deep-dive']],
    ['standup.md', ['--style', 'standup', '--since', '2026-11-05T00:00Z']],
    ['changelog.md', ['api', '--style', 'changelog']],
    ['budget.md', ['api', '--yes', '--budget', '1200']],
    ['evidence.md', ['640ab4c7', '--yes', '--evidence']],
  ])('are frozen in %s', async (name, args) => {
    const { stdout, code } = run(['devlog', ...args, '--demo'], temporaryHome())
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot(golden(name))
  })
})

const corpus = process.env.SCROLLBACK_CORPUS
const FILES = [
  'claude-code/chiphuyen+sniffly/tests/mock-data/-Users-chip-dev-ai-music/ba79134d-b6e9-4867-af0c-6941038c9e4b.jsonl',
  'claude-code/obra+episodic-memory/test/fixtures/long-conversation.jsonl',
  'openclaw/badlogic+pi-mono/session.jsonl',
]

/** The structure of a draft: no text of the transcript, only headings of ours, counts and digests. */
async function structureOf(file: string): Promise<string> {
  const items = await Array.fromAsync(readSession(join(corpus!, file)))
  const session = { id: 'corpus', path: file, kind: 'human', modifiedMs: 0 } as Session
  const coverage = {
    sessions: { used: 1, fitting: 1, seen: 1 },
    items: { read: items.length, there: items.length },
    duplicates: 0,
  }
  const evidence = gather([{ session, project: undefined, main: true, items }], {
    project: null,
    topic: null,
    coverage,
  })
  const counts = Object.entries(evidence).flatMap(([name, value]) =>
    Array.isArray(value) ? [`${name}: ${value.length}`] : [],
  )
  const kinds = Map.groupBy(evidence.dynamics, ({ kind }) => kind)
  const { turns, words, toolCalls, errors } = evidence.totals
  return [
    ...counts,
    `turns ${turns}, words ${words.human} and ${words.agent}, ${toolCalls} calls, ${errors} errors`,
    ...[...kinds].map(
      ([kind, found]) =>
        `${kind} ${found.length}: ${found
          .slice(0, 8)
          .map(({ citations }) => citations[0]!.line)
          .join(' ')}`,
    ),
    ...evidence.phases.map(
      ({ turns: own, changedFiles, asked }) =>
        `phase: ${own} turns, ${changedFiles} files, line ${asked.line}`,
    ),
    `draft ${digestOf(draftMarkdown(draftOf(evidence, 'log', 'neutral')))}`,
    '',
  ].join('\n')
}

describe.skipIf(!corpus || !existsSync(join(corpus, FILES[0]!)))('the drafts about the corpus', () => {
  it.each(FILES.map((file, index) => [index + 1, file] as const))(
    'have a frozen structure: %i',
    async (index, file) => {
      await expect(await structureOf(file)).toMatchFileSnapshot(golden(`corpus-${index}.txt`))
    },
  )
})
