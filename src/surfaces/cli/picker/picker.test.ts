import { describe, expect, it } from 'vitest'
import type { Entry, Listing, SessionEntry, Source } from '../../../commands/picker/source.ts'
import { suggesting } from '../../../context/flags.ts'
import type { Item, Session } from '../../../model/session.ts'
import type { StoredMessage } from '../../../store/stored.ts'
import type { Key } from './keys.ts'
import { CHROME, createPicker, listRows } from './picker.ts'

const session = (id: string): Session =>
  ({
    platform: 'claude-code',
    id,
    path: `/garden/${id}.jsonl`,
    title: id,
    agent: 'main',
    cwds: [],
    human: 1,
    agentMessages: 1,
    toolCalls: 0,
    errors: 0,
    kind: 'human',
    state: 'live',
    modifiedMs: 0,
    startedMs: 0,
  }) as unknown as Session

const row = (id: string): SessionEntry => ({
  kind: 'session',
  session: session(id),
  title: id,
  project: 'garden',
  copies: 0,
})

const says = (line: number, who: Item['who'], text: string): StoredMessage =>
  ({ line, who, text, atMs: 0 }) as unknown as StoredMessage

const MESSAGES = [
  says(1, 'human', 'Where do the ferns grow, and how much water do they need in a dry summer?'),
  says(2, 'agent', 'In the shade behind the shed.'),
  says(3, 'error', 'no such bed'),
  says(4, 'human', 'And the mint?'),
  says(5, 'error', 'no such pot'),
  says(6, 'agent', 'In a pot.'),
]

/** A picker over the rows that words find. What is searched is answered when `answered` is called. */
function picker(rows: Record<string, string[]>, columns = 80) {
  const size = { columns, rows: 24 }
  const waiting: (() => void)[] = []
  const tagged: string[][] = []
  const listing = (words: string): Listing => ({
    entries: (rows[words] ?? []).map((id): Entry => {
      const entry = row(id)
      const star = tagged.at(-1)?.[0] === '*'
      return { ...entry, session: { ...entry.session, ...(star && { annotation: { tags: [], star } }) } }
    }),
    shown: 1,
    total: 1,
    about: undefined,
    remarks: [],
  })
  const source: Source = {
    listing: ({ words }) =>
      new Promise((answer) => {
        if (words === '') answer(listing(words))
        else waiting.push(() => answer(listing(words)))
      }),
    scopes: () => ['everything'],
    platforms: () => [],
    messages: () => MESSAGES,
    passage: () => [],
    forget: () => {},
  }
  const made = createPicker(
    source,
    {
      draw: () => {},
      quit: () => {},
      suspend: () => {},
      copy: () => {},
      act: () => {},
      remembered: () => {},
      tag: async (_, words) => {
        tagged.push(words)
        return 'Tagged.'
      },
      size: () => size,
    },
    { color: false, suggest: suggesting('scrollback', () => []) },
  )
  const press = (...keys: (Key['name'] | string)[]): void => {
    for (const key of keys)
      made.press(key.length === 1 ? { name: 'text', text: key } : ({ name: key } as Key))
  }
  /** Lets the question that was asked for be answered. */
  const answered = async (): Promise<void> => {
    for (let turn = 0; turn < 50 && waiting.length === 0; turn++)
      await new Promise((done) => setTimeout(done, 2))
    for (const answer of waiting.splice(0)) answer()
    await new Promise((done) => setTimeout(done, 2))
  }
  return { ...made, made, press, answered, size, tagged }
}

const ROWS = { '': ['weeds', 'ferns'], f: ['ferns'] }

describe('the keys of the picker', () => {
  it('are about what was typed, however early they come', async () => {
    const { made, press, answered, state } = picker(ROWS)
    await made.refresh()
    press('f', 'enter')
    expect(state.text).toBeUndefined()
    await answered()
    expect(state.text?.title).toBe('ferns')
  })

  it('keep their order while they wait', async () => {
    const { made, press, answered, state } = picker(ROWS)
    await made.refresh()
    press('f', 'enter', 'escape')
    expect(state.query).toBe('f')
    await answered()
    expect([state.text, state.query, state.listing.entries.length]).toEqual([undefined, 'f', 1])
  })

  it('are no keys in what is pasted', async () => {
    const { made, state } = picker(ROWS)
    await made.refresh()
    made.press({ name: 'down' })
    made.press({ name: 'text', text: 'r x q', isPasted: true })
    expect(state.query).toBe('r x q')
    expect(state.focus).toBe('query')
  })

  it('give and take a star, also while its session is read', async () => {
    const { made, press, tagged } = picker(ROWS)
    await made.refresh()
    press('enter', '*')
    await new Promise((done) => setTimeout(done, 2))
    press('*')
    expect(tagged).toEqual([['*'], ['-*']])
  })

  it('show and hide the preview, which opens by itself where few are found', async () => {
    const { made, press, answered, state, size } = picker(ROWS)
    await made.refresh()
    const isShown = (): boolean => listRows(size, state) < size.rows - CHROME
    press(' ')
    expect(isShown()).toBe(true)
    press(' ')
    expect(isShown()).toBe(false)
    press('escape', 'f')
    await answered()
    expect(isShown()).toBe(false)
  })

  it('only leave the page of keys where they do not move', async () => {
    const { made, press, state } = picker(ROWS)
    await made.refresh()
    press('?', 'pagedown', 'down')
    expect(state.isHelpShown).toBe(true)
    press('escape')
    expect(state.isHelpShown).toBe(false)
  })
})

describe('a text in the picker', () => {
  async function reading(columns = 80) {
    const all = picker(ROWS, columns)
    await all.made.refresh()
    all.press('enter')
    return { ...all, text: all.state.text! }
  }

  it('is laid out anew for another width, at the same message', async () => {
    const { made, press, text, size } = await reading(40)
    const narrow = text.lines.length
    press(']', ']')
    const mark = text.marks.find(({ line }) => line === 4)
    expect(text.current).toBe(mark!.at)
    size.columns = 120
    made.fit()
    expect(text.lines.length).toBeLessThan(narrow)
    expect(text.lines.join('\n')).toContain('how much water do they need in a dry summer?')
    expect(text.marks.find(({ at }) => at === text.current)?.line).toBe(4)
  })

  it('shows only what its person said, and everything again', async () => {
    const { press, text, state } = await reading()
    press('m')
    expect(text.lines.join('\n')).not.toContain('shed')
    expect(state.did.at(-1)).toBe('scrollback read weeds --who human')
    press('m')
    expect(text.lines.join('\n')).toContain('behind the shed')
  })

  it('is searched for errors around its end', async () => {
    const { press, text, state } = await reading()
    const lineAt = () => text.marks.find(({ at }) => at === text.current)?.line
    press('n', 'n')
    expect(lineAt()).toBe(5)
    press('n')
    expect([lineAt(), state.message]).toEqual([3, 'Around the end: the first error.'])
    press('N')
    expect([lineAt(), state.message]).toEqual([5, 'Around the end: the last error.'])
  })

  it('is about its last message at its end', async () => {
    const { press, text } = await reading()
    press('G')
    expect(text.marks.find(({ at }) => at === text.current)?.line).toBe(6)
  })

  it('has its title once', async () => {
    const { text } = await reading()
    expect(text.lines.filter((line) => /^(?:━━ )?weeds$/.test(line.trim()))).toEqual([])
  })
})
