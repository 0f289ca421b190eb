import type { Command } from '../context/command.ts'

const byName = {
  overview: async () => (await import('./overview.ts')).overview,
  projects: async () => (await import('./projects.ts')).projects,
  sessions: async () => (await import('./sessions.ts')).sessions,
  session: async () => (await import('./session.ts')).session,
  read: async () => (await import('./read/command.ts')).read,
  search: async () => (await import('./search/command.ts')).search,
  recall: async () => (await import('./recall.ts')).recall,
  why: async () => (await import('./why/command.ts')).why,
  runs: async () => (await import('./runs.ts')).runs,
  stats: async () => (await import('./stats/command.ts')).stats,
  statusline: async () => (await import('./statusline/command.ts')).statusline,
  cron: async () => (await import('./cron/command.ts')).cron,
  memory: async () => (await import('./memory/command.ts')).memory,
  secrets: async () => (await import('./secrets/command.ts')).secrets,
  follow: async () => (await import('./follow.ts')).follow,
  resume: async () => (await import('./resume.ts')).resume,
  handoff: async () => (await import('./handoff.ts')).handoff,
  restore: async () => (await import('./restore/command.ts')).restore,
  pack: async () => (await import('./restore/pack.ts')).pack,
  unpack: async () => (await import('./restore/unpack.ts')).unpack,
  move: async () => (await import('./restore/move.ts')).move,
  changes: async () => (await import('./changes.ts')).changes,
  tag: async () => (await import('./tag.ts')).tag,
  forget: async () => (await import('./forget/command.ts')).forget,
  devlog: async () => (await import('./devlog/command.ts')).devlog,
  export: async () => (await import('./export/command.ts')).exportSessions,
  collect: async () => (await import('./collect/command.ts')).collect,
  keep: async () => (await import('./collect/keep.ts')).keep,
  receive: async () => (await import('./collect/receive.ts')).receive,
  store: async () => (await import('./store/command.ts')).store,
  serve: async () => (await import('./serve/command.ts')).serve,
  mcp: async () => (await import('./mcp.ts')).mcp,
  setup: async () => (await import('./setup.ts')).setup,
  doctor: async () => (await import('./doctor/command.ts')).doctor,
  meaning: async () => (await import('./meaning/command.ts')).meaning,
  index: async () => (await import('./index-store.ts')).indexStore,
}

/** The commands with their own types. */
export type Commands = typeof byName

/** Every command by name, loaded lazily: a quick command does not pay for a slow one. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = byName
