import * as z from 'zod/mini'
import { type Commands, commands } from '../../../commands/index.ts'
import type { Question } from '../../../commands/serve/question.ts'
import { globalInput } from '../../../context/flags.ts'
import type { EndpointName } from './protocol.ts'

/** A question that the page may ask. */
export interface Reachable<Asked extends Question = Question, Without extends string = string> {
  load(): Promise<Asked>
  /** Fields of the input that have no meaning here, or that reach beyond reading. */
  without?: readonly Without[]
  /** The field with names of sessions, which must not be other files. */
  names?: string
  /** It can also be about deleted sessions and backups. */
  isWide?: true
}

type CommandOf<Name extends keyof Commands> = Awaited<ReturnType<Commands[Name]>>
type FieldOf<Name extends keyof Commands> = keyof CommandOf<Name>['input']['shape'] & string

function command<Name extends keyof Commands, const Without extends FieldOf<Name> = never>(
  name: Name,
  rest: { without?: readonly Without[]; names?: FieldOf<Name> } = {},
): Reachable<CommandOf<Name>, Without> {
  return { load: commands[name] as () => Promise<CommandOf<Name>>, ...rest }
}

/** A question that only the page asks. Its input is checked against its own schema. */
const own = <Asked extends Question>(load: () => Promise<Asked>): Reachable<Asked, never> => ({ load })

/** The global flags that a single question may have. */
const wideFields = { deleted: globalInput.shape.deleted, backups: globalInput.shape.backups }

/** The same question with these flags. */
function wide<Asked extends Question, Without extends string>({ load, ...rest }: Reachable<Asked, Without>) {
  return {
    ...rest,
    isWide: true as const,
    async load() {
      const question = await load()
      return { ...question, input: z.extend(question.input as Asked['input'], wideFields) }
    },
  }
}

const byName = {
  overview: command('overview'),
  projects: command('projects'),
  sessions: wide(command('sessions', { without: ['long'] })),
  session: command('session'),
  read: command('read', { without: ['format', 'voice', 'editor', 'lines'], names: 'target' }),
  search: wide(command('search', { without: ['flat', 'pick'] })),
  runs: command('runs'),
  stats: command('stats'),
  cron: command('cron'),
  memory: command('memory'),
  secrets: command('secrets'),
  doctor: command('doctor'),
  resume: command('resume', { without: ['run'] }),
  changes: command('changes', { without: ['brief'] }),
  why: command('why'),
  standup: command('standup'),
  devlog: command('devlog', {
    without: [
      ...(['out', 'force', 'check', 'format', 'voice', 'budget', 'part', 'code', 'anonymize'] as const),
      ...(['writer', 'strict', 'writerTimeout'] as const),
    ],
  }),
  tag: command('tag'),
  tags: command('tag', {
    without: ['session', 'tags', 'remove', 'star', 'name', 'rule', 'when', 'removeRule'],
  }),
  items: own(async () => (await import('../../../commands/serve/session.ts')).items),
  positions: own(async () => (await import('../../../commands/serve/positions.ts')).positions),
  outline: own(async () => (await import('../../../commands/serve/session.ts')).outline),
  branches: own(async () => (await import('../../../commands/serve/session.ts')).branches),
  record: own(async () => (await import('../../../commands/serve/record.ts')).record),
  image: own(async () => (await import('../../../commands/serve/record.ts')).image),
  listing: wide(own(async () => (await import('../../../commands/serve/listing.ts')).listing)),
  facets: wide(own(async () => (await import('../../../commands/serve/listing.ts')).facets)),
  choices: own(async () => (await import('../../../commands/serve/listing.ts')).choices),
  live: own(async () => (await import('../../../commands/serve/home.ts')).live),
  vanishing: own(async () => (await import('../../../commands/serve/home.ts')).vanishing),
  rescue: own(async () => (await import('../../../commands/serve/rescue.ts')).rescue),
  neighbors: own(async () => (await import('../../../commands/serve/listing.ts')).neighbors),
  export: own(async () => (await import('../../../commands/serve/export.ts')).exporting),
  collector: own(async () => (await import('../../../commands/serve/collector.ts')).collector),
}

/** The questions with their own types. The page takes the types of its requests from here. */
export type Questions = typeof byName

/** Every endpoint has its question. Stated here, because above it would widen the types of the questions. */
const all: Readonly<Record<Exclude<EndpointName, 'openapi.json'>, Reachable>> = byName

/** The questions by the name of their endpoint. Commands answer as with `--json`. */
export const questions: ReadonlyMap<string, Reachable> = new Map(Object.entries(all))
