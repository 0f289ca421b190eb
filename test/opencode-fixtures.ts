import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  bash,
  dataOf,
  type OpenCodeMessage,
  type OpenCodeSession,
  opencodeDatabase,
  text,
  tool,
} from './opencode-databases.ts'

/** When the first message of each fixture was written. */
const START = Date.UTC(2026, 10, 5, 9)

const user = (number: number, ...parts: object[]): OpenCodeMessage => ({
  id: `msg_${String(number).padStart(3, '0')}`,
  at: START + number * 1000,
  parts,
})
const agent = (number: number, parts: object[], data: object = {}): OpenCodeMessage => ({
  ...user(number, ...parts),
  role: 'assistant',
  data,
})
const REJECTED = 'The user rejected permission to use this specific tool call'

const words: OpenCodeSession = {
  id: 'ses_words1',
  at: START,
  title: 'Dry ferns',
  todos: ['Water the fern', 'Move the pot'],
  messages: [
    user(
      1,
      text('"Which \\"fern\\" is dry?"'),
      text('Called the Read tool with the following input: {}', { synthetic: true }),
      {
        type: 'file',
        mime: 'image/png',
        filename: 'fern.png',
        url: 'data:image/png;base64,AAAA',
      },
    ),
    agent(2, [
      { type: 'step-start' },
      { type: 'reasoning', text: 'A list will say.', time: { start: START } },
      text('I look at the list.'),
      bash('cat ferns.csv', 'wall: dry\n'),
      bash('cat wet.csv', 'cat: wet.csv: No such file\n', 1),
      {
        type: 'step-finish',
        reason: 'tool-calls',
        cost: 0,
        tokens: { input: 10, output: 4, reasoning: 1, cache: { read: 20, write: 2 } },
      },
    ]),
    agent(
      3,
      [
        tool(
          'read',
          { filePath: '/home/ann/garden/no.csv' },
          { status: 'error', error: 'File not found: no.csv' },
        ),
        text('The one at the wall.'),
      ],
      { cost: 0.25 },
    ),
    user(4, text('The following tool was executed by the user', { synthetic: true })),
    agent(5, [bash('ls pots', 'blue\n')], { tokens: undefined }),
    user(6, text('Throw the old pots away.')),
    agent(7, [
      tool(
        'bash',
        { command: 'rm -rf pots' },
        { status: 'error', error: `${REJECTED} with the following feedback: Keep the blue one.` },
      ),
    ]),
    agent(8, [
      tool(
        'question',
        { questions: [{ question: 'Which colour?' }] },
        {
          status: 'completed',
          output: 'User has answered your questions',
          metadata: { answers: [['Green']] },
        },
      ),
    ]),
    user(9, text('Water them all.')),
    agent(
      10,
      [
        {
          type: 'retry',
          attempt: 1,
          error: { name: 'APIError', data: { message: 'Overloaded' } },
          time: { created: START },
        },
        text('I wat'),
      ],
      {
        error: { name: 'MessageAbortedError', data: { message: 'Aborted' } },
        tokens: undefined,
      },
    ),
    user(11, text('Send the whole list.')),
    agent(12, [], {
      error: { name: 'APIError', data: { message: 'The list is too long.', statusCode: 400 } },
      tokens: undefined,
    }),
    user(13, { type: 'compaction', auto: true }),
    agent(14, [text('The wall is dry.')], { summary: true, mode: 'compaction', agent: 'compaction' }),
    user(
      15,
      text('Continue if you have next steps', { synthetic: true, metadata: { compaction_continue: true } }),
    ),
    agent(16, [text('All done.')]),
    user(17, {
      type: 'subtask',
      prompt: 'Review the garden.',
      description: 'review',
      agent: 'general',
      command: 'review',
    }),
    agent(18, [text('It is green.')], { modelID: 'moss-2' }),
  ],
}

