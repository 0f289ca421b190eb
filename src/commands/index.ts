import type { Command } from './command.ts'

/** Every command by name, loaded when it is wanted: a quick command does not pay for a slow one. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  overview: async () => (await import('./overview.ts')).overview as unknown as Command,
  projects: async () => (await import('./projects.ts')).projects as unknown as Command,
  sessions: async () => (await import('./sessions.ts')).sessions as unknown as Command,
  session: async () => (await import('./session.ts')).session as unknown as Command,
  read: async () => (await import('./read.ts')).read as unknown as Command,
  search: async () => (await import('./search.ts')).search as unknown as Command,
  runs: async () => (await import('./runs.ts')).runs as unknown as Command,
  stats: async () => (await import('./stats.ts')).stats as unknown as Command,
  statusline: async () => (await import('./statusline.ts')).statusline as unknown as Command,
  cron: async () => (await import('./cron.ts')).cron as unknown as Command,
  memory: async () => (await import('./memory.ts')).memory as unknown as Command,
  secrets: async () => (await import('./secrets.ts')).secrets as unknown as Command,
  follow: async () => (await import('./follow.ts')).follow as unknown as Command,
  resume: async () => (await import('./resume.ts')).resume as unknown as Command,
  export: async () => (await import('./export.ts')).exportSessions as unknown as Command,
  collect: async () => (await import('./collect.ts')).collect as unknown as Command,
  receive: async () => (await import('./receive.ts')).receive as unknown as Command,
  mcp: async () => (await import('./mcp.ts')).mcp as unknown as Command,
  setup: async () => (await import('./setup.ts')).setup as unknown as Command,
  doctor: async () => (await import('./doctor.ts')).doctor as unknown as Command,
  index: async () => (await import('./index-store.ts')).indexStore as unknown as Command,
}
