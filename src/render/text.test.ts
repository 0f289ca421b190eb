import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { agent, failure, human, item, openclawSession, session, tool } from '../../test/sessions.ts'
import type { Item, Session } from '../model/session.ts'
import {
  itemsRenderer,
  renderHeader,
  renderItems,
  type Style,
  shortLabel,
  shortPeer,
  speakerName,
  surfaceText,
  voiceOf,
  withoutIdentities,
} from './text.ts'

const plain: Style = { voice: { human: 'You' }, color: false, lines: false, markdown: false }
const markdown: Style = { ...plain, markdown: true }
const at = (minute: number): number => Date.UTC(2026, 10, 1, 10, minute)

const conversation = (): Item[] => [
  human('Plant ferns.\n\nIn the shade.', { at: at(0) }),
  agent('I look for shade first.', { at: at(1) }),
  tool('Read', '/home/ann/garden/plan.md'),
  tool('Bash', 'dig --deep'),
  failure('Exit code 1: stone', { tool: { name: 'Bash' } }),
  item({ who: 'error', text: 'warning: dry', sure: false, tool: { name: 'Bash' } }),
  agent('There is a stone.', { at: at(2) }),
  agent('Moved.', { at: at(20) }),
  item({ who: 'marker', marker: 'compaction' }),
  human('see this', { at: at(21), media: ['image', 'image'] }),
  human('', { at: at(21), media: ['file'] }),
  tool('Write', '/home/ann/garden/plan.md'),
  item({ who: 'marker', marker: 'denial', tool: { name: 'Write' } }),
  human('or moss', { at: at(22), offBranch: true }),
  item({ who: 'program', label: 'cron', text: 'Water them.', at: at(23) }),
  item({ who: 'agent', text: undefined, label: 'thinking', detail: 'is it\nwet?', at: at(23) }),
  tool('Bash', 'water', { detail: '{\n  "command": "water"\n}' }),
  item({ who: 'tool', label: 'output', tool: { name: 'Bash', target: 'water' }, detail: 'wet\n```\nnow' }),
]

