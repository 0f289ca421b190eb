import type { IncomingMessage, Server, ServerResponse } from 'node:http'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A server that listens before the program is loaded. Its address was printed. */
export interface EarlyPage {
  server: Server
  port: number
  token: string
  /** Handles requests from now on, those that wait first. */
  takeOver(handle: Handle): void
}
