import { basename, dirname, join } from 'node:path'
import { fileInside, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { isRunning } from '../../io/process.ts'
import { readSmall } from '../../io/source.ts'
import type { Root } from '../../model/artifact.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../model/json.ts'

const LIMIT = 256 * 1024

/** Reads a small JSON file next to a transcript. Undefined if it is missing or unreadable. */
export function readJson(path: string, limit = LIMIT): JsonObject | undefined {
  if (!fileInside(dirname(path), path, NO_LINKS)) return undefined
  try {
    const content = readSmall(path, limit)
    return content && asObject(JSON.parse(content.toString('utf8')))
  } catch {
    return undefined
  }
}

/** The file also contains scripts and results. */
const WORKFLOW_LIMIT = 4 * 1024 * 1024
/** `<session>/subagents/workflows/wf_<run>/agent-<id>`. */
const IN_WORKFLOW = /[/\\]subagents[/\\]workflows[/\\](wf_[\w-]+)[/\\]agent-[^/\\]*$/

/** The record of the workflow that an agent ran in. Undefined outside of workflows. */
function recordOf(stem: string): string | undefined {
  const run = IN_WORKFLOW.exec(stem)?.[1]
  const session = dirname(dirname(dirname(dirname(stem))))
  return run === undefined ? undefined : join(session, 'workflows', `${run}.json`)
}

/**
 * The label of the workflow step that an agent ran, because the prompts of all steps begin alike. `stem`: the
 * path of the agent's transcript without its extension. Undefined outside of workflows, and if the record of
 * the run is gone.
 */
export function workflowStep(stem: string): string | undefined {
  const path = recordOf(stem)
  if (path === undefined) return undefined
  const record = readJson(path, WORKFLOW_LIMIT)
  const id = basename(stem).slice('agent-'.length)
  const step = (asArray(record?.workflowProgress) ?? []).map(asObject).find((each) => each?.agentId === id)
  const label = asText(step?.label) ?? asText(step?.promptPreview)
  if (label === undefined) return undefined
  return [asText(record?.workflowName), label].filter((part) => part !== undefined).join(': ')
}

/** Whether the record of the workflow is there whose agents have their transcripts in a folder. */
export function hasWorkflowRecord(folder: string): boolean {
  const path = recordOf(join(folder, 'agent-'))
  return path !== undefined && fileInside(dirname(path), path, NO_LINKS) !== undefined
}

/** Written by a running client. The key files next to it are never opened. */
const OF_PROCESS = /^(\d{1,10})\.json$/
/** Limit of files that are read. */
const MOST = 1000

/**
 * The ids of sessions that a client has open now. A crashed client leaves its file behind, so its process
 * must be running. A later process with the same id is not distinguished.
 */
export function openSessions(root: Root): ReadonlySet<string> {
  const folder = join(root.path, 'sessions')
  const open = new Set<string>()
  for (const { name } of listDirectory(folder).entries.slice(0, MOST)) {
    const pid = OF_PROCESS.exec(name)?.[1]
    if (pid === undefined || !isRunning(Number(pid))) continue
    const held = readJson(join(folder, name))
    const id = asText(held?.sessionId)
    if (id !== undefined && (asNumber(held?.pid) ?? Number(pid)) === Number(pid)) open.add(id)
  }
  return open
}
