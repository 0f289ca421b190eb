import { commands } from '../../../commands/index.ts'
import type { Question } from '../../../commands/serve/question.ts'

/** A question that the page may ask. */
export interface Reachable {
  load(): Promise<Question>
  /** Fields of the input that have no meaning here, or that reach beyond reading. */
  without?: readonly string[]
  /** The field with names of sessions, which must not be other files. */
  names?: string
  /** It changes something in our store, so it is sent as JSON with POST. */
  writes?: true
  /** It takes long, so it has a thread of its own. */
  isLong?: true
}

const command = (name: string, rest: Omit<Reachable, 'load'> = {}): [string, Reachable] => [
  name,
  { load: commands[name]!, ...rest },
]

/** A question that only the page asks. Its input is checked against its own schema. */
const own = (
  name: string,
  load: () => Promise<unknown>,
  rest: Omit<Reachable, 'load'> = {},
): [string, Reachable] => [name, { load: load as unknown as Reachable['load'], ...rest }]

/** The questions by name. Commands answer as with `--json`. */
export const questions: ReadonlyMap<string, Reachable> = new Map([
  command('overview'),
  command('projects'),
  command('sessions', { without: ['long'] }),
  command('session'),
  command('read', { without: ['format', 'voice', 'editor', 'lines'], names: 'target' }),
  command('search', { without: ['flat', 'pick', 'wait'] }),
  command('runs'),
  command('stats'),
  command('cron'),
  command('memory'),
  command('secrets', { isLong: true }),
  command('doctor', { isLong: true }),
  command('resume', { without: ['run'] }),
  command('changes', { without: ['brief'] }),
  command('devlog', {
    without: [
      ...['out', 'force', 'check', 'format', 'voice', 'budget', 'evidence', 'anonymize'],
      ...['writer', 'strict', 'writerContext', 'writerTimeout'],
    ],
    isLong: true,
  }),
  command('tag', { writes: true }),
  [
    'tags',
    {
      load: commands.tag!,
      without: ['session', 'tags', 'remove', 'star', 'name', 'rule', 'when', 'removeRule'],
    },
  ],
  own('items', async () => (await import('../../../commands/serve/items.ts')).items),
  own('outline', async () => (await import('../../../commands/serve/outline.ts')).outline),
  own('record', async () => (await import('../../../commands/serve/record.ts')).record),
  own('image', async () => (await import('../../../commands/serve/image.ts')).image),
  own('live', async () => (await import('../../../commands/serve/live.ts')).live),
  own('vanishing', async () => (await import('../../../commands/serve/vanishing.ts')).vanishing),
  own('export', async () => (await import('../../../commands/serve/export.ts')).exporting),
  own('collector', async () => (await import('../../../commands/serve/collector.ts')).collector, {
    isLong: true,
  }),
])
