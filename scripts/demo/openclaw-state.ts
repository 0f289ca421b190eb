import type { DemoFile } from './claude-code-transcript.ts'
import { home, telegramId, type WrittenSession } from './openclaw-transcript.ts'

const telegram = {
  chatType: 'direct',
  channel: 'telegram',
  lastChannel: 'telegram',
  lastTo: `telegram:${telegramId}`,
  lastAccountId: 'default',
  deliveryContext: { channel: 'telegram', to: `telegram:${telegramId}`, accountId: 'default' },
  origin: {
    label: `Dev id:${telegramId}`,
    provider: 'telegram',
    surface: 'telegram',
    chatType: 'direct',
    from: `telegram:${telegramId}`,
    to: `telegram:${telegramId}`,
    accountId: 'default',
  },
}
const webchat = {
  chatType: 'direct',
  deliveryContext: { channel: 'webchat' },
  lastChannel: 'webchat',
  origin: { provider: 'webchat', surface: 'webchat', chatType: 'direct' },
}

/** The session index of each agent: a flat map from session keys to session data. */
export function writeSessionIndexes(written: WrittenSession[]): DemoFile[] {
  const byAgent = Map.groupBy(
    written.filter(({ session }) => session.archived === undefined),
    ({ session }) => session.agent,
  )
  return [...byAgent].map(([agent, sessions]) => {
    const index = Object.fromEntries(
      sessions.flatMap((each) => keysOf(each).map((key) => [key, entryOf(each)])),
    )
    return { path: `agents/${agent}/sessions/sessions.json`, content: `${JSON.stringify(index, null, 2)}\n` }
  })
}

/** A run of a job has two entries in the index: as the latest run of its job, and as itself. */
export function keysOf({ session, sessionId }: WrittenSession): string[] {
  const agent = `agent:${session.agent}`
  switch (session.kind.type) {
    case 'direct':
      return [`${agent}:main`]
    case 'subagent':
      return [session.kind.key]
    case 'cron': {
      const job = `${agent}:cron:${session.kind.jobId}`
      return [job, `${job}:run:${sessionId}`]
    }
  }
}

function entryOf({
  session,
  sessionId,
  file,
  endedAt,
  compactions,
  tokens,
}: WrittenSession): Record<string, unknown> {
  const { kind } = session
  const surface = session.dress.startsWith('telegram') ? telegram : webchat
  return {
    sessionId,
    updatedAt: endedAt,
    systemSent: true,
    abortedLastRun: false,
    ...(kind.type === 'direct' ? surface : {}),
    ...(kind.type === 'cron' ? { label: `Cron: ${kind.jobName}` } : {}),
    ...(kind.type === 'subagent'
      ? { label: kind.label, spawnedBy: `agent:${session.agent}:main`, spawnDepth: 1, channel: 'telegram' }
      : {}),
    sessionFile: `${home}/${file}`,
    compactionCount: compactions,
    modelProvider: 'anthropic',
    model: session.model,
    contextTokens: 200_000,
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheRead: tokens.cacheRead,
    cacheWrite: tokens.cacheWrite,
    totalTokens: 9000 + tokens.cacheWrite + tokens.output,
  }
}
