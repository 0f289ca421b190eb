/** What a surface needs to take records of others over HTTP. */
export interface ListenOptions {
  host: string
  /** 0 for any that is free. */
  port: number
  token: string
  /** Names beside those of this machine that a request may call us by. */
  names: readonly string[]
  /** Of a request, packed and unpacked, in bytes. */
  maxBody: number
  /**
   * Takes lines, and answers when they are durable. `packed` is one zstd frame of them, where they came as one. `too-large` where they
   * are too much at a time.
   */
  take(lines: Buffer, packed?: Buffer): Promise<{ answer: object; partly: boolean } | 'too-large'>
  /** Told what keeps a request from being answered. */
  fault(message: string): void
}

export interface Listening {
  host: string
  port: number
  /** Takes no more requests, and resolves when those under way are answered. */
  close(): Promise<void>
}
