import type { Command } from './kit/command.ts'

const byName = {
  overview: async () => (await import('./overview/command.ts')).overview,
  projects: async () => (await import('./projects/command.ts')).projects,
  sessions: async () => (await import('./sessions/command.ts')).sessions,
  session: async () => (await import('./session/command.ts')).session,
  read: async () => (await import('./read/command.ts')).read,
  search: async () => (await import('./search/command.ts')).search,
  runs: async () => (await import('./runs/command.ts')).runs,
  stats: async () => (await import('./stats/command.ts')).stats,
  statusline: async () => (await import('./statusline/command.ts')).statusline,
  cron: async () => (await import('./cron/command.ts')).cron,
  memory: async () => (await import('./memory/command.ts')).memory,
  secrets: async () => (await import('./secrets/command.ts')).secrets,
  follow: async () => (await import('./follow/command.ts')).follow,
  resume: async () => (await import('./resume/command.ts')).resume,
  changes: async () => (await import('./changes/command.ts')).changes,
  tag: async () => (await import('./tag/command.ts')).tag,
  forget: async () => (await import('./forget/command.ts')).forget,
  devlog: async () => (await import('./devlog/command.ts')).devlog,
  export: async () => (await import('./export/command.ts')).exportSessions,
  collect: async () => (await import('./collect/command.ts')).collect,
  receive: async () => (await import('./receive/command.ts')).receive,
  store: async () => (await import('./store/command.ts')).store,
  serve: async () => (await import('./serve/command.ts')).serve,
  mcp: async () => (await import('./mcp/command.ts')).mcp,
  setup: async () => (await import('./setup/command.ts')).setup,
  doctor: async () => (await import('./doctor/command.ts')).doctor,
  index: async () => (await import('./index/command.ts')).indexStore,
}

/** The commands with their own types. */
export type Commands = typeof byName

/** Every command by name, loaded lazily: a quick command does not pay for a slow one. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = byName
