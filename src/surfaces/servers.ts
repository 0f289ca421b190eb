import type { Context, Listening, ListenOptions, PageListening, PageOptions } from '../context/context.ts'
import type { Host } from './host.ts'

/** Receives records over HTTP. All servers are loaded lazily. */
export const listen = async (options: ListenOptions): Promise<Listening> =>
  (await import('./http/receiver.ts')).startReceiver(options)

/** Serves the page. */
export const servePage = async (context: Context, options: PageOptions): Promise<PageListening> =>
  (await import('./http/page/server.ts')).startPage(context, options)

/** Serves the tools for agents over standard input and output. */
export async function offerTools(
  context: Context,
  { version, host }: { version: string; host: Host },
): Promise<void> {
  const { serveTools } = await import('./mcp/stdio.ts')
  const list = async () => (await import('./mcp/announced.ts')).announced
  const load = async () => (await import('./mcp/toolbox.ts')).createToolbox(context)
  await serveTools({ list, load }, { version, host, stop: context.stop })
}
