import { type Column, counted, grouped, homely, readableBytes, table } from '../../../render/table.ts'
import type { Action } from '../action.ts'
import type { CopyAnswer } from './answer.ts'

type Counts = CopyAnswer['source'][number]

export const copy: Action = {
  examples: [
    {
      command: 'scrollback store copy ~/backup clickhouse://root@db.example.org/team',
      tells: 'copy the sessions of an archive into a team store, each as of its machine',
    },
    {
      command:
        'scrollback store copy old.sqlite clickhouse://root@db.example.org/team --device oak --person ann',
      tells: 'copy the store of a machine',
    },
  ],
  takes: ['target', 'to', 'device', 'person', 'dryRun'],
  async run(given, context) {
    const { runCopy } = await import('./run.ts')
    return { version: 1, action: 'copy', copy: runCopy(given, context) }
  },
  *render({ copy: answer }, screen) {
    if (!answer) return
    const { from, to, dryRun, copied, same, newer, forgotten, source } = answer
    const verb = dryRun ? 'Would copy' : 'Copied'
    yield `${verb} ${counted(copied, 'file')} from ${homely(from, screen.home)} to ${homely(to, screen.home)}.\n`
    if (same > 0) yield `${counted(same, 'file')}: already there\n`
    if (newer > 0) yield `${counted(newer, 'file')}: there in a later state\n`
    if (forgotten > 0)
      yield `${counted(forgotten, 'file')}: of sessions that were forgotten or are too old there, not copied\n`
    yield* table(source, COLUMNS, screen)
    yield dryRun || newer > 0 ? `${COUNTED}\n` : `Both have the same files, messages and tokens. ${COUNTED}\n`
  },
}

/** `index` counts messages once. */
const COUNTED = 'A message counts in each file that contains it.'

const COLUMNS: readonly Column<Counts>[] = [
  { title: 'machine', value: ({ device }) => device },
  { title: 'files', value: ({ files }) => grouped(files), align: 'right' },
  { title: 'messages', value: ({ messages }) => grouped(messages), align: 'right' },
  { title: 'tokens', value: ({ tokens }) => grouped(tokens), align: 'right' },
  { title: 'text', value: ({ bytes }) => readableBytes(bytes), align: 'right' },
]
