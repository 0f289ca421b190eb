import type { Context } from '../commands/command.ts'

/** Offers the tools for agents over standard input and output; what they need is loaded when somebody wants them. */
export async function offerTools(context: Context, version: string): Promise<void> {
  const [{ createToolbox }, { serveTools }] = await Promise.all([
    import('./mcp/toolbox.ts'),
    import('./mcp/stdio.ts'),
  ])
  const toolbox = await createToolbox(context)
  try {
    await serveTools(toolbox, { version, stop: context.stop })
  } finally {
    toolbox.close()
  }
}