const steps: OpenCodeSession = {
  id: 'ses_steps1',
  at: START,
  title: 'New session - 2026-11-05T09:00:00.000Z',
  archived: START + 9000,
  messages: [
    user(31, text('Count twice.')),
    agent(
      32,
      [
        { type: 'step-finish', tokens: { input: 10, output: 2, reasoning: 0, cache: { read: 0, write: 0 } } },
        text('Two.'),
        { type: 'step-finish', tokens: { input: 30, output: 2, reasoning: 0, cache: { read: 0, write: 0 } } },
      ],
      { tokens: { input: 30, output: 2, reasoning: 0, cache: { read: 0, write: 0 } } },
    ),
  ],
}

const undone: OpenCodeSession[] = [
  {
    id: 'ses_undone1',
    at: START,
    messages: [
      user(41, text('Name the garden.')),
      agent(42, [text('How?')]),
      user(45, text('Fern Court.')),
      agent(46, [text('It is.')]),
    ],
    removed: [user(43, text('Moss Court.')), agent(44, [text('Moss Court it is.')])],
  },
  {
    id: 'ses_undone2',
    at: START + 50_000,
    revert: { messageID: 'msg_053' },
    messages: [
      user(51, text('Name the pond.')),
      agent(52, [text('How?')]),
      user(53, text('Moss Pond.')),
      agent(54, [text('Moss Pond it is.')]),
    ],
  },
]

const copied = (number: number, id: string): OpenCodeMessage[] => [
  { ...user(number, text('Which pot is free?')), id: `${id}1` },
  { ...agent(number + 1, [text('The blue one.'), bash('ls pots', 'blue\n')]), id: `${id}2` },
]
const forked: OpenCodeSession[] = [
  {
    id: 'ses_free1',
    at: START,
    title: 'Free pots',
    messages: [...copied(1, 'msg_a'), user(3, text('And the red one?')), agent(4, [text('Taken.')])],
  },
  // A session that happens to begin in the same millisecond.
  {
    id: 'ses_other1',
    at: START - 1,
    title: 'Other pots',
    messages: [{ ...user(1, text('Where is the hose?')), id: 'msg_o1' }],
  },
  {
    id: 'ses_free2',
    at: START + 60_000,
    title: 'Free pots (fork #1)',
    messages: [...copied(1, 'msg_b'), user(61, text('And the green one?')), agent(62, [text('Cracked.')])],
  },
  {
    id: 'ses_free3',
    at: START + 90_000,
    title: 'Free pots (fork #2)',
    messages: [
      ...copied(1, 'msg_c'),
      { ...user(61, text('And the green one?')), id: 'msg_c3' },
      { ...agent(62, [text('Cracked.')]), id: 'msg_c4' },
      user(91, text('Glue it.')),
      agent(92, [text('Glued.')]),
    ],
  },
]

const task = (child: string, prompt: string): object =>
  tool(
    'task',
    { description: prompt, prompt, subagent_type: 'general' },
    {
      status: 'completed',
      output: `<task id="${child}" state="completed">\n<task_result>\nFour.\n</task_result>\n</task>`,
      metadata: { sessionId: child },
    },
  )
const subagents: OpenCodeSession[] = [
  {
    id: 'ses_parent1',
    at: START,
    title: 'Counting pots',
    messages: [
      user(1, text('Count the pots with a helper.')),
      agent(2, [task('ses_child1', 'Count the blue pots.')]),
      agent(9, [text('Four.')]),
    ],
  },
  {
    id: 'ses_child1',
    at: START + 3000,
    parent: 'ses_parent1',
    title: 'count pots (@general subagent)',
    messages: [user(4, text('Count the blue pots.')), agent(5, [text('Four.')])],
  },
]

