import { defineCommand, type Example } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { duration } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Column, counted, grouped, homely, readableBytes, table } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import {
  ACTIONS,
  type ActionName,
  type CopyAnswer,
  type Input,
  input,
  output,
  type StoreAnswer,
} from './answer.ts'

/** The fields of the input that an action may take. */
type Field = Exclude<keyof Input, 'action'>

/** One action of the command. What `run` needs is loaded when it is called. */
interface Action {
  /** At least one. */
  examples: readonly Example[]
  /** What it takes. Anything else that is given is an error. */
  takes: readonly Field[]
  /** It works on a team store, so `--store` has to name one. */
  needsStore?: true
  run(given: Input, context: Context): Promise<StoreAnswer>
  /** The answer for people, in pieces. */
  render(answer: StoreAnswer, screen: Screen): Iterable<string>
}

const schema: Action = {
  examples: [
    {
      command: 'scrollback store schema | clickhouse-client --database team --multiquery',
      description: 'create the tables of a space',
    },
    {
      command: 'scrollback store schema --cluster prod',
      description: 'print the statements that create them on every server of a cluster',
    },
  ],
  takes: ['cluster'],
  async run({ cluster }) {
    const { teamEngine } = await import('./team-store.ts')
    return { version: 1, action: 'schema', sql: `${teamEngine.schemaStatements(cluster).join(';\n\n')};\n` }
  },
  *render({ sql = '' }) {
    yield sql
  },
}

const upgrade: Action = {
  examples: [
    {
      command: 'scrollback store upgrade --dry-run --store clickhouse://root@db.example.org/team',
      description: 'print what brings the tables to the format of this version',
    },
  ],
  takes: ['dryRun'],
  needsStore: true,
  async run({ dryRun }, { remote }) {
    const { teamEngine } = await import('./team-store.ts')
    const { from, to, statements } = teamEngine.upgrade(remote!.address, dryRun)
    const sql = statements.map((each) => `${each};\n`).join('\n')
    return { version: 1, action: 'upgrade', from, to, done: !dryRun, ...(dryRun ? { sql } : {}) }
  },
  *render({ from, to, done, sql = '' }) {
    yield sql
    const mark = done ? '' : '-- '
    if (from === to) yield `${mark}The space has the format ${to} already.\n`
    else if (done)
      yield from === 0 ? `Created the tables of format ${to}.\n` : `Upgraded from format ${from} to ${to}.\n`
    else
      yield `-- ${from === 0 ? 'There are no tables' : `The space has the format ${from}`}; this makes it ${to}. Nothing was changed.\n`
  },
}

const grant: Action = {
  examples: [
    {
      command: 'scrollback store grant --database team --device oak --passwords ~/team > oak.sql',
      description: 'print the SQL for a machine, which adds what it has and reads nothing',
    },
    {
      command: 'scrollback store grant --database team --reader ann --passwords ~/team > ann.sql',
      description: 'the same for a person who reads everything in the space',
    },
    {
      command: 'scrollback store grant --database team --reader ann --ldap staff > ann.sql',
      description: 'the same with the password that an LDAP server knows',
    },
  ],
  takes: ['cluster', 'database', 'device', 'reader', 'admin', 'passwords', 'ldap'],
  async run(given, context) {
    const { grantAnswer } = await import('./grant.ts')
    return grantAnswer(given, context)
  },
  *render({ sql = '', passwords = [] }) {
    yield sql
    if (passwords.length > 0)
      yield `-- ${counted(passwords.length, 'password')}, each in a file of its own:\n`
    for (const { user, file } of passwords) yield `--   ${JSON.stringify(user)} in ${JSON.stringify(file)}\n`
  },
}

const status: Action = {
  examples: [
    {
      command: 'scrollback store status --store clickhouse://root@db.example.org/team',
      description: 'show which machine delivered when, and who forgot what',
    },
  ],
  takes: [],
  needsStore: true,
  async run(_, context) {
    const { spaceStatus } = await import('./status.ts')
    return spaceStatus(context)
  },
  *render({ machines = [], forgotten = [], cutoff, from = 0 }, screen) {
    yield `Format ${from}. ${cutoff ? `What ended before ${cutoff.slice(0, 10)} is refused.` : 'Nothing is too old.'}\n`
    if (machines.length === 0) yield 'No machine has delivered yet.\n'
    else yield* table(machines, MACHINES, screen)
    for (const { id, by, at } of forgotten) yield `${at.slice(0, 16).replace('T', ' ')}  ${by} forgot ${id}\n`
  },
}

type DeliveredBy = NonNullable<StoreAnswer['machines']>[number]

