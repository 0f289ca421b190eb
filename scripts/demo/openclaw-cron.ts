import type { DemoFile } from './claude-code-transcript.ts'
import { parseLocal } from './clock.ts'
import { keysOf } from './openclaw-state.ts'
import type { WrittenSession } from './openclaw-transcript.ts'
import { type Job, jobsOf, type Run } from './scheduled-jobs.ts'
import { createSeeded } from './seeded.ts'

/** The scheduled jobs of both agents and the logs of their runs; of most runs the transcript is gone. */
export function cronFiles(written: WrittenSession[]): DemoFile[] {
  const kept = written.filter(({ session }) => session.kind.type === 'cron')
  const jobs = jobsOf(kept)
  const content = `${JSON.stringify({ version: 1, jobs: jobs.map(entryOf) }, null, 2)}\n`
  return [
    { path: 'cron/jobs.json', content },
    ...jobs
      .filter(({ runs }) => runs.length > 0)
      .map((job) => ({ path: `cron/runs/${job.id}.jsonl`, content: logOf(job, kept) })),
  ]
}

function entryOf(job: Job): Record<string, unknown> {
  const last = job.runs.at(-1)
  const made = parseLocal(job.made)
  const errors = job.runs.length - 1 - job.runs.findLastIndex((run) => run.error === undefined)
  return {
    id: job.id,
    agentId: job.agent,
    name: job.name,
    enabled: job.enabled ?? true,
    createdAtMs: made,
    updatedAtMs: last ? last.at + last.durationMs : made,
    schedule: job.schedule,
    sessionTarget: job.payload.kind === 'systemEvent' ? 'main' : 'isolated',
    wakeMode: 'now',
    payload: job.payload,
    delivery: job.delivery,
    state: {
      nextRunAtMs: job.nextRunAtMs ?? (last && job.every ? last.at + job.every : undefined),
      ...(last
        ? {
            lastRunAtMs: last.at,
            lastStatus: statusOf(last),
            lastError: last.error,
            lastDurationMs: last.durationMs,
            consecutiveErrors: errors,
          }
        : {}),
    },
  }
}

const statusOf = (run: Run): string => (run.error ? 'error' : run.skipped ? 'skipped' : 'ok')

function logOf(job: Job, kept: WrittenSession[]): string {
  return job.runs
    .map((run) => {
      const seeded = createSeeded(`run ${job.name} ${run.at}`)
      const session = kept.find(({ startedAt }) => startedAt === run.at)
      const sessionId = session?.sessionId ?? seeded.uuid()
      const delivered = job.delivery?.mode === 'announce' && ![undefined, 'NO_REPLY'].includes(run.summary)
      const entry = {
        ts: run.at + run.durationMs,
        jobId: job.id,
        action: 'finished',
        status: statusOf(run),
        error: run.error,
        summary: run.summary,
        delivered,
        deliveryStatus: delivered ? 'delivered' : 'not-delivered',
        sessionId,
        sessionKey: session ? keysOf(session).at(-1) : `agent:${job.agent}:cron:${job.id}:run:${sessionId}`,
        runAtMs: run.at,
        durationMs: run.durationMs,
        nextRunAtMs: job.every ? run.at + job.every : undefined,
        model: 'claude-sonnet-4-6',
        provider: 'anthropic',
        usage: run.skipped ? undefined : usageOf(session, seeded),
      }
      return `${JSON.stringify(entry)}\n`
    })
    .join('')
}

function usageOf(session: WrittenSession | undefined, seeded: ReturnType<typeof createSeeded>) {
  const { input, output, cacheRead, cacheWrite } = session?.tokens ?? {
    input: seeded.between(5, 20),
    output: seeded.between(60, 300),
    cacheRead: seeded.between(9000, 18_000),
    cacheWrite: seeded.between(300, 1200),
  }
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output + cacheRead + cacheWrite,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
  }
}
