import type { Citation, Evidence, Phase } from '../evidence/evidence.ts'

/** What the evidence contains about one phase. */
export function phaseEvidence(evidence: Evidence, phase: Phase): Evidence {
  const isIn = (citation: Citation | null | undefined): boolean => !!citation && isInPhase(citation, phase)
  return {
    ...evidence,
    phases: [phase],
    sessions: evidence.sessions.filter(({ id }) => phase.sessions.includes(id)),
    decisions: evidence.decisions.filter(({ decision }) => isIn(decision)),
    questions: evidence.questions.filter(({ question }) => isIn(question)),
    abandoned: evidence.abandoned.filter(({ what }) => isIn(what)),
    dynamics: evidence.dynamics.filter(({ citations }) => isIn(citations[0])),
    themes: [],
    files: evidence.files.filter(({ first, last }) => isIn(first) || isIn(last)),
    commands: [],
    tests: evidence.tests.filter(({ run }) => isIn(run)),
    errors: evidence.errors.filter(({ error }) => isIn(error)),
    commits: evidence.commits.filter(({ commit }) => isIn(commit)),
    pullRequests: evidence.pullRequests.filter(({ mention }) => isIn(mention)),
  }
}

/** Whether a cited record belongs to a phase. */
export const isInPhase = ({ session, at }: Citation, { sessions, from, to }: Phase): boolean =>
  sessions.includes(session) && at !== null && at >= from && at <= to
