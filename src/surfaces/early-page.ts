import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { GivenDirs } from '../context/dir-flags.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A server that listens before the rest of its code is loaded. Its address was printed. */
export interface EarlyPage {
  server: Server
  host: string
  port: number
  token: string
  url: string
  /** The folders in the flags. */
  dirs: GivenDirs
  /** Whether the browser is opened. */
  open: boolean
  /** Handles requests from now on, those that wait first. */
  takeOver(handle: Handle): void
}

/** The limits of the server of the page, for requests that are not complete. */
export const PAGE_LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1000,
}

export const MOST_CONNECTIONS = 1024
