import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isShortened, parseShortened } from '../../src/io/long-values.ts'
import { type ParsedLine, parseLine } from '../../src/io/parse-line.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Draft, Part } from '../../src/model/event.ts'
import { createFold, foldEntries } from '../../src/model/fold/fold.ts'
import { sentWords, toolPaths, toolTarget } from '../../src/model/fold/tool-arguments.ts'
import { traitsOf } from '../../src/platforms/identities.ts'
import { platformOf, platforms } from '../../src/platforms/index.ts'
import type { Platform } from '../../src/platforms/platform.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { createRandom } from '../random.ts'
import { put, temporaryHome } from '../records.ts'
import { corpus, corpusFolder, demo, fixtures, rawBytes, rawLines, type Subject } from './subjects.ts'

/** Texts that decide what a result is, where a platform looks for them. */
const TELLING = [
  'Error: it broke',
  'TypeError: no moss',
  '0 errors',
  'FAILED',
  'Output:',
  'err: it broke',
  'Exit code: 1',
  'Process exited with code 2',
  'Exit Code: 3',
  'Script failed',
  'User has answered your question: "a"="b".',
  "The user doesn't want to proceed with this tool use",
  'the user said:\nno',
  'aborted by user',
  '{"answers":{"a":{"answers":["b"]}}}',
  '{"output":"x","metadata":{"exit_code":1}}',
  '*** Begin Patch',
  '*** Update File: src/moss.ts',
  '<user_shell_command>\n<command>\nls\n</command>',
  '<tool_use_error>no</tool_use_error>',
  '"role":"toolResult"',
  '"toolName":"read"',
  '"is_error":true',
  '\u001A',
  'sk-ant-api03-not-really',
]
const FILLING = [
  'x',
  'moss and stones ',
  'const a = "b"\n',
  '     1→ if (a) {\n',
  '的',
  '😀',
  '\u001b[1m\\',
  '\n',
  ' ',
]

/** Fields that say how a call ended, who wrote a message, and which tool it is of. */
const FACTS: readonly [string, unknown][] = [
  ['is_error', true],
  ['isError', true],
  ['success', false],
  ['exitCode', 1],
  ['exit', 1],
  ['status', 'error'],
  ['status', 'failed'],
  ['role', 'user'],
  ['role', 'assistant'],
  ['role', 'toolResult'],
  ['role', 'developer'],
  ['name', 'message'],
  ['name', 'apply_patch'],
  ['toolName', 'read'],
  ['toolName', 'bash'],
  ['type', 'message'],
  ['type', 'text'],
  ['type', 'tool_result'],
]

type Random = (below: number) => number
const one = <Value>(random: Random, values: readonly Value[]): Value => values[random(values.length)]!

/** A long text with telling ones at any place, at the beginning of a line or within it. */
function longText(random: Random): string {
  const pieces: string[] = []
  for (let piece = random(3); piece < 5; piece++) {
    const unit = one(random, FILLING)
    const filling = unit.repeat(Math.ceil(random(4000) / unit.length))
    pieces.push(one(random, [filling, one(random, TELLING), one(random, TELLING), '\n']))
  }
  const text = pieces.join('')
  return text.length < 2100 ? text + one(random, FILLING).repeat(2100) : text
}

/** The places of all texts in an entry, and of all its objects. */
function placesIn(entry: unknown): { texts: (string | number)[][]; objects: (string | number)[][] } {
  const texts: (string | number)[][] = []
  const objects: (string | number)[][] = []
  const visit = (value: unknown, path: (string | number)[]): void => {
    if (typeof value === 'string') texts.push(path)
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) objects.push(path)
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key])
  }
  visit(entry, [])
  return { texts, objects }
}

