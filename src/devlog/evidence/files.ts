import { type Call, failed, isEdit, isRead, writesWhole } from './calls.ts'
import { cite } from './citation.ts'
import type { Citation, FileEvidence } from './evidence.ts'

const MOST_PROMPTS = 3

/** The changed files, most edits first. Calls are in chronological order. */
export function filesOf(calls: readonly Call[]): FileEvidence[] {
  const files = new Map<string, Call[]>()
  const known = new Set<string>()
  const created = new Set<string>()
  for (const call of calls) {
    if (isRead(call)) known.add(call.target)
    if (!isEdit(call)) continue
    if (failed(call)) {
      known.add(call.target)
      continue
    }
    const edits = files.get(call.target)
    if (edits) edits.push(call)
    else {
      files.set(call.target, [call])
      if (writesWhole(call) && !known.has(call.target)) created.add(call.target)
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
