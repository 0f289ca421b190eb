import { describe, expect, it } from 'vitest'
import type { Artifact } from '../artifact.ts'
import type { Part, Payload, SessionEvent, Usage } from '../event.ts'
import type { Item } from '../session.ts'
import { createFold } from './fold.ts'
import type { Keep } from './items.ts'

const ARTIFACT: Artifact = {
  platform: 'openclaw',
  root: '/',
  path: '/a.jsonl',
  kind: 'transcript',
  state: 'live',
  sessionId: 'a',
  agent: 'main',
  bytes: 1000,
  modifiedMs: 0,
}

let line = 0
const event = (payload: Payload, more: Partial<SessionEvent> = {}): SessionEvent => {
  line++
  return {
    id: `e${line}`,
    at: line * 1000,
    payload,
    origin: { line, offset: line * 100, length: 99 },
    order: 0,
    index: 0,
    ...more,
  }
}
type Message = Extract<Payload, { type: 'message' }>
const text = (words: string): Part => ({ type: 'text', text: words })
const human = (words: string, more: Partial<Message> = {}) =>
  event({ type: 'message', role: 'user', speaker: 'human', parts: [text(words)], ...more })
const agent = (messageId: string, parts: (Part | string)[], more: Partial<Message> = {}) =>
  event({
    type: 'message',
    role: 'assistant',
    speaker: 'agent',
    messageId,
    parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
    ...more,
  })
const call = (callId: string, name = 'read', input: unknown = { path: '/srv/a' }): Part => ({
  type: 'tool-call',
  callId,
  name,
  input,
})
const result = (callId: string, more: Partial<Extract<Part, { type: 'tool-result' }>> = {}) =>
  event({
    type: 'message',
    role: 'tool',
    speaker: 'program',
    parts: [{ type: 'tool-result', callId, ...more }],
  })
const output = (tokens: number): Usage => ({ input: 10, output: tokens, cacheRead: 0, cacheWrite: 0 })

function fold(events: SessionEvent[], keep: Keep = 'condensed', artifact = ARTIFACT) {
  const folding = createFold(artifact, { keep })
  for (const each of events) folding.event(each)
  return folding.finish()
}

const itemLines = (events: SessionEvent[], keep?: Keep, artifact?: Artifact): string[] =>
  fold(events, keep, artifact).items.map(readable)

function readable({ who, text: words, tool, marker, holds, sure }: Item): string {
  const what = [
    marker,
    tool && `${tool.name} ${tool.target ?? ''}`.trim(),
    words?.replaceAll('\n', '/'),
    holds,
  ]
  return `${who}${sure === false ? '?' : ''}: ${what.filter((each) => each).join(' ')}`
}

