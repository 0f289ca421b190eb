/** What is needed of a call, and of a failure or a denial. */
interface Part {
  line: number
  tool?: { name: string; target?: string | null } | null | undefined
  callId?: string | null | undefined
  /** Of a denial. A failure has none. */
  marker?: string | null | undefined
}

interface Open<Value> {
  value: Value
  isAnswered: boolean
}

/** Tells which call a failure or a denial is of. */
export interface OpenCalls<Value> {
  made(call: Part, value: Value): void
  /** Undefined if it is of no known call, such as the error of a reply, which names no tool. */
  answered(failure: Part): Value | undefined
}

/**
 * The calls so far that have not failed. Several may be made at once. Where their ids are not known, a
 * failure is of the newest call with the same tool and target.
 *
 * @example
 * const calls = openCalls<string>()
 * calls.made({ line: 1, tool: { name: 'Edit', target: 'a.ts' } }, 'first')
 * calls.made({ line: 1, tool: { name: 'Edit', target: 'b.ts' } }, 'second')
 * calls.answered({ line: 2, tool: { name: 'Edit', target: 'a.ts' } }) // => 'first'
 */
export function openCalls<Value>(): OpenCalls<Value> {
  const byId = new Map<string, Value>()
  /** By what a failure may state of them. */
  const alike = new Map<string, Open<Value>[]>()
  const keep = (key: string, call: Open<Value>): void => {
    const others = alike.get(key)
    if (others) others.push(call)
    else alike.set(key, [call])
  }
  /** A record may state the failure of a call right after its denial. */
  let denied: { key: string; line: number; call: Open<Value> } | undefined
  return {
    made({ tool, callId }, value) {
      if (!tool) return
      if (callId != null) byId.set(callId, value)
      const call = { value, isAnswered: false }
      keep(keyOf(tool), call)
      if (tool.target != null) keep(keyOf({ name: tool.name }), call)
    },
    answered({ line, tool, callId, marker }) {
      if (callId != null) return byId.get(callId)
      if (!tool) return undefined
      const key = keyOf(tool)
      const before = denied
      denied = undefined
      if (before?.key === key && before.line === line && marker == null) return before.call.value
      const others = alike.get(key)
      for (let call = others?.pop(); call; call = others?.pop()) {
        if (call.isAnswered) continue
        call.isAnswered = true
        if (marker != null) denied = { key, line, call }
        return call.value
      }
      return undefined
    },
  }
}

const keyOf = ({ name, target }: NonNullable<Part['tool']>): string => `${name}\n${target ?? ''}`
