import type { Item, Session } from '../src/model/session.ts'

/** A row of the session list with only the fields that a test needs. */
export const session = (facts: Partial<Session> = {}): Session => ({
  id: 'a0000000-0000-4000-8000-000000000000',
  platform: 'claude-code',
  agent: 'claude',
  kind: 'human',
  state: 'live',
  path: '/home/ann/.claude/projects/-x/a.jsonl',
  root: '/home/ann/.claude',
  bytes: 1000,
  modifiedMs: Date.UTC(2026, 10, 1),
  lines: 10,
  human: 1,
  agentMessages: 1,
  toolCalls: 0,
  errors: 0,
  possibleErrors: 0,
  lastHuman: [],
  accounting: { events: 10, skipped: {}, unknown: {}, malformed: 0 },
  cwds: [],
  touched: [],
  origins: [],
  otherIds: [],
  ...facts,
})

/** A Claude Code session that ran in a folder. */
export const ranIn = (path: string, facts: Partial<Session> = {}): Session =>
  session({ cwds: [[path, 5]], slug: path.replace(/[^a-zA-Z0-9]/g, '-'), ...facts })

/** An OpenClaw session, which runs in its own workspace, whatever it works on. */
export const openclawSession = (facts: Partial<Session> = {}): Session =>
  session({
    platform: 'openclaw',
    agent: 'main',
    cwds: [['/home/ann/.openclaw/workspace', 9]],
    path: '/home/ann/.openclaw/agents/main/sessions/a.jsonl',
    root: '/home/ann/.openclaw',
    ...facts,
  })

let line = 0

/** An item of a transcript. Lines are numbered automatically. */
export const item = (facts: Partial<Item> & Pick<Item, 'who'>): Item => {
  line++
  return { line, offset: line * 100, length: 99, order: 0, ...facts }
}

export const human = (text: string, facts: Partial<Item> = {}): Item => item({ who: 'human', text, ...facts })
export const agent = (text: string, facts: Partial<Item> = {}): Item => item({ who: 'agent', text, ...facts })
export const tool = (name: string, target?: string, facts: Partial<Item> = {}): Item =>
  item({ who: 'tool', tool: { name, target }, ...facts })
export const failure = (text: string, facts: Partial<Item> = {}): Item =>
  item({ who: 'error', text, sure: true, tool: { name: 'Bash' }, ...facts })
