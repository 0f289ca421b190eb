import { describe, expect, it } from 'vitest'
import { type Json, printed, run } from '../program.ts'
import { call, claude, openclaw, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const [MAIN, GARDEN, CODE, OTHER] = [uuid(81), uuid(82), uuid(83), uuid(84)]
const PROMPT = 'Water the ferns in the north bed and say how dry they were.'

const rowsOf = (home: string, ...args: string[]): Map<string, Json> => {
  const { sessions } = JSON.parse(printed(home, 'sessions', '--all', '--json', ...args))
  return new Map(sessions.map((row: Json) => [row.id, row]))
}

const hears = (number: number, words: string) => [
  openclaw.user(number, words),
  openclaw.reply(number + 1, [text('They were dry.')]),
]

/** The agent `main` calls a tool in the second minute, and `garden` receives its text in the third. */
function prompted(name: string, input: object, received = PROMPT): string {
  const home = temporaryHome()
  putOpenclaw(home, `${MAIN}.jsonl`, [
    openclaw.header(MAIN),
    openclaw.user(1, 'See that the ferns get water'),
    openclaw.reply(2, [call('c1', name, input)]),
  ])
  putOpenclaw(home, `${GARDEN}.jsonl`, [openclaw.header(GARDEN), ...hears(3, received)], 'garden')
  return home
}

const CALLS: [name: string, input: object][] = [
  ['exec', { command: `openclaw agent --agent garden --message "${PROMPT}" --json` }],
  ['exec', { command: `cd /srv && openclaw agent --agent=garden -m '${PROMPT}' | tail -1` }],
  ['exec', { command: `openclaw agent --agent garden --message "$(cat <<'EOF'\n${PROMPT}\nEOF\n)"` }],
  ['exec', { command: ['openclaw', 'agent', '--message', PROMPT] }],
  ['exec', { command: ['bash', '-c', `openclaw agent --message "${PROMPT}"`] }],
  ['exec', { command: `openclaw gateway call agent --params '{"message":"${PROMPT}","agentId":"garden"}'` }],
  ['sessions_send', { sessionKey: 'agent:garden:main', message: PROMPT }],
  ['sessions_spawn', { agentId: 'garden', task: PROMPT }],
  ['message', { action: 'send', to: 'garden-bot', message: PROMPT }],
]

describe('a prompt that one agent sent to another', () => {
  it.each(CALLS)('is a program’s, and names its sender: %s %j', (name, input) => {
    const rows = rowsOf(prompted(name, input))
    expect(rows.get(GARDEN)).toMatchObject({
      kind: 'program',
      messages: { human: 0 },
      firstHuman: null,
      firstProgram: PROMPT,
      promptedBy: [{ line: 2, by: { platform: 'openclaw', agent: 'main', session: MAIN, line: 3 } }],
    })
    expect(rows.get(MAIN)).toMatchObject({ kind: 'human', messages: { human: 1 } })
  })

  it('is marked in read, search and their filters', () => {
    const home = prompted('sessions_send', { agentId: 'garden', message: PROMPT })
    const output = run(['read', GARDEN], home).stdout
    expect(output).toContain('OpenClaw garden, by main')
    expect(output).toContain(`Program (by main)  10:03\n  ${PROMPT}`)
    expect(run(['read', GARDEN, '--full'], home).stdout).toContain('Program (by main)')
    expect([...rowsOf(home, '--kind', 'prompted').keys()]).toEqual([GARDEN])
    expect(run(['search', 'north bed who:human'], home).stdout).toContain('Nothing matches')
    expect(run(['search', 'ferns north bed who:program'], home).stdout).toContain(GARDEN.slice(0, 8))
  })

  it('is recognized across platforms, both ways', () => {
    const home = temporaryHome()
    putOpenclaw(home, `${MAIN}.jsonl`, [
      openclaw.header(MAIN),
      openclaw.user(1, 'Have it counted'),
      openclaw.reply(2, [call('c1', 'exec', { command: `claude -p "${PROMPT}" --model haiku` })]),
    ])
    const more = { sessionId: CODE, version: '2.0.60' }
    const sent = call('c2', 'Bash', { command: 'openclaw agent --message "Tell Ann about the ferns"' })
    putClaude(home, CODE, [claude.user(3, PROMPT, more), claude.reply(4, [sent], more)])
    const heard = [openclaw.header(OTHER), ...hears(5, 'Tell Ann about the ferns')]
    putOpenclaw(home, `${OTHER}.jsonl`, heard, 'post')
    const rows = rowsOf(home)
    expect(rows.get(CODE)?.promptedBy?.[0]?.by).toMatchObject({
      platform: 'openclaw',
      agent: 'main',
      session: MAIN,
    })
    expect(rows.get(OTHER)?.promptedBy?.[0]?.by).toMatchObject({ platform: 'claude-code', session: CODE })
  })

  it('is recognized whichever file comes first, and remains so when either grows', () => {
    const home = temporaryHome()
    const main = [openclaw.header(MAIN), openclaw.user(1, 'See that the ferns get water')]
    const garden = [openclaw.header(GARDEN), ...hears(3, PROMPT)]
    putOpenclaw(home, `${GARDEN}.jsonl`, garden, 'garden')
    putOpenclaw(home, `${MAIN}.jsonl`, main)
    expect(rowsOf(home).get(GARDEN)).toMatchObject({ kind: 'human', messages: { human: 1 } })
    const send = openclaw.reply(2, [call('c1', 'sessions_send', { agentId: 'garden', message: PROMPT })])
    putOpenclaw(home, `${MAIN}.jsonl`, [...main, send])
    expect(rowsOf(home).get(GARDEN)).toMatchObject({ kind: 'program', messages: { human: 0 } })
    putOpenclaw(home, `${GARDEN}.jsonl`, [...garden, ...hears(6, 'And the roses?')], 'garden')
    expect(rowsOf(home).get(GARDEN)).toMatchObject({
      kind: 'human',
      messages: { human: 1 },
      firstHuman: 'And the roses?',
    })
    run(['index', '--rebuild'], home)
    expect(rowsOf(home).get(GARDEN)).toMatchObject({ messages: { human: 1 }, promptedBy: [{ line: 2 }] })
    putOpenclaw(home, `${MAIN}.jsonl`, [...main, openclaw.reply(2, [text('I do not.')])])
    const last = rowsOf(home).get(GARDEN)
    expect(last).toMatchObject({ messages: { human: 2 } })
    expect(last?.promptedBy).toBeUndefined()
  })

  it.each([
    ['other text', 'sessions_send', { agentId: 'garden', message: 'Water the roses in the south bed.' }],
    ['a tool that sends nothing', 'write', { path: '/srv/a.md', content: PROMPT }],
    ['a command that starts no agent', 'exec', { command: `echo "${PROMPT}" >> notes.md` }],
    ['the name of another agent', 'sessions_send', { agentId: 'kitchen', message: PROMPT }],
    ['the id of another agent', 'sessions_send', { sessionKey: 'agent:kitchen:main', message: PROMPT }],
  ])('stays a human’s if the call contains %s', (_, name, input) => {
    expect(rowsOf(prompted(name, input)).get(GARDEN)).toMatchObject({ kind: 'human', messages: { human: 1 } })
  })

  it('is recognized if it is short and the call names the agent', () => {
    const command = 'openclaw agent --agent garden --message "go on"'
    expect(rowsOf(prompted('exec', { command }, 'go on')).get(GARDEN)).toMatchObject({
      messages: { human: 0 },
    })
  })

  it('stays a human’s if it is short, before the call, long after it, or repeated', () => {
    const short = prompted('exec', { command: 'openclaw agent --message "go on"' }, 'go on')
    expect(rowsOf(short).get(GARDEN)).toMatchObject({ messages: { human: 1 } })
    const home = temporaryHome()
    putOpenclaw(home, `${MAIN}.jsonl`, [
      openclaw.header(MAIN),
      openclaw.reply(10, [call('c1', 'sessions_send', { agentId: 'garden', message: PROMPT })]),
    ])
    const garden = [...hears(2, PROMPT), ...hears(11, PROMPT), ...hears(14, PROMPT), ...hears(40, PROMPT)]
    putOpenclaw(home, `${GARDEN}.jsonl`, [openclaw.header(GARDEN), ...garden], 'garden')
    const row = rowsOf(home).get(GARDEN)
    expect(row).toMatchObject({ messages: { human: 3 } })
    expect(row?.promptedBy).toHaveLength(1)
    expect(row?.promptedBy?.[0]?.line).toBe(4)
  })
})

/** Sessions with one prompt each, `minutes` apart, of a client that does not mark sessions of scripts. */
function loop(home: string, prompts: readonly string[], minutes: number, more: object = {}): void {
  for (const [index, prompt] of prompts.entries()) {
    const id = uuid(200 + index)
    const at = (minute: number): string =>
      new Date(Date.UTC(2026, 0, 5, 8, index * minutes + minute)).toISOString()
    const shared = { sessionId: id, version: '2.0.60', ...more }
    putClaude(home, id, [
      claude.user(1, prompt, { ...shared, uuid: uuid(1000 + index * 2), timestamp: at(0) }),
      claude.reply(2, [text('Done.')], { ...shared, uuid: uuid(1001 + index * 2), timestamp: at(1) }),
    ])
  }
}

const PLANTS = ['fern', 'rose', 'moss', 'ivy', 'sage', 'mint']
const commandOf = (words: string): string =>
  `<command-message>describe</command-message>\n<command-name>/describe</command-name>\n<command-args>${words}</command-args>`

describe('sessions that a script opened, before clients marked them', () => {
  it.each([
    ['a slash command', commandOf],
    ['a prompt', (plant: string) => `Describe the plant in "${plant}.md" in three short sentences.`],
  ])('have a confidence, and count as a program’s above the threshold: %s', (_, promptOf) => {
    const home = temporaryHome()
    loop(home, PLANTS.map(promptOf), 3)
    const rows = rowsOf(home)
    for (const row of rows.values())
      expect(row).toMatchObject({
        kind: 'program',
        messages: { human: 0 },
        script: { confidence: 0.85, sessions: 6 },
      })
    expect(rowsOf(home, '--kind', 'script').size).toBe(6)
    expect(run(['read', uuid(200)], home).stdout).toContain('probably a script (85 %, 6 sessions open alike)')
  })

  it('stay a human’s below the threshold, with the confidence shown', () => {
    const home = temporaryHome()
    loop(home, PLANTS.map(commandOf), 60 * 24)
    for (const row of rowsOf(home).values())
      expect(row).toMatchObject({ kind: 'human', messages: { human: 1 }, script: { confidence: 0.6 } })
  })

  it('stay a human’s if they continue, if the client marks scripts, or if the prompt is common', () => {
    const [talked, marked, common] = [temporaryHome(), temporaryHome(), temporaryHome()]
    loop(talked, PLANTS.map(commandOf), 3)
    for (const index of PLANTS.keys()) {
      const id = uuid(200 + index)
      const shared = { sessionId: id, version: '2.0.60' }
      putClaude(talked, id, [
        claude.user(1, commandOf(PLANTS[index]!), { ...shared, uuid: uuid(1) }),
        claude.user(2, 'And how tall is it?', { ...shared, uuid: uuid(2) }),
      ])
    }
    loop(marked, PLANTS.map(commandOf), 3, { version: '2.1.112', entrypoint: 'cli' })
    loop(
      common,
      PLANTS.map(() => 'go on'),
      3,
    )
    for (const home of [talked, marked, common])
      for (const row of rowsOf(home).values()) {
        expect(row.kind).toBe('human')
        expect(row.script).toBeUndefined()
      }
  })
})
