import type { DemoFile } from './claude-code-transcript.ts'
import { cronFiles } from './openclaw-cron.ts'
import { home, telegramId, type WrittenSession } from './openclaw-transcript.ts'
import { failedRunId, helperKey, helperRunId, helperTask } from './shop-assistant.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Files next to the sessions: scheduled jobs and their log, helpers that ran, the agents' own notes. */
export function writeOpenClawFiles(written: WrittenSession[]): DemoFile[] {
  return [...cronFiles(written), helperFile(written), ...workspaceFiles()]
}

function helperFile(written: WrittenSession[]): DemoFile {
  const helper = written.find(({ session }) => session.kind.type === 'subagent')!
  const run = {
    runId: helperRunId,
    childSessionKey: helperKey,
    requesterSessionKey: 'agent:main:main',
    requesterOrigin: { channel: 'telegram', to: `telegram:${telegramId}` },
    requesterDisplayKey: 'agent:main:main',
    task: helperTask,
    cleanup: 'keep',
    label: 'supplier-prices',
    model: 'anthropic/claude-sonnet-4-6',
    workspaceDir: `${home}/workspace`,
    createdAt: helper.startedAt,
    startedAt: helper.startedAt,
    endedAt: helper.endedAt,
    outcome: { status: 'ok' },
    endedReason: 'subagent-complete',
    frozenResultText: helper.lastWords,
  }
  // Its session was never written, because the model did not answer.
  const failed = {
    ...run,
    runId: failedRunId,
    childSessionKey: `agent:main:subagent:${failedRunId}`,
    task: 'Read the price list of the second supplier and name what is cheaper there.',
    label: 'second-supplier',
    createdAt: helper.endedAt + 60_000,
    startedAt: helper.endedAt + 60_000,
    endedAt: helper.endedAt + 181_000,
    outcome: { status: 'error', error: 'LLM request timed out.' },
    endedReason: 'subagent-error',
    frozenResultText: null,
  }
  const runs = { [helperRunId]: run, [failedRunId]: failed }
  return { path: 'subagents/runs.json', content: json({ version: 2, runs }) }
}

function workspaceFiles(): DemoFile[] {
  const main = (name: string, content: string) => ({ path: `workspace/${name}`, content })
  const ops = (name: string, content: string) => ({ path: `workspace-ops/${name}`, content })
  return [
    main('SOUL.md', '# Soul\n\nCalm, brief, honest about numbers. Never cheer below the target.\n'),
    main('IDENTITY.md', '# Identity\n\n- Name: Kettle\n- Creature: the assistant of a small tea shop\n'),
    main('USER.md', '# User\n\nRuns eastore alone. Reads messages on the phone, so keep them short.\n'),
    main(
      'AGENTS.md',
      '# Agents\n\nRead SOUL.md, USER.md and MEMORY.md first. Send no mail without being asked.\n',
    ),
    main(
      'TOOLS.md',
      '# Tools\n\n- Orders of a day: `node /home/dev/eastore/api/scripts/orders-of.js DATE`\n',
    ),
    main('HEARTBEAT.md', '# Heartbeat\n'),
    main(
      'MEMORY.md',
      '# Memory\n\n- Tax is rounded once per order, never per line.\n- Teapots for Christmas must be ordered by the middle of October.\n- The list of deliveries is in /home/dev/shop-notes/deliveries.csv.\n',
    ),
    main(
      'memory/2026-10-13.md',
      '# 2026-10-13\n\n- Green teapot 2, kyusu black 1. Twelve pots ordered from the potter, 38.00 euro each.\n',
    ),
    main('memory/2026-11-06.md', '# 2026-11-06\n\n- Release 1.0. Week 45: 70 orders in five days.\n'),
    main('notes/targets.md', '# Targets\n- twelve orders a day\n'),
    ops('SOUL.md', '# Soul\n\nLook first, touch later. Say what was measured.\n'),
    ops('IDENTITY.md', '# Identity\n\n- Name: Boiler\n- Creature: the one who looks after the machines\n'),
    ops(
      'HEARTBEAT.md',
      '# Heartbeat\n\n- Count the errors of eastore-api since the last heartbeat.\n- Ask /health.\n',
    ),
    ops(
      'MEMORY.md',
      '# Memory\n- Backups leave out node_modules.\n- Look what fills a disk before deleting anything.\n',
    ),
  ]
}
