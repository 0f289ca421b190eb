import { shortPath } from '../../devlog/draft/parts.ts'
import type { Evidence } from '../../devlog/evidence/evidence.ts'
import { gather } from '../../devlog/evidence/gather.ts'
import { countWords } from '../../devlog/evidence/words.ts'
import type { Leak } from '../../devlog/leaks/leaks.ts'
import { replaceIn } from '../../devlog/leaks/replace.ts'
import { type Context, defineCommand } from '../kit/command.ts'
import { type DevlogAnswer, output } from './answer.ts'
import { checkFile } from './check.ts'
import { type Composed, citationsIn, compose } from './compose.ts'
import { type DevlogInput, input } from './input.ts'
import { leaksOf } from './leak-check.ts'
import { loadSources, type Sources } from './sources.ts'
import { checkText, leakText, reportText } from './text.ts'
import { requestedSpan } from './time.ts'
import { outputPath, writeText } from './write.ts'

const MOST_KEY_FILES = 5

export const devlog = defineCommand({
  name: 'devlog',
  summary: 'draft the story of a project from its sessions, with a citation for every quote',
  details:
    'Counts and quotes; nothing is invented or summarized. Shows which sessions are used and why, what the draft covers, and marks where ' +
    'prose is needed. Each footnote names session, line, time and a digest of the record, so that --check says later which citations still ' +
    'hold. standup and changelog need no further writing. See docs/guides/devlog.md.',
  examples: [
    { command: 'scrollback devlog api --yes', tells: 'draft the story of a project' },
    {
      command: 'scrollback devlog api --topic refund --yes --out devlog.md',
      tells: 'write one about a topic',
    },
    {
      command: 'scrollback devlog api --sessions 640ab4c7,7122ceb8 --style deep-dive',
      tells: 'use two sessions, with everything that happened',
    },
    {
      command: 'scrollback devlog api --yes --evidence --json',
      tells: 'get the evidence for your own story',
    },
    {
      command: 'scrollback devlog --style standup --since 2026-11-05',
      tells: 'list what was done, per project',
    },
    { command: 'scrollback devlog api --style changelog', tells: 'list what users notice, with the commits' },
  ],
  input,
  output,
  async run(given: DevlogInput, context: Context): Promise<DevlogAnswer> {
    const { style } = given
    if (given.check !== undefined) return { version: 1, style, check: checkFile(given.check, context) }
    const path = given.out === undefined ? undefined : outputPath(given.out, given.force, context)
    const sources = await loadSources(given, requestedSpan(given, context), context)
    const { evidence, composed, leaks } = await draftFrom(sources, given, context)
    const written = path === undefined ? undefined : writeText(path, composed.text, context)
    if (!written) noteLeaks(leaks, context)
    return {
      ...{ version: 1, style },
      selection: selectionJson(sources),
      evidence: evidence as DevlogAnswer['evidence'],
      ...(written ? { file: written } : { draft: composed.text }),
      report: reportOf(evidence, composed, given),
      leaks,
    }
  },
  *render(answer, screen) {
    const { check, draft, file, report, leaks } = answer
    if (check) yield* checkText(check, screen)
    if (draft !== undefined) yield draft
    if (!file || !report) return
    yield* reportText(file, report, screen)
    yield* leakText(leaks ?? [])
  },
  isVerbatim: ({ draft }) => draft !== undefined,
})

/** Evidence, draft and what the draft reveals. With --anonymize, the second draft is made without it. */
async function draftFrom(
  { sources, coverage }: Sources,
  given: DevlogInput,
  context: Context,
): Promise<{ evidence: Evidence; composed: Composed; leaks: Leak[] }> {
  const names = new Set(sources.flatMap(({ project }) => project ?? []))
  const project = names.size === 1 ? [...names][0]! : (given.project ?? null)
  const evidence = gather(sources, { project, topic: given.topic ?? null, coverage })
  const composed = await compose(evidence, given, context.now)
  const leaks = leaksOf(composed.draft, sources, context)
  if (!given.anonymize || leaks.length === 0) return { evidence, composed, leaks }
  const clean = replaceIn(
    evidence,
    leaks.flatMap(({ value }) => value ?? []),
  )
  const again = await compose(clean, given, context.now)
  return { evidence: clean, composed: again, leaks: leaksOf(again.draft, sources, context) }
}

const selectionJson = ({ rows }: Sources): DevlogAnswer['selection'] =>
  rows.map(({ session, isIn, main, why }) => ({
    ...{ id: session.id, path: session.path, isIn, main, why, title: session.title ?? null },
    startedAt: session.startedMs === undefined ? null : new Date(session.startedMs).toISOString(),
  }))

function reportOf(
  { span, coverage, sessions, files }: Evidence,
  { draft, text, budget }: Composed,
  { format }: DevlogInput,
): DevlogAnswer['report'] {
  const plain = format === 'html' ? text.replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ') : text
  return {
    ...{ title: draft.title, words: countWords(plain), citations: citationsIn(draft) },
    ...{ sessions: sessions.length, coverage, span },
    keyFiles: files.slice(0, MOST_KEY_FILES).map(({ path }) => shortPath(path)),
    ...(budget ? { budget } : {}),
  }
}

/** The draft goes to standard output, so the findings are reported as notes. */
function noteLeaks(leaks: readonly Leak[], context: Context): void {
  if (leaks.length === 0) return
  const shown = leaks.map(({ kind, value, times }) => `  ${kind}: ${value ?? '(not shown)'}, ${times}`)
  context.note(['Before you publish this, look at (replace all of them: --anonymize)', ...shown].join('\n'))
}
