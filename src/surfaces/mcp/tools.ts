import type { Tool } from './tool.ts'
import { devlogTool } from './tools-devlog.ts'
import { projectsTool, sessionsTool } from './tools-listing.ts'
import { readTool } from './tools-read.ts'
import { searchTool } from './tools-search.ts'
import { statsTool } from './tools-stats.ts'

/** The reading commands as tools for agents, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  searchTool,
  readTool,
  sessionsTool,
  projectsTool,
  statsTool,
  devlogTool,
]