describe('a transcript as text', () => {
  it('names the speaker, the time after a pause, and the actions of the agent', () => {
    expect(renderItems(conversation(), session(), plain)).toMatchInlineSnapshot(`
      "You  10:00
        Plant ferns.

        In the shade.

      Claude  10:01
        I look for shade first.
        → Read /home/ann/garden/plan.md
        → Bash dig --deep
        ✗ Bash: Exit code 1: stone
        ✗? Bash: warning: dry

        There is a stone.

      Claude  10:20
        Moved.
        · the conversation was compacted here ·

      You  10:21
        see this
        [image] [image]

        [file]

      Claude
        → Write /home/ann/garden/plan.md
        · declined by the human: Write ·

      You (abandoned branch)  10:22
        or moss

      Program (cron)  10:23
        Water them.

      Claude (thinking)  10:23
          │ is it
          │ wet?
        → Bash water
          │ {
          │   "command": "water"
          │ }
        ← Bash
          │ wet
          │ \`\`\`
          │ now
      "
    `)
  })

  it('has the calls of an agent and of its subagent under their names', () => {
    const items = [
      agent('I ask a helper.'),
      tool('task', 'count'),
      agent('Six pots.', { label: 'subagent' }),
      tool('ls', 'pots', { label: 'subagent' }),
      tool('water', 'ferns'),
      tool('ls', 'shed', { label: 'subagent' }),
    ]
    const lines = (kind: Session['kind']) =>
      renderItems(items, session({ kind }), plain)
        .split('\n')
        .flatMap((line) => /^(?:Claude.*|.*→.*)$/.exec(line.trim())?.[0] ?? [])
    expect(lines('human')).toEqual([
      'Claude',
      '→ task count',
      'Claude (subagent)',
      '→ ls pots',
      'Claude',
      '→ water ferns',
      'Claude (subagent)',
      '→ ls shed',
    ])
    // In its own transcript, its calls need no label.
    expect(lines('subagent').slice(3, 6)).toEqual(['→ ls pots', '→ water ferns', '→ ls shed'])
  })

  it('says of which call an error or a denial is, if it is not the last one', () => {
    const edit = { name: 'Edit', target: 'moss.md' }
    const items = [
      tool('Edit', 'moss.md'),
      tool('Edit', 'fern.md'),
      failure('no such text', { tool: edit }),
      item({ who: 'marker', marker: 'denial', tool: { name: 'Edit', target: 'fern.md' } }),
      tool('Edit', 'moss.md'),
      failure('still no such text', { tool: edit }),
    ]
    expect(
      renderItems(items, session(), plain)
        .split('\n')
        .filter((line) => !line.includes('→')),
    ).toEqual([
      '  ✗ Edit moss.md: no such text',
      '  · declined by the human: Edit ·',
      '  ✗ Edit: still no such text',
      '',
    ])
  })

  it('shows the date where it differs from the header', () => {
    const day = 86_400_000
    const items = [
      human('a', { at: at(0) }),
      agent('b', { at: at(1) + day }),
      human('c', { at: at(9) + day }),
      agent('d', { at: at(0) }),
    ]
    expect(renderItems(items, session({ startedMs: at(0) }), plain).match(/^(?:You|Claude).*/gm)).toEqual([
      'You  10:00',
      'Claude  2026-11-02 10:01',
      'You  10:09',
      'Claude  2026-11-01 10:00',
    ])
  })

  it('is Markdown on request', () => {
    expect(renderItems(conversation().slice(9), session(), markdown)).toMatchInlineSnapshot(`
      "**You**  10:21

      > see this
      > [image] [image]

      > [file]

      **Claude**

      - → \`Write\` \`/home/ann/garden/plan.md\`
      - · declined by the human: \`Write\` ·

      **You (abandoned branch)**  10:22

      > or moss

      **Program (cron)**  10:23

      > Water them.

      **Claude (thinking)**  10:23

      >

      \`\`\`
      is it
      wet?
      \`\`\`

      - → \`Bash\` \`water\`

      \`\`\`
      {
        "command": "water"
      }
      \`\`\`

      - ← \`Bash\`

      \`\`\`
      wet
      '''
      now
      \`\`\`

      "
    `)
  })

  it('names file and line of everything with --lines', () => {
    const items = [
      human('a', { line: 3, at: at(0) }),
      human('b', { line: 4, at: at(0) }),
      tool('Read', 'x', { line: 5 }),
    ]
    expect(
      renderItems(items, session({ path: '/a.jsonl' }), { ...plain, lines: true }),
    ).toMatchInlineSnapshot(`
      "You  10:00  /a.jsonl:3
        a

      You  10:00  /a.jsonl:4
        b

      Claude
        → Read x  /a.jsonl:5
      "
    `)
  })

  it('is the same for items that come in parts', () => {
    const items = conversation()
    for (const style of [plain, markdown, { ...plain, lines: true }]) {
      const whole = renderItems(items, session(), style)
      for (let first = 0; first <= items.length; first++)
        for (let second = first; second <= items.length; second++) {
          const render = itemsRenderer(session(), style)
          const parts = [items.slice(0, first), items.slice(first, second), items.slice(second)]
          expect(parts.map(render).join(''), `${first} ${second}`).toBe(whole)
        }
    }
  })

  it('is empty if there are no messages', () => {
    expect(renderItems([], session(), plain)).toBe('')
  })

  it('never contains anything that a terminal executes, in any field', () => {
    const bad = fc.string({ unit: anyCharacter }).map((text) => `\x1b[2J${text}\x9b\u202e`)
    const one = fc.record({
      who: fc.constantFrom('human', 'agent', 'program', 'tool', 'error', 'marker'),
      text: bad,
      label: bad,
      marker: bad,
      detail: bad,
      media: fc.array(bad),
      tool: fc.record({ name: bad, target: bad }),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 6 }), bad, (facts, title) => {
        const items = facts.map((each) => item(each as Item))
        const shown = [plain, markdown].flatMap((style) => [
          renderItems(items, openclawSession({ agent: title }), style),
          renderHeader(session({ title, id: title }), title, style),
        ])
        expect(shown.join('')).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
      }),
      { numRuns: 300 },
    )
  })
})

it('the header of a session fits into the terminal', () => {
  const title = 'What we learned from September to November about tea and ferns'
  const shown = renderHeader(session({ title, id: 'a1' }), 'garden', { ...plain, columns: 40 })
  expect(shown.split('\n').filter((line) => line.length > 40)).toEqual([])
  expect(shown.replace(/\s+/g, ' ')).toContain(title)
})

