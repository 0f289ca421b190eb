import { type Leak, leaksIn } from '../../devlog/leaks.ts'
import { unescaped } from '../../devlog/story.ts'
import type { SourceSession } from '../../devlog/turns.ts'
import { createRedactor } from '../../redact/redactor.ts'
import type { Context } from '../kit/context.ts'

/** What a text in Markdown reveals about machines and people. */
export function leaksOf(markdown: string, sources: readonly SourceSession[], context: Context): Leak[] {
  const { find } = createRedactor({
    ...{ level: 'standard', identities: true, home: context.environment.home },
    users: [context.machine.user].filter(Boolean),
  })
  return leaksIn(unescaped(markdown), {
    find,
    device: context.machine.device,
    people: senders(sources),
  })
}

/** Labels that name no person. */
const COMMON = new Set(['queued', 'waiting', 'cron', 'thinking', 'output', 'probably a script'])

/** The people who wrote in groups, as the platform labels their messages. */
function senders(sources: readonly SourceSession[]): string[] {
  const names = new Set<string>()
  for (const { items } of sources)
    for (const { who, label } of items)
      if (who === 'human' && label !== undefined && !COMMON.has(label)) names.add(label)
  return [...names]
}
