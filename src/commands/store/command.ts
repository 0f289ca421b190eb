import { ScrollbackError } from '../../errors.ts'
import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { actions, type Field } from './actions.ts'
import { ACTIONS, type Input, input, output, type StoreAnswer } from './answer.ts'

export const store = defineCommand({
  name: 'store',
  summary: 'set up and administer a team store',
  details:
    'For a team store on ClickHouse. SQL that is printed is for you to review and run: nothing of it runs by itself.',
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
