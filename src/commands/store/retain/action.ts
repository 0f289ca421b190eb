import { counted, readableBytes } from '../../../render/table.ts'
import type { Action } from '../action.ts'

export const retain: Action = {
  examples: [
    {
      command: 'scrollback store retain 365d --dry-run --store clickhouse://root@db.example.org/team',
      tells: 'show what is older than a year: sessions, messages and sizes, by machine',
    },
    {
      command: 'scrollback store retain 365d --yes --store clickhouse://root@db.example.org/team',
      tells: 'remove it, and tell the machines not to bring it back; run it daily',
    },
  ],
  takes: ['target', 'dryRun', 'yes'],
  needsStore: true,
  async run(given, context) {
    const { retained } = await import('./retain.ts')
    return retained(given, context)
  },
  *render({ cutoff = '', done, devices = [] }) {
    const sum = (name: 'sessions' | 'messages' | 'bytes'): number =>
      devices.reduce((total, each) => total + each[name], 0)
    const what = `${counted(sum('sessions'), 'session')} with ${counted(sum('messages'), 'message')}, from ${readableBytes(sum('bytes'))} of transcripts`
    if (devices.length === 0) yield `No session ended before ${cutoff.slice(0, 10)}.\n`
    else yield `${done ? 'Removed' : 'Would remove'} what ended before ${cutoff.slice(0, 10)}: ${what}.\n`
    for (const { device, sessions, messages, bytes, oldestAt, newestAt } of devices)
      yield `  ${device}: ${counted(sessions, 'session')}, ${counted(messages, 'message')}, ${readableBytes(bytes)}, ended ${oldestAt.slice(0, 10)} to ${newestAt.slice(0, 10)}\n`
    if (!done) yield 'Nothing was changed.\n'
  },
}
