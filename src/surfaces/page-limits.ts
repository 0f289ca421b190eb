/** The limits of the server of the page, for requests that are not complete. */
export const PAGE_LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1000,
}

export const MOST_CONNECTIONS = 1024