/** The databases of each fixture, by the path below its folder. */
const DATABASES: Record<string, OpenCodeSession[]> = {
  'words/.local/share/opencode/opencode.db': [words, steps],
  'undone/.local/share/opencode/opencode.db': undone,
  'forked/.local/share/opencode/opencode.db': forked,
  'subagents/.local/share/opencode/opencode-dev.db': subagents,
  'imported/.local/share/opencode/opencode.db': [
    {
      id: 'ses_kept1',
      at: START,
      title: 'Kept',
      messages: [user(1, text('Is it imported?')), agent(2, [text('Yes.')])],
    },
  ],
  'killed/.local/share/opencode/opencode.db': [
    {
      id: 'ses_killed1',
      at: START,
      title: 'Wet fern',
      messages: [
        user(1, text('Water the fern for an hour.')),
        agent(2, [tool('bash', { command: 'sleep 3600' }, { status: 'running' })], {
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        }),
        user(9, text('Is it wet?')),
        agent(10, [text('No.')]),
      ],
    },
  ],
  'history/.local/share/opencode/opencode.db': undone.slice(0, 1).concat(words),
}

/** A session in files, as versions before 1.2 wrote them. */
function tree(
  id: string,
  title: string,
  messages: readonly OpenCodeMessage[],
  parentID?: string,
): Record<string, unknown> {
  const files: Record<string, unknown> = {
    [`session/global/${id}.json`]: {
      id,
      version: '0.9.1',
      projectID: 'global',
      directory: '/home/ann/garden',
      title,
      ...(parentID && { parentID }),
      time: { created: START, updated: START + 9000 },
    },
  }
  for (const message of messages) {
    files[`message/${id}/${message.id}.json`] = { id: message.id, sessionID: id, ...dataOf(message) }
    for (const [index, part] of message.parts.entries())
      files[`part/${message.id}/prt_${index}.json`] = {
        id: `prt_${index}`,
        messageID: message.id,
        sessionID: id,
        ...part,
      }
  }
  return files
}

const TREES: Record<string, Record<string, unknown>> = {
  files: {
    ...tree('ses_file1', 'Old pots', [
      user(1, text('Where are the old pots?')),
      agent(2, [text('I look.'), bash('ls shed', 'ls: shed: No such file\n', 2)]),
      agent(3, [text('Not in the shed.')]),
    ]),
    ...tree(
      'ses_file2',
      'count pots (@general subagent)',
      [{ ...user(4, text('Count the old pots.')), id: 'msg_f4' }],
      'ses_file1',
    ),
  },
  imported: {
    ...tree('ses_kept1', 'Kept', [user(1, text('Is it imported?')), agent(2, [text('Yes.')])]),
    ...tree('ses_left1', 'Left', [{ ...user(1, text('Was this one left behind?')), id: 'msg_l1' }]),
  },
}

const HISTORY = [
  { input: 'Moss Court.', parts: [], mode: 'normal' },
  { input: 'ls pots', parts: [], mode: 'shell' },
  { input: 'ls cellar', parts: [], mode: 'shell' },
  { input: 'Which "fern" is dry?', parts: [], mode: 'normal' },
  {
    input: 'Who took [Pasted ~2 lines]?',
    parts: [{ type: 'text', text: 'the red\npot', source: { text: { value: '[Pasted ~2 lines]' } } }],
    mode: 'normal',
  },
  { input: '/undo', parts: [], mode: 'normal' },
]

