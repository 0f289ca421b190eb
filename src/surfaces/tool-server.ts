import type { Context } from '../commands/kit/command.ts'

/** Serves the tools for agents over standard input and output. Loaded lazily. */
export async function offerTools(context: Context, version: string): Promise<void> {
  const { serveTools } = await import('./mcp/stdio.ts')
  const list = async () => (await import('./mcp/announced.ts')).announced
  const load = async (isStructured: () => boolean) =>
    (await import('./mcp/toolbox.ts')).createToolbox(context, isStructured)
  await serveTools({ list, load }, { version, stop: context.stop })
}