type Holder = Record<string | number, unknown>
const at = (entry: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((value, key) => (value as Holder)[key], entry)

/** The entry with a long text at a place, and perhaps at others, and with other facts around it. */
function lengthened(entry: unknown, path: readonly (string | number)[], random: Random): unknown {
  const copy = structuredClone(entry)
  const { texts, objects } = placesIn(copy)
  const grow = (place: readonly (string | number)[]): void => {
    const holder = at(copy, place.slice(0, -1)) as Holder
    const own = String(holder[place.at(-1)!])
    const text = longText(random)
    holder[place.at(-1)!] = random(3) === 0 ? `${own}${one(random, ['', '\n'])}${text}` : text
  }
  grow(path)
  if (random(3) === 0) grow(one(random, texts))
  // Not of the grown text, and mostly of the object that has it or is around it.
  for (let facts = random(3); facts > 0; facts--) {
    const around = objects.filter((place) => place.every((key, index) => path[index] === key))
    const holder = at(copy, one(random, random(4) === 0 ? objects : around)) as Holder
    const [key, value] = one(random, FACTS)
    if (key in holder || random(4) === 0) holder[key] = value
  }
  if (random(4) === 0) {
    const holder = at(copy, one(random, objects)) as Holder
    const key = one(random, Object.keys(holder).concat('x'))
    delete holder[key]
  }
  return copy
}

/** What is read of a part: not the output of tools, and of thinking only whether there is any. */
function readOf(part: Part, { asks }: ReturnType<typeof traitsOf>): unknown {
  if (part.type === 'thinking') return { ...part, text: part.text !== '' }
  if (part.type === 'tool-result') return { ...part, body: undefined }
  if (part.type !== 'tool-call') return part
  const { name, input } = part
  const told = {
    target: toolTarget(name, input),
    paths: toolPaths(input),
    sent: sentWords(name, input, asks),
  }
  return { ...part, input: told }
}

function draftsOf({ entries }: ParsedLine, platform: Platform, artifact: Artifact): unknown[] {
  const traits = traitsOf(artifact.platform)
  return entries
    .flatMap((entry): Draft[] => platform.records.normalize(entry, artifact))
    .map((draft) =>
      draft.payload.type === 'message'
        ? {
            ...draft,
            payload: { ...draft.payload, parts: draft.payload.parts.map((part) => readOf(part, traits)) },
          }
        : draft,
    )
}

const shortenedLine = (bytes: Buffer, { records }: Platform): ParsedLine =>
  parseShortened(bytes, 0, bytes.length, records.long)
const wholeLine = (bytes: Buffer): ParsedLine => parseLine(bytes, 0, bytes.length)

/** The drafts of a line are the same, and so is whether it is damaged. */
function lineIsTheSame(line: Buffer, platform: Platform, artifact: Artifact): void {
  const short = shortenedLine(line, platform)
  const whole = wholeLine(line)
  expect(short.damaged).toBe(whole.damaged)
  expect(draftsOf(short, platform, artifact)).toEqual(draftsOf(whole, platform, artifact))
}

/** The session, its items and its accounting, without redaction, which no shortened text may survive. */
function folded(lines: readonly Buffer[], artifact: Artifact, parse: (line: Buffer) => ParsedLine): unknown {
  const { records, identity } = platformOf(artifact.platform)
  return (['condensed', 'full'] as const).map((keep) => {
    const fold = createFold(artifact, { keep, traits: traitsOf(artifact.platform) })
    let offset = 0
    for (const [index, line] of lines.entries()) {
      const origin = { line: index + 1, offset, length: line.length }
      fold.line(origin)
      const normalize = (entry: unknown): Draft[] => records.normalize(entry, artifact)
      foldEntries(parse(line), origin, { normalize, record: identity.record }, fold)
      offset += line.length + 1
    }
    const sent = fold.drainSent()
    const { session, items } = fold.finish()
    return { session, items, sent }
  })
}

function fileIsTheSame(lines: readonly Buffer[], artifact: Artifact): void {
  const platform = platformOf(artifact.platform)
  const short = folded(lines, artifact, (line) => shortenedLine(line, platform))
  expect(short).toEqual(folded(lines, artifact, wholeLine))
}

const linesOf = (artifact: Artifact): Buffer[] => rawLines(rawBytes(artifact)).map(({ bytes }) => bytes)

/** Records of each kind, not all of the same. */
function entriesOf(subjects: readonly Subject[]): { entry: unknown; artifact: Artifact }[] {
  const kinds = new Map<string, { entry: unknown; artifact: Artifact }[]>()
  for (const { artifact } of subjects)
    for (const line of linesOf(artifact))
      for (const entry of wholeLine(line).entries) {
        const kind = JSON.stringify(entry).replace(/"(?:[^"\\]|\\.){25,}"|[\d.]+/g, '')
        const same = kinds.get(kind.slice(0, 160)) ?? []
        if (same.length < 3 && JSON.stringify(entry).length < 200_000) same.push({ entry, artifact })
        kinds.set(kind.slice(0, 160), same)
      }
  return [...kinds.values()].flat()
}

