import { dynamicsOf } from '../dynamics/detect.ts'
import { DYNAMIC_KINDS, type DynamicKind } from '../dynamics/kinds.ts'
import { phasesOf } from '../phases/phases.ts'
import type { SourceSession } from '../source.ts'
import { abandonedIn } from './abandoned.ts'
import { callsOf } from './calls.ts'
import { commandsOf, testsOf } from './commands.ts'
import { commitsOf, pullRequestsOf } from './commits.ts'
import { decisionsIn } from './decisions.ts'
import { errorsOf } from './errors.ts'
import type { Coverage, Evidence, UsedSession } from './evidence.ts'
import { filesOf } from './files.ts'
import { questionsOf } from './questions.ts'
import { themesOf } from './themes.ts'
import { type Turn, turnsOf } from './turns.ts'
import { countWords } from './words.ts'

/** What the evidence is about. */
export interface Subject {
  project: string | null
  topic: string | null
  coverage: Coverage
  /** The kinds of dynamics to report. */
  kinds?: readonly DynamicKind[]
}

/** Gathers the evidence of sessions, given in chronological order. Pure. */
export function gather(sources: readonly SourceSession[], subject: Subject): Evidence {
  const { project, topic, coverage, kinds = DYNAMIC_KINDS } = subject
  const scenes = sources.map((source) => ({ source, turns: turnsOf(source), calls: callsOf(source) }))
  const main = scenes.filter(({ source }) => source.main)
  const dynamics = main.map(dynamicsOf)
  const questions = main.map(({ turns }) => questionsOf(turns))
  const errors = scenes.flatMap(({ source, calls }) => errorsOf(source, calls))
  const sessions = scenes.map(({ source, turns }) => usedSession(source, turns))
  const shown = dynamics.flat().filter(({ kind }) => kinds.includes(kind))
  // Edits of parallel sessions are in the order in which they happened.
  const calls = scenes.flatMap((scene) => scene.calls).sort((a, b) => (a.item.at ?? 0) - (b.item.at ?? 0))
  return {
    ...{ project, topic, coverage, sessions },
    span: spanOf(sources),
    totals: totalsOf(sessions),
    phases: phasesOf(
      main.map(({ turns }) => turns),
      shown,
      errors,
    ),
    decisions: byTime(
      dynamics.flatMap((own, index) => decisionsIn(own, questions[index]!)),
      ({ decision }) => decision.at,
    ),
    questions: byTime(questions.flat(), ({ question }) => question.at),
    abandoned: main.flatMap(({ source, turns, calls: own }) => abandonedIn(source, turns, own)),
    dynamics: byTime(shown, ({ citations }) => citations[0]!.at),
    themes: themesOf(shown, errors),
    files: filesOf(calls),
    commands: commandsOf(calls),
    tests: testsOf(calls),
    errors,
    commits: commitsOf(calls),
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
    ...{ id, path, platform, agent, kind, project: project ?? null, title: title ?? null },
    ...{ startedAt: iso(startedMs), lastActivityAt: iso(lastActivityMs), main },
    turns: turns.filter(({ prompt }) => prompt.who === (main ? 'human' : 'program')).length,
    ...{ messages, words, toolCalls, errors },
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
