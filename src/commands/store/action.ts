import type { Screen } from '../../render/screen.ts'
import type { Example } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import type { Input, StoreAnswer } from './answer.ts'

/** The fields of the input that an action may take. */
export type Field = Exclude<keyof Input, 'action'>

/** One action of the command. What `run` needs is loaded when it is called. */
export interface Action {
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
