import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact, Root } from '../../model/artifact.ts'
import { asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Spawn, SubagentBook, SubagentRun } from '../../model/subagent-run.ts'
import { discover } from './files.ts'
import { copilotIdentity } from './identity.ts'

const { id: platform, defaultAgent: agent } = copilotIdentity

/** Beginnings and ends of subagents, and the calls that name their tasks. */
export const SPAWN_WORDS = ['"subagent.', '"toolName":"task"'] as const

/** The call of `task` has the words, and the event after it the id of the subagent. */
export function spawns(value: unknown): Spawn[] {
  const event = asObject(value)
  const data = asObject(event?.data)
  const callId = asText(data?.toolCallId)
  if (event?.type === 'subagent.started') return [{ callId, child: asText(event.agentId) }]
  const prompt = asText(asObject(data?.arguments)?.prompt)
  return event?.type === 'tool.execution_start' && data?.toolName === 'task' ? [{ callId, prompt }] : []
}

/** The last result by path: the files are read whole, and rarely change. */
const read = new Map<string, { state: string; runs: SubagentRun[] }>()

/** The subagents of all sessions, which have no transcripts of their own. A fork repeats its parent's. */
export function runs(root: Root): SubagentBook {
  const { artifacts, notices } = discover(root, { home: '', variables: {} })
  const byId = new Map<string, SubagentRun>()
  for (const artifact of artifacts.toSorted((one, other) => one.modifiedMs - other.modifiedMs)) {
    const { path, bytes, modifiedMs, identity } = artifact
    const state = `${bytes} ${modifiedMs} ${identity}`
    try {
      if (read.get(path)?.state !== state) read.set(path, { state, runs: runsIn(artifact) })
    } catch {
      // It is gone by now, or the listing of sessions reports it.
      continue
    }
    for (const run of read.get(path)!.runs) if (!byId.has(run.id)) byId.set(run.id, run)
  }
  return { runs: [...byId.values()].sort((one, other) => other.startedMs! - one.startedMs!), notices }
}

function runsIn({ root, path, sessionId }: Artifact): SubagentRun[] {
  const found = new Map<string, SubagentRun>()
  const tasks = new Map<string, string>()
  const source = openSource(path)
  try {
    readLines(source, (line) => {
      const bytes = line.bytes.subarray(line.start, line.end)
      if (line.oversized || !SPAWN_WORDS.some((word) => bytes.includes(word))) return
      for (const entry of parseLine(line.bytes, line.start, line.end).entries) add(asObject(entry) ?? {})
    })
  } finally {
    source.close()
  }
  return [...found.values()]

  function add(event: JsonObject): void {
    for (const { callId = '', prompt } of spawns(event)) if (prompt !== undefined) tasks.set(callId, prompt)
    const data = asObject(event.data) ?? {}
    const id = asText(event.agentId) ?? asText(data.toolCallId)
    const at = asTime(event.timestamp)
    if (id === undefined || at === undefined) return
    const label = asText(data.agentDisplayName)
    if (event.type === 'subagent.started')
      found.set(id, {
        ...{ platform, root, path, id, agent, label, childKey: id, parentSessionId: sessionId },
        task: tasks.get(asText(data.toolCallId) ?? '') ?? label ?? '',
        model: asText(data.model),
        status: 'running',
        startedMs: at,
      })
    const run = found.get(id)
    if (!run || (event.type !== 'subagent.completed' && event.type !== 'subagent.failed')) return
    run.endedMs = at
    run.status = event.type === 'subagent.completed' ? 'ok' : 'error'
    run.error = asText(data.error)
  }
}
