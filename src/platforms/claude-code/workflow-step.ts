import { basename, dirname, join } from 'node:path'
import { asArray, asObject, asText } from '../../model/json.ts'
import { readJson } from './small-files.ts'

/** The file also contains scripts and results. */
const LIMIT = 4 * 1024 * 1024
/** `<session>/subagents/workflows/wf_<run>/agent-<id>`. */
const IN_WORKFLOW = /[/\\]subagents[/\\]workflows[/\\](wf_[\w-]+)[/\\]agent-[^/\\]+$/

/**
 * The label of the workflow step that an agent ran, because the prompts of all steps begin alike. `stem`: the
 * path of the agent's transcript without its extension. Undefined outside of workflows, and if the record of
 * the run is gone.
 */
export function workflowStep(stem: string): string | undefined {
  const run = IN_WORKFLOW.exec(stem)?.[1]
  if (run === undefined) return undefined
  const session = dirname(dirname(dirname(dirname(stem))))
  const record = readJson(join(session, 'workflows', `${run}.json`), LIMIT)
  const id = basename(stem).slice('agent-'.length)
  const step = (asArray(record?.workflowProgress) ?? []).map(asObject).find((each) => each?.agentId === id)
  const label = asText(step?.label) ?? asText(step?.promptPreview)
  if (label === undefined) return undefined
  return [asText(record?.workflowName), label].filter((part) => part !== undefined).join(': ')
}
