/** What a surface needs to receive records over HTTP. */
export interface ListenOptions {
  host: string
  /** 0 for any free port. */
  port: number
  token: string
  /** Accepted host names besides those of this machine. */
  names: readonly string[]
  /** The largest request body, compressed and uncompressed, in bytes. */
  maxBody: number
  /**
   * Accepts lines, and resolves when they are durable. `packed` is one zstd frame of them, if they arrived as
   * one. Resolves to `too-large` if there are too many at once.
   */
  take(lines: Buffer, packed?: Buffer): Promise<{ answer: object; partly: boolean } | 'too-large'>
  /** Reports a fault that prevented an answer. */
  fault(message: string): void
}

export interface Listening {
  host: string
  port: number
  /** Accepts no more requests, and resolves when open ones are answered. */
  close(): Promise<void>
}

/** The built files of the page. Only listed ones can be read, so no address leads to another file. */
export interface PageFiles {
  /** Whether the page is built. */
  isBuilt(): boolean
  /** A file by its address: `assets/index-abc.js`. Undefined if there is none. */
  read(address: string): Buffer | undefined
  /** The same compressed with gzip. Undefined if that would not be smaller. */
  packed(address: string): Buffer | undefined
}

/** A proxy in front of the page that lets only users through who have signed in. */
export interface TrustedProxy {
  /** The header with the name of the user, in lower case. */
  header: string
  /** The addresses from which the header is believed. */
  addresses: readonly string[]
}

/** What a surface needs to serve the page. */
export interface PageOptions {
  host: string
  /** 0 for any free port. */
  port: number
  token: string
  /** Accepted host names besides those of this machine. */
  names: readonly string[]
  files: PageFiles
  /** The certificate and its key, in PEM. Without them, HTTP is not encrypted. */
  tls?: { cert: string; key: string }
  proxy?: TrustedProxy
  /** Reports a fault that prevented an answer. */
  fault(message: string): void
}

export interface PageListening extends Listening {
  /** A code that opens the page once, for a command line that others may see. */
  code(): string
}
