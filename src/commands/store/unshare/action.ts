import type { Action } from '../action.ts'
import { shareLines } from '../share/action.ts'

export const unshare: Action = {
  examples: [
    {
      command: 'scrollback store unshare 640ab4c7 --with bob --store clickhouse://ann@db.example.org/team',
      tells: 'take that back; without --with, what you share with everyone',
    },
  ],
  takes: ['target', 'with'],
  needsStore: true,
  async run(given, context) {
    const { shared } = await import('../share/share.ts')
    return shared(given, context)
  },
  render: shareLines,
}