describe('folding the events of a file', () => {
  it('joins consecutive blocks of a reply, and splits them at a tool call', () => {
    const events = [agent('m', ['one']), agent('m', ['two']), agent('m', [call('c')]), agent('m', ['three'])]
    expect(itemLines(events)).toEqual(['agent: one//two', 'tool: read /srv/a', 'agent: three'])
    expect(fold(events).session.agentMessages).toBe(1)
  })

  it('counts the usage of a reply once, with its largest output', () => {
    const events = [1, 40, 7].map((tokens) => agent('m', ['x'], { usage: output(tokens) }))
    const total = fold([...events, agent('n', ['y'], { usage: output(2) })]).session.usage
    expect(total).toMatchObject({ input: 20, output: 42 })
  })

  it('counts a record once, however often the file contains it', () => {
    const prompt = human('hi')
    const reply = agent('m', ['hello', call('c')])
    const { session, items } = fold([prompt, reply, prompt, reply])
    expect(items.map(readable)).toEqual(['human: hi', 'agent: hello', 'tool: read /srv/a'])
    expect(session).toMatchObject({ human: 1, agentMessages: 1, toolCalls: 1 })
  })

  it('distinguishes two records with one id on one line', () => {
    const one = agent('m', ['a'], {})
    const other = { ...agent('n', ['b']), id: one.id, index: 1 }
    expect(itemLines([one, other])).toEqual(['agent: a', 'agent: b'])
  })

  it('joins a result to its call, and shows only failed ones', () => {
    const events = [
      agent('m', [call('c'), call('d', 'exec', { command: 'ls' })]),
      result('c'),
      result('d', { error: 'possible', errorLine: 'no such file' }),
      result('e', { error: 'sure', toolName: 'write' }),
      result('c', { denied: true }),
    ]
    expect(itemLines(events)).toEqual([
      'tool: read /srv/a',
      'tool: exec ls',
      'error?: exec ls no such file',
      'error: write',
      'marker: denial read /srv/a',
    ])
    expect(fold(events).session).toMatchObject({ toolCalls: 2, errors: 1, possibleErrors: 1 })
  })

  it('has thinking before or behind the words with `full`, as in the record, and these where they are without', () => {
    const thinking: Part = { type: 'thinking', text: 'hm' }
    const words: Part = { type: 'text', text: 'So it is.' }
    for (const [parts, order] of [
      [
        [thinking, thinking, words],
        [-2, -1, 0],
      ],
      [
        [words, thinking, call('c')],
        [0, 1, 2],
      ],
    ] as const) {
      const full = fold([agent('m', [...parts])], 'full').items
      expect(full.map((item) => item.order)).toEqual(order)
      const [own] = fold([agent('m', [...parts])]).items
      expect(full.find(({ text }) => text !== undefined)).toMatchObject({ order: own!.order })
    }
  })

  it('returns the positions of thinking, inputs and outputs with `full`', () => {
    const thinking: Part = { type: 'thinking', text: 'hm' }
    const events = [agent('m', [thinking, call('c')]), result('c')]
    expect(itemLines(events, 'full')).toEqual([
      'agent: thinking',
      'tool: read /srv/a input',
      'tool: read /srv/a output',
    ])
    expect(itemLines(events)).toEqual(['tool: read /srv/a'])
    expect(fold(events, 'counts').items).toEqual([])
  })

  it('shows a copy for a channel only if no equal message precedes it', () => {
    const copy = (words: string) => agent(words, [words], { mirror: true })
    expect(
      itemLines([agent('m', ['The pump  stopped.']), copy('The pump stopped.'), copy('Something new.')]),
    ).toEqual(['agent: The pump  stopped.', 'agent: Something new.'])
  })

  it('shows a change of model with `full`, but not the initial choice', () => {
    const change = (model: string) => event({ type: 'marker', marker: 'model-change', text: model })
    const changes = [change('a'), change('a'), change('b')]
    expect(fold(changes, 'full').items.map(readable)).toEqual(['marker: model-change b'])
    expect(itemLines(changes)).toEqual([])
  })

  it('shows the size of a summary once, and its position only with `full`', () => {
    const compaction = (text?: string) => event({ type: 'marker', marker: 'compaction', text })
    const both = [compaction(), compaction('We spoke of tea.'), human('x'), compaction('We spoke of x.')]
    expect(itemLines(both)).toEqual([
      'marker: compaction a summary of 16 characters',
      'human: x',
      'marker: compaction a summary of 14 characters',
    ])
    const [first] = fold(both, 'full').items
    expect(first).toMatchObject({
      holds: 'summary',
      line: both[0]!.origin.line,
      offset: both[1]!.origin.offset,
    })
  })

  it('shows consecutive equal markers once', () => {
    const compaction = () => event({ type: 'marker', marker: 'compaction' })
    expect(itemLines([compaction(), compaction(), human('x'), agent('m', ['y']), compaction()])).toHaveLength(
      4,
    )
  })

  it('shows a block of an unknown type', () => {
    expect(itemLines([agent('m', [{ type: 'opaque', name: 'hologram' }])])[0]).toContain('hologram')
  })

  it('prefers titles that a human chose to generated ones', () => {
    const title = (source: 'custom' | 'ai' | 'last-prompt', words: string) =>
      event({ type: 'title', title: words, source })
    const best = (events: SessionEvent[], titleHint?: string) =>
      fold(events, 'counts', { ...ARTIFACT, titleHintByHand: true, titleHint }).session.title
    const prompt = human('words')
    expect(
      best([title('custom', 'A'), title('ai', 'B'), title('custom', 'C'), title('last-prompt', 'D')]),
    ).toBe('C')
    expect(best([title('ai', 'B')], 'beside')).toBe('beside')
    expect(best([title('last-prompt', 'D'), prompt])).toBe('words')
    expect(best([title('last-prompt', 'D')])).toBe('D')
    expect(best([prompt])).toBe('words')
    const summary = (leaf: string) => event({ type: 'title', title: `of ${leaf}`, source: 'summary', leaf })
    expect(best([summary('elsewhere'), prompt, summary(prompt.id!)])).toBe(`of ${prompt.id}`)
    expect(best([summary('elsewhere'), prompt])).toBe('words')
    expect(best([summary('elsewhere')])).toBe('of elsewhere')
  })

  it('finds the earliest and the latest time, wherever they are', () => {
    const { session } = fold([
      human('a'),
      { ...human('b'), at: 5 },
      { ...human('c'), at: 9e12 },
      { ...human('d'), at: undefined },
    ])
    expect(session).toMatchObject({ startedMs: 5, lastActivityMs: 9e12 })
  })

  it('counts the directories that records name, the most frequent first', () => {
    const at = (cwd: string) => ({ ...human(cwd), cwd })
    expect(fold([at('/a'), at('/b'), at('/b')]).session.cwds).toEqual([
      ['/b', 2],
      ['/a', 1],
    ])
  })

  it('derives the kind of a session from its messages if discovery does not know it', () => {
    const program = event({ type: 'message', role: 'user', speaker: 'program', parts: [text('run')] })
    expect(fold([]).session.kind).toBeNull()
    expect(fold([program]).session).toMatchObject({
      kind: 'program',
      firstProgram: 'run',
      title: 'run',
      human: 0,
    })
    expect(fold([program, human('hi')]).session.kind).toBe('human')
    const subagent = fold([human('count')], 'condensed', { ...ARTIFACT, kindHint: 'subagent' })
    expect(subagent.session).toMatchObject({ kind: 'subagent', human: 0 })
    expect(subagent.items.map(readable)).toEqual(['program: count'])
  })
})