/** How many records with long values are compared for each platform. More find more. */
const RECORDS = Number(process.env.SCROLLBACK_RECORDS ?? 400)

function holdsFor(platform: Platform, subjects: readonly Subject[]): void {
  it('answers the same with every file', () => {
    for (const { artifact } of subjects) fileIsTheSame(linesOf(artifact), artifact)
  })

  it('answers the same with records that have any long values', () => {
    const random = createRandom(7)
    const all = entriesOf(subjects).flatMap(({ entry, artifact }) =>
      placesIn(entry).texts.flatMap((path) => (path.length > 0 ? { entry, artifact, path } : [])),
    )
    for (let record = 0; record < RECORDS; record++) {
      const { entry, artifact, path } = one(random, all)
      const line = Buffer.from(JSON.stringify(lengthened(entry, path, random)))
      lineIsTheSame(line, platform, artifact)
      fileIsTheSame([line], artifact)
    }
  })
}

for (const platform of platforms) {
  describe(`${platform.identity.name}, without what is not needed of long values`, () => {
    holdsFor(platform, fixtures(platform.id))
  })
}

/** A line, so long that it can be told from its beginning and its end. */
const MOSS = 'moss '.repeat(1000)
const json = JSON.stringify

interface Trap {
  what: string
  line: string
  /** Whether a part of the record is left out. */
  shortened: boolean
}
type Fields = Record<string, unknown>

const whole = (what: string, line: unknown): Trap => ({
  what,
  line: typeof line === 'string' ? line : json(line),
  shortened: false,
})
const short = (what: string, line: unknown): Trap => ({ ...whole(what, line), shortened: true })

const claudeResult = (block: Fields, recorded?: unknown): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', ...block }] },
  toolUseResult: recorded,
})
const claudeCall = (name: string, input: Fields): object => ({
  type: 'assistant',
  message: { role: 'assistant', id: 'm1', content: [{ type: 'tool_use', id: 't', name, input }] },
})
const codexItem = (payload: Fields): object => ({ type: 'response_item', payload })
const codexOutput = (output: unknown): object =>
  codexItem({ type: 'function_call_output', call_id: 'c', output })
const codexEvent = (payload: Fields): object => ({ type: 'event_msg', payload })
const copilotResult = (data: Fields): object => ({ type: 'tool.execution_complete', data })
const geminiCall = (call: Fields, output: string): object => ({
  type: 'gemini',
  id: 'm1',
  toolCalls: [{ id: 'c', name: 'shell', result: [{ functionResponse: { response: { output } } }], ...call }],
})
const qwenResult = (name: string, response: Fields, status = 'success'): object => ({
  type: 'tool_result',
  message: { role: 'user', parts: [{ functionResponse: { id: 'c', name, response } }] },
  toolCallResult: { callId: 'c', status },
})
const kimiResult = (output: unknown, isError = false): object => ({
  type: 'context.append_loop_event',
  event: { type: 'tool.result', toolCallId: 'c', result: { output, isError } },
})
const clineResult = (content: unknown): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'c', name: 'run_commands', content }],
})
const continueCall = (status: string): object => ({
  message: { role: 'assistant', content: '' },
  toolCallStates: [
    { toolCallId: 'c', status, toolCall: { function: { name: 'Bash' } }, output: [{ content: MOSS }] },
  ],
})
const opencodePart = (tool: string, state: Fields): object => ({
  type: 'message',
  message: { role: 'assistant', content: [{ type: 'tool', callID: 'c', tool, state }] },
})
const piMessage = (message: Fields): object => ({ type: 'message', id: 'a', message })
const piResult = (toolName: string, text: string, more: Fields = {}): object =>
  piMessage({ role: 'toolResult', toolCallId: 'c', toolName, content: [{ type: 'text', text }], ...more })

