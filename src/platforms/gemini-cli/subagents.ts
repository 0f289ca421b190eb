import type { Artifact, Root } from '../../model/artifact.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { SubagentBook, SubagentRun } from '../../model/subagent-run.ts'
import { createRunReader, type RunCollector } from '../runs-in-transcripts.ts'
import { discover } from './files.ts'
import { geminiCliIdentity } from './identity.ts'
import { answerOf, endingOf, SPAWN_WORDS } from './records/tools.ts'

const { id: platform, defaultAgent: agent } = geminiCliIdentity

/** The calls that started subagents. They say what was asked for, and how it ended; the subagents do not. */
export function runs(root: Root): SubagentBook {
  const { artifacts, notices } = discover(root, { home: '', variables: {} })
  const parents = new Set(artifacts.map(({ parentSessionId }) => parentSessionId))
  const all = artifacts.flatMap((artifact) =>
    parents.has(artifact.sessionId) ? (runsIn(artifact) ?? []) : [],
  )
  all.sort((one, other) => (other.startedMs ?? 0) - (one.startedMs ?? 0))
  // All calls of a reply have one time, so what a transcript says is more exact.
  const own = new Set(artifacts.map(({ sessionId }) => sessionId))
  return { runs: all.map((run) => (own.has(run.id) ? withoutTimes(run) : run)), notices }
}

const withoutTimes = ({ startedMs, endedMs, ...run }: SubagentRun): SubagentRun => run

const runsIn = createRunReader(SPAWN_WORDS, (artifact): RunCollector<SubagentRun[]> => {
  const found = new Map<string, SubagentRun>()
  return {
    add(reply) {
      // A reply is written again when its calls ended.
      for (const call of asArray(reply.toolCalls) ?? []) {
        const run = runOf(asObject(call) ?? {}, asTime(reply.timestamp), artifact)
        if (run) found.set(run.id, run)
      }
    },
    found: () => [...found.values()],
  }
})

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['GOAL', 'ok'],
  ['TIMEOUT', 'timeout'],
  ['ABORTED', 'killed'],
])

function runOf(
  call: JsonObject,
  startedMs: number | undefined,
  { root, path, sessionId: parentSessionId }: Artifact,
): SubagentRun | undefined {
  const id = asText(call.agentId)
  if (id === undefined) return undefined
  const { status, args } = call
  const answer = answerOf(call)
  const ended = endingOf(call)
  const reason = ended ? (STATUSES.get(ended.reason) ?? 'error') : undefined
  const fallback = status === 'success' ? 'ok' : (asText(status) ?? 'running')
  const state = reason ?? fallback
  const run: SubagentRun = {
    ...{ platform, root, path, id, agent, childKey: id, parentSessionId },
    task: asText(asObject(args)?.prompt) ?? '',
    status: state,
  }
  const [endedMs, label] = [asTime(call.timestamp), asText(asObject(args)?.agent_name)]
  if (startedMs !== undefined) run.startedMs = startedMs
  if (endedMs !== undefined) run.endedMs = endedMs
  if (label !== undefined) run.label = label
  const words = ended?.words ?? answer
  if (words) run[state === 'ok' ? 'result' : 'error'] = words
  return run
}
