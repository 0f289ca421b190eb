import { type Batch, type Sink, SinkError } from './sink.ts'

/**
 * A pipe. Bytes that it accepted are acknowledged. If the reader goes away, the rest is sent again next time.
 */
export function createStdoutSink(write: (bytes: Uint8Array) => Promise<void>): Sink {
  return {
    name: 'stdout:',
    window: 1,
    async write({ bytes }: Batch) {
      try {
        await write(bytes)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED')
          throw new SinkError('closed', 'The pipe was closed.', { cause: error })
        throw new SinkError('stop', `The pipe cannot be written to: ${String(error)}`, { cause: error })
      }
    },
  }
}