const MACHINES: readonly Column<DeliveredBy>[] = [
  { title: 'machine', value: ({ device }) => device },
  { title: 'person', value: ({ person }) => person },
  { title: 'delivered', value: ({ agoMs }) => `${duration(agoMs)} ago`, align: 'right' },
  { title: 'files', value: ({ files }) => grouped(files), align: 'right' },
  { title: 'refused', value: ({ refused }) => grouped(refused), align: 'right' },
  { title: 'newest message', value: ({ newestAt }) => newestAt?.slice(0, 16).replace('T', ' ') ?? '' },
  { title: 'version', value: ({ program, format }) => `${program} (${format})` },
]

const retain: Action = {
  examples: [
    {
      command: 'scrollback store retain 365d --dry-run --store clickhouse://root@db.example.org/team',
      description: 'show what is older than a year: sessions, messages and sizes, by machine',
    },
    {
      command: 'scrollback store retain 365d --yes --store clickhouse://root@db.example.org/team',
      description: 'remove it, and refuse it from now on; run it daily',
    },
  ],
  takes: ['target', 'dryRun', 'yes'],
  needsStore: true,
  async run(given, context) {
    const { retained } = await import('./retain.ts')
    return retained(given, context)
  },
  *render({ cutoff: before, done, devices = [], left }) {
    const cutoff = before ?? ''
    const sum = (name: 'sessions' | 'messages' | 'bytes'): number =>
      devices.reduce((total, each) => total + each[name], 0)
    const what = `${counted(sum('sessions'), 'session')} with ${counted(sum('messages'), 'message')}, from ${readableBytes(sum('bytes'))} of transcripts`
    if (devices.length === 0) yield `No session ended before ${cutoff.slice(0, 10)}.\n`
    else yield `${done ? 'Removed' : 'Would remove'} what ended before ${cutoff.slice(0, 10)}: ${what}.\n`
    for (const { device, sessions, messages, bytes, oldestAt, newestAt } of devices)
      yield `  ${device}: ${counted(sessions, 'session')}, ${counted(messages, 'message')}, ${readableBytes(bytes)}, ended ${oldestAt.slice(0, 10)} to ${newestAt.slice(0, 10)}\n`
    if (!done) yield 'Nothing was changed.\n'
    else if (left !== undefined)
      yield `Rows that are left of it, in all tables and parts: ${grouped(left)}.\n`
  },
}

type Counts = CopyAnswer['source'][number]

const copy: Action = {
  examples: [
    {
      command: 'scrollback store copy ~/backup clickhouse://root@db.example.org/team',
      description: 'send the sessions of an archive to a space, each as of its machine',
    },
    {
      command:
        'scrollback store copy old.sqlite clickhouse://root@db.example.org/team --device oak --person ann',
      description: 'send the store of a machine',
    },
  ],
  takes: ['target', 'to', 'device', 'person', 'dryRun'],
  async run(given, context) {
    const { runCopy } = await import('./copy.ts')
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

/** Every action by name. */
const actions: Readonly<Record<ActionName, Action>> = {
  schema,
  upgrade,
  grant,
  status,
  retain,
  copy,
}

export const store = defineCommand({
  name: 'store',
  summary: 'set up and administer a space, the store of a team',
  details:
    'A space is a database of ClickHouse: whoever may read it sees all of it. schema, grant and upgrade --dry-run print SQL for review; they run nothing.',
  examples: ACTIONS.flatMap((name) => actions[name].examples),
  input,
  output,
  async run(given, context): Promise<StoreAnswer> {
    const { action } = given
    if (action === undefined)
      throw new ScrollbackError(
        'bad-option',
        'store: the action is missing',
        `Choose one: ${ACTIONS.join(', ')}. For example: scrollback store schema`,
      )
    check({ ...given, action }, context)
    return actions[action].run(given, context)
  },
  render: (answer, screen) => actions[answer.action].render(answer, screen),
  isVerbatim: ({ sql }) => sql !== undefined,
})

/** Throws a `ScrollbackError` for what is of another action, and for a missing store. */
function check(given: Input & { action: (typeof ACTIONS)[number] }, { remote }: Context): void {
  const { takes, needsStore } = actions[given.action]
  for (const name of Object.keys(input.shape) as (keyof Input)[]) {
    if (name === 'action' || takes.includes(name) || !isGiven(given[name])) continue
    const others = ACTIONS.filter((other) => actions[other].takes.includes(name))
    throw new ScrollbackError(
      'bad-option',
      `store ${given.action}: it does not take ${named(name)}, which is for ${others.join(', ')}`,
      'Leave it out, or see: scrollback store --help',
    )
  }
  if (needsStore && !remote)
    throw new ScrollbackError(
      'bad-option',
      `store ${given.action}: --store is missing`,
      `Name the team store: scrollback store ${given.action} … --store clickhouse://user@host/database`,
    )
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false

const named = (name: Field): string =>
  name === 'target' ? 'a second word' : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
