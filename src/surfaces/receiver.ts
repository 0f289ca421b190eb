import type { Listening, ListenOptions } from '../commands/listening.ts'

/** The server is loaded when somebody wants one. */
export const listen = async (options: ListenOptions): Promise<Listening> =>
  (await import('./http/receiver.ts')).startReceiver(options)
