import { commands } from '../../../commands/index.ts'
import type { Question } from '../../../commands/serve/question.ts'

/** A question that the page may ask. */
export interface Reachable {
  load(): Promise<Question>
  /** Fields of the input that have no meaning here, or that reach beyond reading. */
  without?: readonly string[]
  /** It takes long, so it has a thread of its own. */
  isLong?: true
}

const command = (name: string, rest: Omit<Reachable, 'load'> = {}): [string, Reachable] => [
  name,
  { load: commands[name]!, ...rest },
]

/** The questions by name. Commands answer as with `--json`. */
export const questions: ReadonlyMap<string, Reachable> = new Map([
  command('overview'),
  command('projects'),
  command('sessions', { without: ['long'] }),
  command('session'),
  command('read', { without: ['format', 'voice', 'editor', 'lines'] }),
  command('search', { without: ['flat', 'pick'] }),
  command('runs'),
  command('stats'),
  command('cron'),
  command('memory'),
  command('secrets', { isLong: true }),
  command('doctor', { isLong: true }),
  command('resume', { without: ['run'] }),
])