describe('a directive', () => {
  const follows = () => event({ type: 'directive-follows' })
  const maybe = (words: string) => human(words, { mayBeDirective: true })
  const speakers = (events: SessionEvent[]) =>
    fold(events).items.map(({ who, label, text }) => `${who}${label ? ` (${label})` : ''}: ${text}`)

  it('is the first prompt after its announcement that the client queued', () => {
    expect(speakers([maybe('warm'), follows(), maybe('paint'), maybe('frame')])).toEqual([
      'human: warm',
      'program (directive): paint',
      'human: frame',
    ])
  })

  it('is what a command stands for, under the name that the platform gives it', () => {
    const command = event({ type: 'directive-follows', label: 'command' })
    expect(speakers([human('/warm'), command, maybe('Warm the pot.'), maybe('thanks')])).toEqual([
      'human: /warm',
      'program (command): Warm the pot.',
      'human: thanks',
    ])
  })

  it('comes in time, where the platform sets one: what follows later is a human prompt', () => {
    const stopped = event({ type: 'directive-follows', label: 'command', withinMs: 500 })
    expect(speakers([human('/warm'), stopped, maybe('thanks')])).toEqual(['human: /warm', 'human: thanks'])
    expect(speakers([follows(), agent('m', ['warm']), maybe('thanks')])).toEqual([
      'agent: warm',
      'human: thanks',
    ])
  })

  it('does not come after a prompt that a human typed in the fork', () => {
    expect(speakers([follows(), human('warm'), maybe('paint')])).toEqual(['human: warm', 'human: paint'])
  })

  it('is announced once, even if the client stores the announcement again', () => {
    const announced = follows()
    expect(speakers([announced, maybe('paint'), announced, maybe('frame')])).toEqual([
      'program (directive): paint',
      'human: frame',
    ])
  })

  it('comes after prompts of programs, and after reading was interrupted', () => {
    const program = event({ type: 'message', role: 'user', speaker: 'program', parts: [text('began')] })
    const folding = createFold(ARTIFACT, { keep: 'condensed' })
    for (const each of [human('warm'), follows(), program]) folding.event(each)
    expect(folding.settle().session.human).toBe(1)
    for (const each of [maybe('paint'), maybe('frame')]) folding.event(each)
    expect(folding.settle().session.human).toBe(2)
  })
})

describe('a turn', () => {
  it('has the model of its replies, unless a reply names its own', () => {
    const { items } = fold([
      event({ type: 'turn', model: 'opus' }),
      agent('m1', ['One'], { usage: output(1) }),
      agent('m2', ['Two'], { usage: output(1), model: 'sonnet' }),
    ])
    expect(items.map(({ usage }) => usage?.model)).toEqual(['opus', 'sonnet'])
  })

  it.each(['answer', 'for the summary'])('is not begun by words in the middle of one: %s', (label) => {
    const { items } = fold([
      human('Brew tea'),
      agent('m1', ['Which one?']),
      human('The green one', { label }),
      agent('m2', ['It draws.']),
      event({ type: 'taken-back', turns: 1 }),
    ])
    expect(items.map(({ offBranch }) => offBranch)).toEqual([true, true, true, true])
  })
})

describe('replies without any id', () => {
  it('are different requests in different sessions', () => {
    const keysOf = (sessionId: string): number[] => {
      const reply = agent('', ['Yes.'], { messageId: undefined, usage: output(1) })
      const made = createFold({ ...ARTIFACT, sessionId }, { keep: 'condensed' })
      made.event({ ...reply, id: undefined, origin: { line: 1, offset: 0, length: 9 } })
      made.event({ ...event({ type: 'usage', usage: output(2) }), id: undefined })
      return [...made.usages.usages.keys()]
    }
    line = 0
    const one = keysOf('a')
    line = 0
    const other = keysOf('b')
    expect(new Set([...one, ...other]).size).toBe(4)
  })
})
