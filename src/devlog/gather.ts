import { append, type Steps } from '../model/iteration.ts'
import { isReading, isWritingWhole } from '../model/tool-kind.ts'
import { filesWritten } from '../model/written-files.ts'
import { cite } from './citation.ts'
import { commitsOf, errorsOf, pullRequestsOf, testsOf } from './commands.ts'
import { dynamicsOf, languagesOf, questionsOf } from './dynamics.ts'
import type { Citation, Coverage, Dynamic, Evidence, FileEvidence, UsedSession } from './evidence.ts'
import { phasesOf } from './phases.ts'
import { countWords } from './sentences.ts'
import { type Call, callsOf, failed, isEdit, type SourceSession, type Turn, turnsOf } from './turns.ts'

/** What the evidence is about. */
export interface Subject {
  project: string | null
  topic: string | null
  coverage: Coverage
}

/** Gathers the evidence of sessions, given in chronological order, in steps. */
export function* gather(
  sources: readonly SourceSession[],
  { project, topic, coverage }: Subject,
): Steps<Evidence> {
  const scenes: { source: SourceSession; turns: Turn[]; calls: Call[] }[] = []
  for (const source of sources) {
    scenes.push({ source, turns: turnsOf(source), calls: callsOf(source) })
    yield
  }
  const main = scenes.filter(({ source }) => source.main)
  const dynamics: Dynamic[] = []
  for (const scene of main) append(dynamics, yield* dynamicsOf(scene))
  const questions = main.flatMap(({ turns }) => questionsOf(turns))
  const errors = scenes.flatMap(({ source, calls }) => errorsOf(source, calls))
  const sessions = scenes.map(({ source, turns }) => usedSession(source, turns))
  // Edits of parallel sessions are in the order in which they happened.
  const calls = scenes.flatMap((scene) => scene.calls).sort((a, b) => (a.item.at ?? 0) - (b.item.at ?? 0))
  const commits = commitsOf(calls)
  return {
    project,
    topic,
    coverage,
    sessions,
    span: spanOf(sources),
    totals: totalsOf(sessions),
    languages: languagesOf(main.flatMap(({ turns }) => turns)),
    phases: phasesOf(
      main.map(({ turns }) => turns),
      { calls, dynamics, errors, commits },
    ),
    questions: byTime(questions, ({ question }) => question.at),
    dynamics: byTime(dynamics, ({ citations }) => citations[0]!.at),
    files: filesOf(calls),
    tests: testsOf(calls),
    errors,
    commits,
    pullRequests: scenes.flatMap(({ source, calls: own }) => pullRequestsOf(source, own)),
  }
}

/** Sorts by time. What has none stays where it is. */
const byTime = <Row>(rows: readonly Row[], timeOf: (row: Row) => string | null): Row[] => {
  let last = ''
  return rows
    .map((row) => {
      last = timeOf(row) ?? last
      return { row, at: last }
    })
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ row }) => row)
}

function usedSession({ session, project, main, items }: SourceSession, turns: readonly Turn[]): UsedSession {
  const messages = { human: 0, agent: 0, program: 0 }
  const words = { human: 0, agent: 0, program: 0 }
  let [toolCalls, errors] = [0, 0]
  for (const { who, text, label, sure, offBranch } of items) {
    if (offBranch) continue
    if (who === 'human' || who === 'agent' || who === 'program') {
      messages[who]++
      words[who] += countWords(text ?? '')
    } else if (who === 'tool' && label !== 'output') toolCalls++
    else if (who === 'error' && sure !== false) errors++
  }
  const iso = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString()
  const { id, path, platform, agent, kind, title, startedMs, lastActivityMs } = session
  return {
    id,
    path,
    platform,
    agent,
    kind,
    project: project ?? null,
    title: title ?? null,
    startedAt: iso(startedMs),
    lastActivityAt: iso(lastActivityMs),
    main,
    turns: turns.filter(({ prompt }) => prompt.who === (main ? 'human' : 'program')).length,
    messages,
    words,
    toolCalls,
    errors,
  }
}

/** The first and the last recorded time of what was read. */
function spanOf(sources: readonly SourceSession[]): Evidence['span'] {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { items } of sources)
    for (const { at } of items) {
      if (at === undefined) continue
      from = Math.min(from, at)
      to = Math.max(to, at)
    }
  return from > to ? null : { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

function totalsOf(sessions: readonly UsedSession[]): Evidence['totals'] {
  const sum = (value: (session: UsedSession) => number): number =>
    sessions.reduce((total, session) => total + value(session), 0)
  return {
    turns: sum(({ main, turns }) => (main ? turns : 0)),
    words: {
      human: sum(({ words }) => words.human),
      agent: sum(({ words }) => words.agent),
      program: sum(({ words }) => words.program),
    },
    toolCalls: sum(({ toolCalls }) => toolCalls),
    errors: sum(({ errors }) => errors),
  }
}

const MOST_PROMPTS = 3

/** The changed files, most edits first. Calls are in chronological order. */
function filesOf(calls: readonly Call[]): FileEvidence[] {
  const files = new Map<string, Call[]>()
  const known = new Set<string>()
  const created = new Set<string>()
  for (const call of calls) {
    if (isReading(call.name)) known.add(call.target)
    if (!isEdit(call)) continue
    for (const file of filesWritten(call)) {
      const edits = files.get(file)
      if (failed(call)) known.add(file)
      else if (edits) edits.push(call)
      else {
        files.set(file, [call])
        if (isWritingWhole(call.name) && !known.has(file)) created.add(file)
      }
    }
  }
  return [...files]
    .map(([path, edits]) => evidenceOf(path, edits, created.has(path)))
    .sort((a, b) => b.edits - a.edits || (a.path < b.path ? -1 : 1))
}

function evidenceOf(path: string, edits: readonly Call[], isNew: boolean): FileEvidence {
  const prompts = new Map<Call['prompt'], number>()
  for (const { prompt } of edits) if (prompt) prompts.set(prompt, (prompts.get(prompt) ?? 0) + 1)
  const count = (who: 'human' | 'program'): number => edits.filter(({ prompt }) => prompt?.who === who).length
  const ofCall = ({ source, item }: Call): Citation => cite(source.session, item)
  return {
    path,
    status: isNew ? 'created' : 'changed',
    edits: edits.length,
    sessions: [...new Set(edits.map(({ source }) => source.session.id))],
    askedBy: { human: count('human'), program: count('program') },
    asked: [...prompts]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_PROMPTS)
      .map(([prompt]) => cite(edits.find((each) => each.prompt === prompt)!.source.session, prompt!)),
    first: ofCall(edits[0]!),
    last: ofCall(edits.at(-1)!),
  }
}