const piTraps: readonly Trap[] = [
  short('a result without the words of an error', piResult('bash', MOSS)),
  whole('a result with such a word at its end', piResult('bash', `${MOSS}\nTypeError: no moss`)),
  whole(
    'a word with an escape',
    json(piResult('bash', `${MOSS}\nError: it broke`)).replace('Error', '\\u0045rror'),
  ),
  short('what was read, with such a word at its end', piResult('read', `${MOSS}\nTypeError: no moss`)),
  whole('what was read, with such a word at its beginning', piResult('read', `Error: it broke\n${MOSS}`)),
  whole(
    'what was read, with so many escapes that little is left',
    json(piResult('read', `${'é'.repeat(250)}\nError: it broke\n${MOSS}`)).replaceAll('é', '\\u00e9'),
  ),
  whole(
    'a result whose tool is stated twice',
    json(piResult('read', `${MOSS}\nError: it broke`)).replace('"content"', '"toolName":"bash","content"'),
  ),
  whole(
    'a message whose role is stated twice',
    json(piResult('read', MOSS)).replace('"content"', '"role":"user","content"'),
  ),
  whole('a failure', piResult('bash', MOSS, { isError: true })),
  whole('a failure that only the details state', piResult('bash', MOSS, { details: { exitCode: 1 } })),
  short('details', piResult('bash', 'moss', { details: { diff: MOSS } })),
  whole('the reason in the details', piResult('bash', '', { isError: true, details: { error: MOSS } })),
  short(
    'a command of a person',
    piMessage({ role: 'bashExecution', command: 'ls', output: MOSS, exitCode: 0 }),
  ),
  whole(
    'such a command that failed',
    piMessage({ role: 'bashExecution', command: 'ls', output: MOSS, exitCode: 1 }),
  ),
  whole(
    'files of a summary',
    piMessage({ role: 'branchSummary', summary: 'x', details: { readFiles: [MOSS] } }),
  ),
  short(
    'what is written to a file',
    piMessage({
      role: 'assistant',
      content: [{ type: 'toolCall', name: 'write', arguments: { path: 'a', content: MOSS } }],
    }),
  ),
  whole(
    'what is sent to an agent',
    piMessage({
      role: 'assistant',
      content: [{ type: 'toolCall', name: 'sessions_send', arguments: { content: MOSS } }],
    }),
  ),
]

