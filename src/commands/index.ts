import type { Command } from '../context/command.ts'

const byName = {
  overview: async () => (await import('./overview.ts')).overview,
  projects: async () => (await import('./projects.ts')).projects,
  sessions: async () => (await import('./sessions.ts')).sessions,
  session: async () => (await import('./session.ts')).session,
  read: async () => (await import('./read/command.ts')).read,
  search: async () => (await import('./search/command.ts')).search,
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
  standup: async () => (await import('./standup.ts')).standup,
  devlog: async () => (await import('./devlog/command.ts')).devlog,
  export: async () => (await import('./export/command.ts')).exportSessions,
  collect: async () => (await import('./collect/command.ts')).collect,
  keep: async () => (await import('./collect/keep.ts')).keep,
  receive: async () => (await import('./collect/receive.ts')).receive,
  store: async () => (await import('./store/command.ts')).store,
  serve: async () => (await import('./serve/command.ts')).serve,
  mcp: async () => (await import('./mcp.ts')).mcp,
  recall: async () => (await import('./recall.ts')).recall,
  setup: async () => (await import('./setup.ts')).setup,
  doctor: async () => (await import('./doctor/command.ts')).doctor,
  meaning: async () => (await import('./meaning/command.ts')).meaning,
  index: async () => (await import('./index-store.ts')).indexStore,
}

/** The commands with their own types. */
export type Commands = typeof byName

/** Every command by name, loaded lazily: a quick command does not pay for a slow one. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = byName

/**
 * The commands in the order and groups of the help, each in a few words. The others are parts of these, or
 * for programs: `help <name>` describes them.
 */
export const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Look:': {
    overview: 'search, read and resume, in a picker',
    sessions: 'list sessions, or show one in detail',
    read: 'read a session or a project, condensed',
    search: 'search everything that was said',
    why: 'why a file or a line is as it is',
    changes: 'what a session changed in files',
    runs: 'subagents: their tasks, and how they ended',
    projects: 'projects, and what a name means',
    cron: 'scheduled jobs, and how they went',
    memory: 'what agents remember',
    follow: 'messages as they are written',
  },
  'Count:': {
    stats: 'messages, tokens and cost, by day and more',
    statusline: 'a status line with today’s cost',
  },
  'Keep:': {
    keep: 'keep every session for good, by a service',
    collect: 'deliver new records somewhere, once each',
    restore: 'write a session back for its client',
    resume: 'go on with a session in its client',
    move: 'follow a folder that was moved or renamed',
    pack: 'put sessions into a file for another machine',
    unpack: 'take them out there',
    tag: 'stars, names and tags of your own',
    forget: 'remove sessions for good, with a receipt',
  },
  'Tell:': {
    standup: 'five lines about yesterday, to paste',
    devlog: 'the story of a project, or a brief for it',
    handoff: 'a brief with which another agent goes on',
    export: 'a page, Markdown or JSON of a session',
  },
  'Set up:': {
    setup: 'add skill, tools and hook to your agents',
    serve: 'everything in a browser, on this machine',
    mcp: 'tools for agents (MCP)',
    doctor: 'prove that nothing is missing',
    secrets: 'find keys and passwords in transcripts',
    index: 'bring the store up to date',
    meaning: 'search by meaning, with an encoder you name',
    completions: 'for bash, zsh or fish',
  },
}
