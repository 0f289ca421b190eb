import type { Screen } from '../../../render/terminal.ts'
import type { Action } from '../action.ts'
import type { StoreAnswer } from '../answer.ts'

export const share: Action = {
  examples: [
    {
      command: 'scrollback store share 640ab4c7 --with bob --store clickhouse://ann@db.example.org/team',
      tells: 'let Bob read a session of yours and its subagents; without --with, everyone',
    },
    {
      command: 'scrollback store share --list --store clickhouse://ann@db.example.org/team',
      tells: 'list what you share, and what others share with you',
    },
  ],
  takes: ['target', 'with', 'list'],
  needsStore: true,
  async run(given, context) {
    const { shared } = await import('./share.ts')
    return shared(given, context)
  },
  render: shareLines,
}

export function* shareLines(
  { action, sessions = [], reader, shares }: StoreAnswer,
  _: Screen,
): Generator<string> {
  if (shares) {
    if (shares.length === 0) yield 'Nothing is shared with you or by you.\n'
    for (const { id, owner, reader: one, at } of shares)
      yield `${id}  ${owner} shares it with ${one ?? 'everyone'}  ${at.slice(0, 10)}\n`
    return
  }
  const whom = reader ?? 'everyone'
  yield action === 'share' ? `Shared with ${whom}:\n` : `No longer shared with ${whom}:\n`
  for (const { id } of sessions) yield `  ${id}\n`
}
