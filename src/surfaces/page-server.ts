import type { Context } from '../commands/kit/command.ts'
import type { PageListening, PageOptions } from '../commands/kit/listening.ts'

/** Loads the server lazily. */
export const servePage = async (context: Context, options: PageOptions): Promise<PageListening> =>
  (await import('./http/page/server.ts')).startPage(context, options)