/** Writes the fixtures of OpenCode below a folder. The output is deterministic, apart from the engine's version. */
export function writeOpenCodeFixtures(folder: string): void {
  for (const [name, sessions] of Object.entries(DATABASES)) {
    const made = opencodeDatabase(join(folder, name), sessions)
    made.database.exec('VACUUM')
    made.close()
  }
  for (const [trap, files] of Object.entries(TREES))
    for (const [name, value] of Object.entries(files))
      put(join(folder, trap, '.local/share/opencode/storage', name), `${JSON.stringify(value, null, 2)}\n`)
  const lines = HISTORY.map((prompt) => `${JSON.stringify(prompt)}\n`)
  put(
    join(folder, 'history/.local/state/opencode/prompt-history.jsonl'),
    `${lines.join('')}{"input":"half a pro\n`,
  )
  // Files that are damaged: a message that is no JSON, a part that is none, and one that is unknown.
  const made = opencodeDatabase(join(folder, 'damaged/.local/share/opencode/opencode.db'), [
    {
      id: 'ses_torn1',
      at: START,
      messages: [
        user(1, text('Is it torn?')),
        agent(2, [text('A little.'), { type: 'leafage', leaves: 3 }]),
        user(3, text('How much?')),
      ],
    },
  ])
  made.database.exec(
    `INSERT INTO message VALUES ('msg_002b', 'ses_torn1', ${START + 2500}, 0, '{"role":"us')`,
  )
  made.database.exec(`INSERT INTO part VALUES ('msg_003-9', 'msg_003', 'ses_torn1', 0, 0, '{"type":"te')`)
  made.database.exec('VACUUM')
  made.close()
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const kilo = { agent: 'code', mode: 'code' }
const KILO: OpenCodeSession[] = [
  {
    id: 'ses_kilo1',
    at: START,
    title: 'Wet moss',
    messages: [
      { ...user(1, text('"Which \\"moss\\" is wet?"')), data: kilo },
      agent(
        2,
        [{ type: 'step-start', time: START }, text('I look.'), bash('cat moss.csv', 'none\n', 3)],
        kilo,
      ),
      // A prompt that came while the reply was written.
      { ...user(3, text('Also the fern.')), data: kilo },
      agent(4, [text('Both are dry.')], kilo),
      user(5, { type: 'compaction', auto: false }),
      agent(6, [text('All is dry.')], { ...kilo, summary: true, mode: 'compaction', agent: 'compaction' }),
      user(
        7,
        text('"And the pond?"'),
        text(
          '\n\n<system-reminder>\nThe active agent has changed from compaction to code.\n</system-reminder>\n',
          { synthetic: true },
        ),
      ),
      agent(8, [text('<system-reminder> is a tag.')], kilo),
      user(9, text('<system-reminder>Keep this</system-reminder> as I typed it.')),
      agent(10, [text('I keep it.')], kilo),
    ],
  },
  {
    id: 'ses_kilo2',
    at: START + 20_000,
    parent: 'ses_kilo1',
    title: 'count moss (@general subagent)',
    messages: [user(21, text('Count the moss.')), agent(22, [text('Two.')], kilo)],
  },
  {
    id: 'ses_kilo3',
    at: START + 30_000,
    title: 'Warm pots',
    messages: [
      user(31, text('Wake up at nine.')),
      agent(32, [text('I will.')], kilo),
      user(
        33,
        text(
          '[scheduled wakeup] Look at the pots\n\n(No user is present. You scheduled this wakeup yourself.)',
          {
            ...{ synthetic: true, metadata: { background: true, wakeup: true, wakeupID: 'wku_1' } },
          },
        ),
      ),
      agent(34, [text('They are warm.')], kilo),
      user(
        35,
        text(
          '<task id="ses_kilo9" state="completed">\n<summary>Background task completed: Count pots</summary>\n' +
            '<task_result>\nSeven pots.\n</task_result>\n</task>',
          { synthetic: true, metadata: { background: true } },
        ),
      ),
      agent(36, [text('Seven.')], kilo),
      // The client goes on by itself with what a person asked for.
      user(37, text('Continue if you have next steps.', { synthetic: true })),
      agent(38, [text('I have none.')], kilo),
    ],
  },
]

/** Writes the fixtures of Kilo Code: OpenCode's tables under another name, and a board with the first prompt. */
export function writeKiloCodeFixtures(folder: string): void {
  const made = opencodeDatabase(join(folder, 'words/.local/share/kilo/kilo.db'), KILO)
  made.database.exec(`CREATE TABLE kilo_board (root_session_id text PRIMARY KEY, objective text NOT NULL);
    INSERT INTO kilo_board VALUES ('ses_kilo1', 'Which "moss" is wet?');
    UPDATE session SET version = '7.8.1'; VACUUM`)
  made.close()
  put(
    join(folder, 'words/.local/state/kilo/prompt-history.jsonl'),
    `${JSON.stringify({ input: 'Also the fern.', parts: [], mode: 'normal' })}\n${JSON.stringify({ input: 'Who left the gate open?', parts: [], mode: 'normal' })}\n`,
  )
}