it('the header of a session shows what it was, when, and how much', () => {
  const rows = [
    session({
      title: 'Ferns',
      startedMs: at(0),
      lastActivityMs: at(9),
      human: 2,
      agentMessages: 3,
      toolCalls: 4,
      errors: 1,
    }),
    openclawSession({
      title: 'Two\nlines',
      kind: 'cron',
      state: 'reset',
      startedMs: at(0),
      lastActivityMs: at(0) + 86_400_000,
    }),
    session({ title: 'x'.repeat(200) }),
    session(),
  ]
  expect(rows.map((row) => renderHeader(row, 'garden', plain)).join('')).toMatchInlineSnapshot(`
      "━━ Ferns
         garden · Claude Code · a0000000-0000-4000-8000-000000000000 · 2026-11-01 10:00 to 10:09 · 2 human, 3 agent, 4 tool calls, 1 error

      ━━ Two lines
         garden · OpenClaw main · cron · reset · a0000000-0000-4000-8000-000000000000 · 2026-11-01 10:00 to 2026-11-02 10:00 · 1 human, 1 agent, 0 tool calls

      ━━ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
         garden · Claude Code · a0000000-0000-4000-8000-000000000000 · no time (file of 2026-11-01 00:00) · 1 human, 1 agent, 0 tool calls

      ━━ (no words)
         garden · Claude Code · a0000000-0000-4000-8000-000000000000 · no time (file of 2026-11-01 00:00) · 1 human, 1 agent, 0 tool calls

      "
    `)
  expect(renderHeader(rows[0]!, undefined, markdown)).toMatchInlineSnapshot(`
      "## Ferns

      *Claude Code · a0000000-0000-4000-8000-000000000000 · 2026-11-01 10:00 to 10:09 · 2 human, 3 agent, 4 tool calls, 1 error*

      "
    `)
})

describe('the surface of a session', () => {
  it('is described in a few words, and only if its kind does not imply it', () => {
    const words = [
      { kind: 'human', entry: { surface: 'direct', channel: 'telegram', peer: '55…00' } },
      { kind: 'human', entry: { surface: 'main', channel: 'webchat' } },
      { kind: 'human', entry: { surface: 'webchat', channel: 'webchat' } },
      { kind: 'subagent', entry: { surface: 'subagent', channel: 'telegram' } },
      { kind: 'cron', entry: { surface: 'cron-run' } },
      { kind: 'human' },
    ].map(surfaceText)
    expect(words).toEqual(['telegram direct 55…00', 'webchat main', 'webchat', 'telegram', '', ''])
  })

  it('contains no complete address of a person', () => {
    const row = (more: Partial<Session>): Session => withoutIdentities({ kind: 'human', ...more } as Session)
    expect(
      row({
        title: 'Dev id:5550100',
        sessionKey: 'agent:main:telegram:direct:5550100',
        entry: {
          surface: 'direct',
          peer: '5550100',
          name: 'telegram:5550100',
          origin: 'Dev id:5550100',
          spawnedBy: 'agent:main:telegram:group:-1005550100',
        },
      }),
    ).toMatchObject({
      title: 'Dev id:55…00',
      sessionKey: 'agent:main:telegram:direct:55…00',
      entry: {
        peer: '55…00',
        name: 'telegram:55…00',
        origin: 'Dev id:55…00',
        spawnedBy: 'agent:main:telegram:group:-1…00',
      },
    })
    expect(
      row({ sessionKey: 'agent:main:slack:direct:u0moss77', entry: { peer: 'u0moss77' } }).sessionKey,
    ).toBe('agent:main:slack:direct:u0…77')
  })

  it('leaves the names of tasks and the messages of people unchanged', () => {
    const task = { kind: 'cron', title: 'Close 1234567', entry: { surface: 'cron', name: 'Close 1234567' } }
    expect(withoutIdentities(task as Session)).toEqual(task)
    const human = { kind: 'human', title: 'call 1234567', entry: { surface: 'main' } }
    expect(withoutIdentities(human as Session)).toEqual(human)
  })

  it('shortens addresses of every network', () => {
    expect(
      ['@ann:moss.org', '!room:moss.org', '15550100@s.whatsapp.net', '-1005550100'].map(shortPeer),
    ).toEqual(['@a…rg', '!r…rg', '15…et', '-1…00'])
    expect(shortLabel('Dev (@dev_at_home) dev@moss.org +15550100 of 12')).toBe(
      'Dev (@d…me) de…rg +1…00 of 12',
    )
  })
})

describe('the names of the two sides', () => {
  it('come from a named voice or from two given names', () => {
    expect(voiceOf('default')).toEqual({ human: 'You' })
    expect(voiceOf('devlog')).toEqual({ human: 'MY HUMAN', agent: 'ME' })
    expect(voiceOf(' Ann , Bot ')).toEqual({ human: 'Ann', agent: 'Bot' })
    for (const text of ['', 'nobody', 'a,', ',b', 'a,b,c', ',']) expect(voiceOf(text), text).toBeUndefined()
  })

  it("include the agent's own name, and the sender where several people may write", () => {
    const voice = voiceOf('default')!
    expect(speakerName({ who: 'agent' }, session(), voice)).toBe('Claude')
    expect(speakerName({ who: 'agent' }, openclawSession({ agent: 'ops' }), voice)).toBe('ops')
    expect(speakerName({ who: 'human', label: 'Jonas' }, openclawSession(), voice)).toBe('You (Jonas)')
    expect(speakerName({ who: 'program', label: 'cron' }, openclawSession(), voice)).toBe('Program (cron)')
  })
})
