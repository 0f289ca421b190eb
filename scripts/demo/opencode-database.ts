import { bash, type OpenCodeMessage, opencodeDatabase, text, tool } from '../../test/opencode-databases.ts'
import { createClock } from './clock.ts'
import { createSeeded } from './seeded.ts'

const directory = '/home/dev/eastore/api'
const start = '2026-10-27 10:10'
const model = { providerID: 'anthropic', modelID: 'claude-sonnet-4-6' }

/** A session of OpenCode with a helper, a command of the human, and an answer that they took back. */
export function writeOpenCodeDatabase(target: string): void {
  const seeded = createSeeded('api: slow orders')
  const clock = createClock(start)
  const begun = clock.now()
  let context = 1800

  const sessionId = (): string => `ses_5c${seeded.hex(10)}ffe${seeded.hex(11)}`
  const messageId = (): string => `msg_a3${clock.now().toString(16).padStart(10, '0')}001${seeded.hex(11)}`

  function you(after: number, ...parts: object[]): OpenCodeMessage {
    clock.advance(after)
    return { id: messageId(), at: clock.now(), parts, data: { agent: 'build', model } }
  }

  function agent(parts: object[], more: object = {}): OpenCodeMessage {
    clock.advance(seeded.between(3, 9))
    const output = 30 + JSON.stringify(parts).length / 4
    const tokens = {
      input: 240,
      output: Math.round(output),
      reasoning: 0,
      cache: { read: context, write: 120 },
    }
    context += 360 + tokens.output
    const cost =
      (tokens.input * 3 + tokens.output * 15 + tokens.cache.read * 0.3 + tokens.cache.write * 3.75) / 1e6
    const finish = { type: 'step-finish', reason: 'stop', tokens, cost }
    const data = {
      mode: 'build',
      ...model,
      path: { cwd: directory, root: directory },
      tokens,
      cost: Number(cost.toFixed(6)),
      finish: 'stop',
      ...more,
    }
    return {
      id: messageId(),
      at: clock.now(),
      role: 'assistant',
      parts: [{ type: 'step-start' }, ...parts, finish],
      data,
    }
  }

  const [parent, child] = [sessionId(), sessionId()]
  const task = {
    description: 'find slow queries',
    prompt: 'Find queries in src/orders that run once per row.',
    subagent_type: 'explore',
  }
  const found = 'src/orders/list.js:31 reads the customer of each order in a query of its own.'
  const asked = [
    you(5, text('The list of orders takes four seconds. Where does the time go?')),
    agent([
      text('I let a helper look for queries that run once per row.'),
      tool('task', task, {
        status: 'completed',
        output: `<task id="${child}" state="completed">\n<task_result>\n${found}\n</task_result>\n</task>`,
        title: task.description,
        metadata: { sessionId: child },
      }),
    ]),
  ]
  const helperBegun = clock.now()
  const helper = [
    you(1, text(task.prompt)),
    agent([
      bash(
        'grep -rn "await db.query" src/orders',
        'src/orders/list.js:31:    const customer = await db.query(...)\n',
      ),
    ]),
    agent([text(found)]),
  ]
  const answered = [
    agent([text('Each order reads its customer in a query of its own: 812 queries for one page.')]),
  ]
  const removed = [
    you(40, text('Cache the customers for a minute.')),
    agent([text('A cache in src/orders/customers.js keeps them for 60 seconds now.')]),
  ]
  const rest = [
    you(50, text('No cache. Read all customers in one query.')),
    agent([
      tool(
        'edit',
        {
          filePath: `${directory}/src/orders/list.js`,
          oldString: 'WHERE id = $1',
          newString: 'WHERE id = ANY($1)',
        },
        {
          status: 'completed',
          output: 'Edit applied successfully.',
          title: 'src/orders/list.js',
          metadata: {},
        },
      ),
      bash('npm test -- orders', '1 failing: list of orders without any customer\n', 1),
    ]),
    agent([
      text('One test fails: with no orders the list of ids is empty. I return early.'),
      bash('npm test -- orders', '14 passing (1s)\n'),
    ]),
    agent([text('Two queries in place of 813, and the list takes 90 milliseconds.')]),
    you(30, text('The following tool was executed by the user', { synthetic: true })),
    agent([bash('git diff --stat', ' src/orders/list.js | 9 +++++----\n')], { tokens: undefined, cost: 0 }),
    you(20, text('Good. Commit it.')),
    agent([bash('git commit -qam "Read the customers of a list in one query"', '')]),
  ]
  const made = opencodeDatabase(
    target,
    [
      {
        id: parent,
        at: begun,
        directory,
        title: 'Slow list of orders',
        messages: [...asked, ...answered, ...rest],
        removed,
      },
      {
        id: child,
        at: helperBegun,
        directory,
        parent,
        title: 'find slow queries (@explore subagent)',
        messages: helper,
      },
    ],
    { keys: false },
  )
  made.database.exec('VACUUM')
  made.close()
}