const TRAPS: Readonly<Record<string, readonly Trap[]>> = {
  'claude-code': [
    short('the output of a tool', claudeResult({ content: MOSS }, { stdout: MOSS })),
    short(
      'an image',
      claudeResult({ content: [{ type: 'image', source: { data: MOSS } }] }, { file: { base64: MOSS } }),
    ),
    whole('a failure', claudeResult({ content: MOSS, is_error: true })),
    whole(
      'a failure that is stated far away',
      claudeResult({ content: MOSS, a: 'x'.repeat(600), is_error: true }),
    ),
    whole('answers in a text', claudeResult({ content: `User has answered your question: "a"="${MOSS}".` })),
    whole(
      'answers in a record',
      claudeResult({ content: 'Your questions have been answered' }, { answers: { a: MOSS } }),
    ),
    whole(
      'a note in a record',
      claudeResult({ content: 'The user answered: ' }, { annotations: { a: { notes: MOSS } } }),
    ),
    whole('a queued prompt', { type: 'attachment', attachment: { type: 'queued_command', prompt: MOSS } }),
    short('an attached file', { type: 'attachment', attachment: { type: 'file', content: MOSS } }),
    short('what is written to a file', claudeCall('Write', { file_path: '/a', content: MOSS })),
    short(
      'edits',
      claudeCall('MultiEdit', { file_path: '/a', edits: [{ old_string: MOSS, new_string: MOSS }] }),
    ),
    whole('what is written to no file', claudeCall('Write', { file_path: ' ', content: MOSS })),
    whole('what is sent to an agent', claudeCall('SendMessage', { content: MOSS })),
    short('thinking', {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'thinking', thinking: MOSS, signature: MOSS }] },
    }),
    whole('a reply', { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: MOSS }] } }),
  ],
  codex: [
    short('the output of a command', codexOutput(`Exit code: 0\nOutput:\n${MOSS}`)),
    short('an output without a preface', codexOutput(`ok\n${MOSS}`)),
    whole('a failure', codexOutput(`Exit code: 1\nOutput:\n${MOSS}`)),
    whole('a preface that is long', codexOutput(`a\n${MOSS}\nProcess exited with code 2\nOutput:\nno`)),
    whole(
      'a preface of several parts',
      codexOutput([{ text: `a\n${MOSS}\nExit code: 2` }, { text: 'Output:\nno' }]),
    ),
    whole('a preface that looks like one', codexOutput(`a\\nOutput:\n${MOSS}\nExit code: 2\nOutput:\nno`)),
    whole('a first line that is long', codexOutput(`${MOSS}\nmore`)),
    whole('printed white space', codexOutput(`Output:\n${' '.repeat(3000)}err: ${MOSS}`)),
    whole('a result as JSON', codexOutput(json({ output: MOSS, metadata: { exit_code: 1 } }))),
    whole(
      'the same after white space',
      codexOutput(`\n${json({ output: MOSS, metadata: { exit_code: 1 } })}`),
    ),
    whole('answers', codexOutput(json({ answers: { a: { answers: [MOSS] } } }))),
    short(
      'a patch',
      codexItem({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: `*** Begin Patch\n*** Update File: a\n${MOSS}`,
      }),
    ),
    whole(
      'a patch with a long name',
      codexItem({
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: `*** Begin Patch\n*** Update File: ${MOSS}`,
      }),
    ),
    whole(
      'a patch for another tool',
      codexItem({ type: 'custom_tool_call', name: 'exec', input: `*** Begin Patch\n${MOSS}` }),
    ),
    short(
      'instructions',
      codexItem({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: MOSS }] }),
    ),
    whole(
      'a command of a person',
      codexItem({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: `<user_shell_command>\n<command>\n${MOSS}\n</command>` }],
      }),
    ),
    whole(
      'a reply whose role is stated twice',
      json(
        codexItem({ type: 'message', role: 'user', content: [{ type: 'output_text', text: MOSS }] }),
      ).replace('"content"', '"role":"assistant","content"'),
    ),
    short(
      'what a server returned',
      codexEvent({ type: 'mcp_tool_call_end', result: { Ok: { content: [{ text: MOSS }] } } }),
    ),
    whole(
      'a failure of a server',
      codexEvent({ type: 'mcp_tool_call_end', result: { Ok: { isError: true, content: [{ text: MOSS }] } } }),
    ),
    whole(
      'a failure in a script',
      codexEvent({
        type: 'item_completed',
        item: { id: 'exec-1', status: 'failed', aggregated_output: MOSS },
      }),
    ),
    short('what was replaced', {
      type: 'compacted',
      payload: { message: 'x', replacement_history: [{ text: MOSS }] },
    }),
    whole('a prompt', codexEvent({ type: 'user_message', message: MOSS })),
  ],
  copilot: [
    short('a result', copilotResult({ success: true, result: { content: MOSS } })),
    whole('a failure', copilotResult({ success: false, result: { content: MOSS } })),
    whole(
      'a command that failed',
      copilotResult({ result: { content: MOSS }, shellExecution: { exitCode: 1 } }),
    ),
    short('instructions', { type: 'system.message', data: { content: MOSS } }),
    whole('a prompt', { type: 'user.message', data: { content: MOSS } }),
    whole(
      'a prompt whose type is stated twice',
      json({ type: 'system.message', data: { content: MOSS } }).replace(
        '"data"',
        '"type":"user.message","data"',
      ),
    ),
    whole('what a person says', {
      type: 'permission.completed',
      data: { result: { kind: 'cancelled', feedback: MOSS } },
    }),
  ],
  cline: [
    short('a result', clineResult([{ query: 'ls', result: MOSS, success: true }])),
    whole('a failure', clineResult([{ query: 'ls', result: MOSS, success: false }])),
    short('a result that is a text', clineResult(MOSS)),
    whole('a prompt', { role: 'user', content: [{ type: 'text', text: MOSS }] }),
  ],
  continue: [
    short('a result', continueCall('done')),
    whole('a failure', continueCall('errored')),
    whole('a call that was not made', continueCall('canceled')),
    short('files beside a prompt', {
      message: { role: 'user', content: 'x' },
      contextItems: [{ content: MOSS }],
    }),
    whole('a prompt', { message: { role: 'user', content: MOSS } }),
  ],
  'kimi-code': [
    short('a result', kimiResult(MOSS)),
    whole('a failure', kimiResult(MOSS, true)),
    whole('a failure in parts', kimiResult([{ type: 'text', text: MOSS }], true)),
    short('a system prompt', { type: 'profile.bind', systemPrompt: MOSS }),
    short('a message that is written again', {
      type: 'agent.message.appended',
      message: { message: { a: MOSS } },
    }),
    whole('a prompt', {
      type: 'turn.prompt',
      input: [{ type: 'text', text: MOSS }],
      origin: { kind: 'user' },
    }),
  ],
  'qwen-code': [
    short('a result', qwenResult('run_shell_command', { output: MOSS })),
    whole('a failure', qwenResult('read_file', { error: MOSS }, 'error')),
    whole('a failure in the output', qwenResult('read_file', { output: MOSS }, 'error')),
    whole('a command that failed', qwenResult('run_shell_command', { output: `${MOSS}\nExit Code: 2` })),
    whole('a prompt', { type: 'user', message: { role: 'user', parts: [{ text: MOSS }] } }),
    short('a reply that is measured', {
      type: 'system',
      subtype: 'ui_telemetry',
      systemPayload: { uiEvent: { response_text: MOSS } },
    }),
  ],
  'gemini-cli': [
    short('a result', geminiCall({ status: 'success' }, MOSS)),
    whole('a failure', geminiCall({ status: 'error' }, MOSS)),
    whole('a command that failed', geminiCall({ status: 'success' }, `${MOSS}\nExit Code: 2`)),
    short('a history that is written again', {
      $set: { messages: [{ id: 'a', type: 'gemini', toolCalls: [{ a: MOSS }] }] },
    }),
    whole('a prompt', { type: 'user', id: 'a', content: [{ text: MOSS }] }),
  ],
  opencode: [
    short(
      'a result',
      opencodePart('bash', { status: 'completed', input: {}, output: MOSS, metadata: { output: MOSS } }),
    ),
    whole(
      'a failure',
      opencodePart('bash', { status: 'completed', input: {}, output: MOSS, metadata: { exit: 1 } }),
    ),
    whole(
      'answers',
      opencodePart('question', {
        status: 'completed',
        input: {},
        output: '',
        metadata: { answers: [[MOSS]] },
      }),
    ),
    short('what is written to a file', opencodePart('write', { input: { filePath: '/a', content: MOSS } })),
  ],
  openclaw: piTraps,
  pi: piTraps,
}

