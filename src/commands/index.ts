import type { Command } from './kit/command.ts'

/** Every command by name, loaded lazily: a quick command does not pay for a slow one. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  overview: async () => (await import('./overview/command.ts')).overview as unknown as Command,
  projects: async () => (await import('./projects/command.ts')).projects as unknown as Command,
  sessions: async () => (await import('./sessions/command.ts')).sessions as unknown as Command,
  session: async () => (await import('./session/command.ts')).session as unknown as Command,
  read: async () => (await import('./read/command.ts')).read as unknown as Command,
  search: async () => (await import('./search/command.ts')).search as unknown as Command,
  runs: async () => (await import('./runs/command.ts')).runs as unknown as Command,
  stats: async () => (await import('./stats/command.ts')).stats as unknown as Command,
  statusline: async () => (await import('./statusline/command.ts')).statusline as unknown as Command,
  cron: async () => (await import('./cron/command.ts')).cron as unknown as Command,
  memory: async () => (await import('./memory/command.ts')).memory as unknown as Command,
  secrets: async () => (await import('./secrets/command.ts')).secrets as unknown as Command,
  follow: async () => (await import('./follow/command.ts')).follow as unknown as Command,
  resume: async () => (await import('./resume/command.ts')).resume as unknown as Command,
  export: async () => (await import('./export/command.ts')).exportSessions as unknown as Command,
  collect: async () => (await import('./collect/command.ts')).collect as unknown as Command,
  receive: async () => (await import('./receive/command.ts')).receive as unknown as Command,
  serve: async () => (await import('./serve/command.ts')).serve as unknown as Command,
  mcp: async () => (await import('./mcp/command.ts')).mcp as unknown as Command,
  setup: async () => (await import('./setup/command.ts')).setup as unknown as Command,
  doctor: async () => (await import('./doctor/command.ts')).doctor as unknown as Command,
  index: async () => (await import('./index/command.ts')).indexStore as unknown as Command,
}
