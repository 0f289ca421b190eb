import type { Listening, ListenOptions } from '../commands/kit/listening.ts'

/** Loads the server lazily. */
export const listen = async (options: ListenOptions): Promise<Listening> =>
  (await import('./http/receiver/receiver.ts')).startReceiver(options)
