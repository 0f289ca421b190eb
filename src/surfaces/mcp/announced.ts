import { type InputSchema, schemaOf } from './schema.ts'
import { tools } from './tools.ts'

/** A tool as it is announced. */
export interface Announced {
  name: string
  title: string
  description: string
  inputSchema: InputSchema
}

/** The build puts what this comes to in its place, so that who is asked for the list loads no command. */
export const announced: Announced[] = await Promise.all(
  tools.map(async (tool) => {
    const { name, title, description } = tool
    return { name, title, description, inputSchema: schemaOf(tool, await tool.command()) }
  }),
)
