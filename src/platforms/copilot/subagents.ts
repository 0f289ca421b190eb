import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import { openSource } from '../../io/source.ts'
import type { Artifact, Root } from '../../model/artifact.ts'
import { asArray, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import type { Spawn, SubagentBook, SubagentRun } from '../../model/subagent-run.ts'
import { describe, discover } from './files.ts'
import { copilotIdentity } from './identity.ts'
import { copyEnd } from './records/normalize.ts'

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

/** The last result by path: the files are read whole, and rarely change. */
const read = new Map<string, { state: string; runs: SubagentRun[] }>()

/**
 * The subagents of all sessions, which have no transcripts of their own. Those in the copy of a fork are its
 * parent's.
 */
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

/** Lines that begin a session or a subagent, or are a subagent's. */
const WORDS = [...SPAWN_WORDS, '"session.start"', '"agentId":"']

function runsIn(artifact: Artifact): SubagentRun[] {
  const found = new Map<string, SubagentRun & { lines: number[]; toolCalls: number }>()
  const tasks = new Map<string, string>()
  const { root, path, sessionId } = artifact
  const isOrphaned = describe(artifact).orphaned === true
  let copiedUntil = Number.NEGATIVE_INFINITY
  const source = openSource(path)
  try {
    readLines(source, (line) => {
      const bytes = line.bytes.subarray(line.start, line.end)
      if (line.oversized || !WORDS.some((word) => bytes.includes(word))) return
      for (const entry of parseLine(line.bytes, line.start, line.end).entries)
        add(asObject(entry) ?? {}, line.number)
    })
  } finally {
    source.close()
  }
  return [...found.values()]

  function add(event: JsonObject, line: number): void {
    const data = asObject(event.data) ?? {}
    const at = asTime(event.timestamp)
    if (event.type === 'session.start' && !isOrphaned) copiedUntil = copyEnd(data, at) ?? copiedUntil
    if (at === undefined || at < copiedUntil) return
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
}
