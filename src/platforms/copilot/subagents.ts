import type { Root } from '../../model/artifact.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Spawn, SubagentBook, SubagentRun } from '../../model/subagent-run.ts'
import { createRunReader, type RunCollector } from '../runs-in-transcripts.ts'
import { discover } from './files.ts'
import { copilotIdentity } from './identity.ts'
import { forkedAt } from './records/normalize.ts'

const { id: platform, defaultAgent: agent } = copilotIdentity

/** A line without any of these starts no subagent. */
export const SPAWN_WORDS = ['"subagent.started"', '"name":"task"'] as const

/** The reply with the call of `task` has the words, and the event after it the id of the subagent. */
export function spawns(value: unknown): Spawn[] {
  const event = asObject(value)
  const data = asObject(event?.data)
  if (event?.type === 'subagent.started')
    return [{ callId: asText(data?.toolCallId), child: asText(event.agentId) }]
  return (asArray(data?.toolRequests) ?? []).flatMap((each) => {
    const request = asObject(each)
    const prompt = asText(asObject(request?.arguments)?.prompt)
    return request?.name === 'task' ? [{ callId: asText(request.toolCallId), prompt }] : []
  })
}

interface Runs {
  /** When the session was forked, in ms. 0 if it is no fork. */
  forkedMs: number
  runs: SubagentRun[]
}

/**
 * The subagents of all sessions, which have no transcripts of their own. Those that a fork copied are the
 * original's, or the oldest fork's that has them.
 */
export function runs(root: Root): SubagentBook {
  const { artifacts, notices } = discover(root, { home: '', variables: {} })
  const all = artifacts.flatMap((artifact) => runsIn(artifact) ?? [])
  const byId = new Map<string, SubagentRun>()
  for (const { runs: own } of all.sort((one, other) => one.forkedMs - other.forkedMs))
    for (const run of own) if (!byId.has(run.id)) byId.set(run.id, run)
  return { runs: [...byId.values()].sort((one, other) => other.startedMs! - one.startedMs!), notices }
}

/** Lines that begin a session or a subagent, or are a subagent's. */
const WORDS = [...SPAWN_WORDS, '"session.start"', '"agentId":"']

const runsIn = createRunReader(WORDS, ({ root, path, sessionId }): RunCollector<Runs> => {
  const found = new Map<string, SubagentRun & { lines: number[]; toolCalls: number }>()
  const tasks = new Map<string, string>()
  let forkedMs = 0
  return { add, found: () => ({ forkedMs, runs: [...found.values()] }) }

  function add(event: JsonObject, line: number): void {
    const data = asObject(event.data) ?? {}
    const at = asTime(event.timestamp)
    if (event.type === 'session.start') forkedMs = forkedAt(data, at) ?? forkedMs
    if (at === undefined) return
    for (const { callId = '', prompt } of spawns(event)) if (prompt !== undefined) tasks.set(callId, prompt)
    const id = asText(event.agentId) ?? asText(data.toolCallId)
    if (id === undefined) return
    const label = asText(data.agentDisplayName)
    if (event.type === 'subagent.started')
      found.set(id, {
        ...{ platform, root, path, id, agent, label, childKey: id, parentSessionId: sessionId },
        ...{ task: tasks.get(asText(data.toolCallId) ?? '') ?? label ?? '', lines: [], toolCalls: 0 },
        model: asText(data.model),
        status: 'running',
        startedMs: at,
      })
    const run = found.get(id)
    if (!run) return
    run.lines.push(line)
    if (event.type === 'assistant.message') {
      run.toolCalls += asArray(data.toolRequests)?.length ?? 0
      run.result = asText(data.content) || run.result
      run.model ??= asText(data.model)
    }
    if (event.type !== 'subagent.completed' && event.type !== 'subagent.failed') return
    run.endedMs = at
    run.status = event.type === 'subagent.completed' ? 'ok' : 'error'
    run.error = asText(data.error)
  }
})
