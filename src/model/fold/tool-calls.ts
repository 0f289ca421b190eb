import type { Payload, SessionEvent } from '../event.ts'
import { textDigest } from '../item-key.ts'
import type { Item } from '../session.ts'
import type { OfReply, ReplyContext, ReplyCounts } from './reply-context.ts'
import { sentWords } from './sent-words.ts'
import { toolPaths, toolTarget } from './tool-target.ts'

type Part = Extract<Payload, { type: 'message' }>['parts'][number]
type Tool = NonNullable<Item['tool']>

const TOUCHED_LIMIT = 300
/** How many tool calls are remembered for their results. */
const CALL_MEMORY = 256
/** Maximum length of a stored error line. */
const ERROR_LIMIT = 500

/** Folds tool calls and their results: counts each call once, and joins a result with its call. */
export function createToolCalls(context: ReplyContext, counts: ReplyCounts) {
  const { artifact, keep, clean, traits } = context
  // A forked subagent begins with the tool call that started it, which belongs to its parent.
  const made = new Set<string | undefined>([artifact.parentCallId])
  const failed = new Set<string>()
  /** The latest calls, whose results may follow. */
  const calls = new Map<string, Tool>()
  const touched = new Map<string, number>()

  function call(event: SessionEvent, part: Extract<Part, { type: 'tool-call' }>, of: OfReply): void {
    if (part.callId !== undefined) {
      if (made.has(part.callId)) return
      made.add(part.callId)
    }
    counts.toolCalls++
    if (traits.touched && touched.size < TOUCHED_LIMIT)
      for (const path of toolPaths(part.input)) touched.set(path, (touched.get(path) ?? 0) + 1)
    if (keep === 'counts') return
    report(event, part)
    const tool = shown(part)
    if (part.callId !== undefined) remember(part.callId, tool)
    const holds = keep === 'full' ? { holds: 'input' as const } : {}
    context.push(event, { who: 'tool', tool, callId: part.callId, ...of, ...holds })
  }

  /** Reports the texts that a call sends to other agents. */
  function report(event: SessionEvent, part: Extract<Part, { type: 'tool-call' }>): void {
    for (const { text, to } of sentWords(part.name, part.input, traits.asks))
      context.sent({
        line: event.origin.line,
        at: event.at,
        digest: textDigest(clean(text)),
        ...(to && { to }),
      })
  }

  function shown({ name, input }: Extract<Part, { type: 'tool-call' }>): Tool {
    const target = toolTarget(name, input)
    return { name, target: target && cut(clean(target.text), target.shown) }
  }

  function remember(callId: string, tool: Tool): void {
    calls.set(callId, tool)
    // Results follow their calls closely, so the oldest call can go.
    if (calls.size > CALL_MEMORY) calls.delete(calls.keys().next().value!)
  }

  /** Whether the failure of a call was counted before, in a history that the client writes again. */
  function failedBefore(callId: string | undefined): boolean {
    if (callId === undefined || !traits.mirrors) return false
    const isKnown = failed.has(callId)
    failed.add(callId)
    return isKnown
  }

  function result(event: SessionEvent, part: Extract<Part, { type: 'tool-result' }>): void {
    const { callId } = part
    const tool = callId === undefined ? undefined : calls.get(callId)
    const shownTool = tool ?? (part.toolName ? { name: part.toolName } : undefined)
    if (part.denied) context.push(event, { who: 'marker', marker: 'denial', tool: shownTool, callId })
    if (keep === 'full')
      context.push(event, { who: 'tool', label: 'output', tool: shownTool, callId, holds: 'output' })
    if (part.error === undefined || failedBefore(callId)) return
    const sure = part.error === 'sure'
    if (sure) counts.errors++
    else counts.possibleErrors++
    const text = part.errorLine === undefined ? undefined : cut(clean(part.errorLine), ERROR_LIMIT)
    context.push(event, { who: 'error', text, tool: shownTool, callId, sure })
  }

  return { touched, call, result }
}

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…`.toWellFormed() : text