describe.each(Object.keys(TRAPS))('what is needed of long values of %s', (id) => {
  const platform = platforms.find((each) => each.id === id)!
  const [{ artifact }] = fixtures(id) as [Subject]

  it.each(TRAPS[id]!)('$what', ({ line, shortened }) => {
    const bytes = Buffer.from(line)
    lineIsTheSame(bytes, platform, artifact)
    fileIsTheSame([bytes], artifact)
    expect(isShortened(shortenedLine(bytes, platform).entries)).toBe(shortened)
  })
})

describe('a secret that a long value ends in the middle of', () => {
  const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`
  const [{ artifact }] = fixtures('claude-code') as [Subject]

  it.each([480, 1000, 1010, 1020])('is removed from the line of an error: after %i characters', (length) => {
    const before = 'a '.repeat(length / 2)
    const content = `${before}${secret} ${MOSS}`
    const lines = [claudeCall('Bash', { command: 'ls' }), claudeResult({ content, is_error: true })]
    const path = put(join(temporaryHome(), 'a.jsonl'), lines.map((each) => `${json(each)}\n`).join(''))
    const { items } = readSession({ ...artifact, path, links: undefined })
    const error = items.find(({ who }) => who === 'error')
    expect(error?.text).toHaveLength(500)
    expect(json(items)).not.toContain('ghp_A')
    expect(json(items)).not.toContain('\\u001a')
  })
})

describe.skipIf(!corpusFolder)(
  'every platform, without what is not needed of long values, over SCROLLBACK_CORPUS (skipped if it is not set)',
  async () => {
    const subjects = [...demo(), ...(corpusFolder ? await corpus(corpusFolder) : [])]
    for (const platform of platforms) {
      const own = subjects.filter(({ artifact }) => artifact.platform === platform.id)
      if (own.length > 0) describe(platform.identity.name, () => holdsFor(platform, own))
    }
  },
)
