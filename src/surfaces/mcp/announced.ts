import * as z from 'zod/mini'
import { argumentsOf, descriptions, type Tool } from './tool.ts'
import { tools } from './tools.ts'

/** A tool as listed for clients. */
export interface Announced {
  name: string
  title: string
  description: string
  /** JSON Schema. */
  inputSchema: { type: 'object' } & Record<string, unknown>
}

/** The build replaces this by its result, so that listing the tools loads no command. */
export const announced: Announced[] = await Promise.all(
  tools.map(async (tool) => {
    const { name, title, description } = tool
    return { name, title, description, inputSchema: await inputSchemaOf(tool) }
  }),
)

async function inputSchemaOf(tool: Tool): Promise<Announced['inputSchema']> {
  const schema = argumentsOf(tool, await tool.command())
  const { $schema: _, ...described } = z.toJSONSchema(schema, { metadata: descriptions })
  return { ...described, type: 'object' }
}
