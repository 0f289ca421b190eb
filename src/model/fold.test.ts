import { describe, expect, it } from 'vitest'
import type { Artifact } from './artifact.ts'
import type { Part, Payload, SessionEvent, Usage } from './event.ts'
import { createFold, type Keep } from './fold.ts'
import type { Item } from './session.ts'

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

const told = (events: SessionEvent[], keep?: Keep, artifact?: Artifact): string[] =>
  fold(events, keep, artifact).items.map(tell)

function tell({ who, text: words, tool, marker, holds, sure }: Item): string {
  const what = [
    marker,
    tool && `${tool.name} ${tool.target ?? ''}`.trim(),
    words?.replaceAll('\n', '/'),
    holds,
  ]
  return `${who}${sure === false ? '?' : ''}: ${what.filter((each) => each).join(' ')}`
}

describe('folding the events of a file', () => {
  it('joins the blocks of a reply that follow each other, and splits them where a tool was called', () => {
    const events = [agent('m', ['one']), agent('m', ['two']), agent('m', [call('c')]), agent('m', ['three'])]
    expect(told(events)).toEqual(['agent: one//two', 'tool: read /srv/a', 'agent: three'])
    expect(fold(events).session.agentMessages).toBe(1)
  })

  it('counts the usage of a reply once, with its largest output', () => {
    const events = [1, 40, 7].map((tokens) => agent('m', ['x'], { usage: output(tokens) }))
    const total = fold([...events, agent('n', ['y'], { usage: output(2) })]).session.usage
    expect(total).toMatchObject({ input: 20, output: 42 })
  })

  it('tells a record once, however often it stands in the file', () => {
    const prompt = human('hi')
    const reply = agent('m', ['hello', call('c')])
    const { session, items } = fold([prompt, reply, prompt, reply])
    expect(items.map(tell)).toEqual(['human: hi', 'agent: hello', 'tool: read /srv/a'])
    expect(session).toMatchObject({ human: 1, agentMessages: 1, toolCalls: 1 })
  })

  it('tells two records apart that stand under one id in one line', () => {
    const one = agent('m', ['a'], {})
    const other = { ...agent('n', ['b']), id: one.id, index: 1 }
    expect(told([one, other])).toEqual(['agent: a', 'agent: b'])
  })

  it('joins a result to its call, and tells only those that failed', () => {
    const events = [
      agent('m', [call('c'), call('d', 'exec', { command: 'ls' })]),
      result('c'),
      result('d', { error: 'possible', errorLine: 'no such file' }),
      result('e', { error: 'sure', toolName: 'write' }),
      result('c', { denied: true }),
    ]
    expect(told(events)).toEqual([
      'tool: read /srv/a',
      'tool: exec ls',
      'error?: exec ls no such file',
      'error: write',
      'marker: denial read /srv/a',
    ])
    expect(fold(events).session).toMatchObject({ toolCalls: 2, errors: 1, possibleErrors: 1 })
  })

  it('says with `full` where thinking, inputs and outputs stand', () => {
    const thinking: Part = { type: 'thinking', text: 'hm' }
    const events = [agent('m', [thinking, call('c')]), result('c')]
    expect(told(events, 'full')).toEqual([
      'agent: thinking',
      'tool: read /srv/a input',
      'tool: read /srv/a output',
    ])
    expect(told(events)).toEqual(['tool: read /srv/a'])
    expect(fold(events, 'counts').items).toEqual([])
  })

  it('tells a copy for a channel only when nothing equal precedes it', () => {
    const copy = (words: string) => agent(words, [words], { mirror: true })
    expect(
      told([agent('m', ['The pump  stopped.']), copy('The pump stopped.'), copy('Something new.')]),
    ).toEqual(['agent: The pump  stopped.', 'agent: Something new.'])
  })

  it('names a change of model where everything is told, not the choice at the beginning', () => {
    const change = (model: string) => event({ type: 'marker', marker: 'model-change', text: model })
    const changes = [change('a'), change('a'), change('b')]
    expect(fold(changes, 'full').items.map(tell)).toEqual(['marker: model-change b'])
    expect(told(changes)).toEqual([])
  })

  it('tells the size of a summary, once, and where it stands only where everything is told', () => {
    const compaction = (text?: string) => event({ type: 'marker', marker: 'compaction', text })
    const both = [compaction(), compaction('We spoke of tea.'), human('x'), compaction('We spoke of x.')]
    expect(told(both)).toEqual([
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

  it('tells the same marker once when it stands twice in a row', () => {
    const compaction = () => event({ type: 'marker', marker: 'compaction' })
    expect(told([compaction(), compaction(), human('x'), agent('m', ['y']), compaction()])).toHaveLength(4)
  })

  it('tells a block nobody knows', () => {
    expect(told([agent('m', [{ type: 'opaque', name: 'hologram' }])])[0]).toContain('hologram')
  })

  it('prefers titles that were given to those that were made', () => {
    const title = (source: 'custom' | 'ai' | 'last-prompt', words: string) =>
      event({ type: 'title', title: words, source })
    const best = (events: SessionEvent[], titleHint?: string) =>
      fold(events, 'counts', { ...ARTIFACT, platform: 'claude-code', titleHint }).session.title
    const prompt = human('words')
    expect(
      best([title('custom', 'A'), title('ai', 'B'), title('custom', 'C'), title('last-prompt', 'D')]),
    ).toBe('C')
    expect(best([title('ai', 'B')], 'beside')).toBe('beside')
    expect(best([title('last-prompt', 'D'), prompt])).toBe('D')
    expect(best([prompt])).toBe('words')
    const summary = (leaf: string) => event({ type: 'title', title: `of ${leaf}`, source: 'summary', leaf })
    expect(best([summary('elsewhere'), prompt, summary(prompt.id!)])).toBe(`of ${prompt.id}`)
    expect(best([summary('elsewhere'), prompt])).toBe('words')
    expect(best([summary('elsewhere')])).toBe('of elsewhere')
  })

  it('takes the earliest and the latest time, wherever they stand', () => {
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

  it('says whose the session is when the place does not', () => {
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
    expect(subagent.items.map(tell)).toEqual(['program: count'])
  })
})
