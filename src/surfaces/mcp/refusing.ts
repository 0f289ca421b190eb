import type { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** A call that cannot be understood, with the id of its message. */
class RefusedCall extends Error {
  readonly id: string | number

  constructor(id: string | number) {
    super('tools/call takes the name of a tool, and its arguments as an object')
    this.id = id
  }
}

/**
 * Answers what is no message, which the SDK passes over in silence, and calls whose form is wrong, for which
 * it sends the fault of a schema. Call it before the server is connected: the SDK keeps what is set here.
 */
export function refuseInvalid(transport: StdioServerTransport, output: NodeJS.WritableStream): void {
  transport.onmessage = (message) => {
    if (!('method' in message && 'id' in message) || message.method !== 'tools/call') return
    if (!isCall(message.params)) throw new RefusedCall(message.id)
  }
  transport.onerror = (error) => {
    const refusal = refusalOf(error)
    if (refusal) output.write(`${JSON.stringify({ jsonrpc: '2.0', ...refusal })}\n`)
  }
}

function isCall(params: Extract<JSONRPCMessage, { method: string }>['params']): boolean {
  const { name, arguments: given = {} } = params ?? {}
  return typeof name === 'string' && typeof given === 'object' && given !== null && !Array.isArray(given)
}

function refusalOf(error: Error): { id: string | number | null; error: object } | undefined {
  if (error instanceof RefusedCall)
    return { id: error.id, error: { code: ErrorCode.InvalidParams, message: error.message } }
  if (error instanceof SyntaxError)
    return { id: null, error: { code: ErrorCode.ParseError, message: 'This line is no JSON' } }
  // A schema of the SDK lists what does not fit.
  if ('issues' in error) {
    const message = 'This is no message of JSON-RPC: one object a line, with a method. Batches are not taken'
    return { id: null, error: { code: ErrorCode.InvalidRequest, message } }
  }
  return undefined
}
