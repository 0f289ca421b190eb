import { describe, expect, it } from 'vitest'
import type { Entry, Listing, SessionEntry, Source } from '../../../commands/picker/source.ts'
import { suggesting } from '../../../context/flags.ts'
import type { Item, Session } from '../../../model/session.ts'
import { parseQuery } from '../../../search/query.ts'
import type { StoredMessage } from '../../../store/stored.ts'
import type { Key } from './keys.ts'
import { createPicker } from './picker.ts'
import { frame } from './screen.ts'
import { CHROME, listRows } from './state.ts'
import { commandText } from './text.ts'

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
  const messages = [...MESSAGES]
  const tagged: string[][] = []
  const copied: string[] = []
  const listing = (words: string): Listing => ({
    entries: (rows[words] ?? []).map((id): Entry => {
      const entry = row(id)
      const star = tagged.at(-1)?.[0] === '*'
      return { ...entry, session: { ...entry.session, ...(star && { annotation: { tags: [], star } }) } }
    }),
    shown: 1,
    total: 1,
    about: undefined,
    words: [],
    remarks: [],
    ...(words !== '' && { query: parseQuery(words, 0, () => undefined) }),
  })
  const source: Source = {
    listing: ({ words }) =>
      new Promise((answer) => {
        if (words === '') answer(listing(words))
        else waiting.push(() => answer(listing(words)))
      }),
    scopes: () => ['everything'],
    platforms: () => [],
    messages: () => messages,
    count: () => messages.length,
    passage: () => [],
    forget: () => {},
  }
  const made = createPicker(
    source,
    {
      draw: () => {},
      quit: () => {},
      suspend: () => {},
      copy: (text) => void copied.push(text),
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
  return { ...made, made, press, answered, size, tagged, copied, messages }
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

  it('are words behind the one that begins them, also if all come at once', async () => {
    const { made, press, answered, state, tagged } = picker(ROWS)
    await made.refresh()
    press('enter')
    made.press({ name: 'text', text: '/shed*xr' })
    expect([state.prompt?.value, tagged]).toEqual(['shed*xr', []])
    press('escape', 'escape', 'down')
    made.press({ name: 'text', text: '/f' })
    await answered()
    expect([state.query, state.focus]).toEqual(['f', 'query'])
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
    await new Promise((done) => setTimeout(done, 2))
    expect(tagged).toEqual([['*'], ['-*']])
  })

  it('change something each time: Esc leaves the rows where a preview is shown without being asked for', async () => {
    const { made, press, answered, state } = picker(ROWS)
    await made.refresh()
    press('f')
    await answered()
    press('down', ' ', ' ', 'escape')
    expect(state.focus).toBe('query')
  })

  it('give and take a star in turn, however fast they come', async () => {
    const { made, press, tagged } = picker(ROWS)
    await made.refresh()
    press('down', '*', '*', '*')
    await new Promise((done) => setTimeout(done, 20))
    expect(tagged).toEqual([['*'], ['-*'], ['*']])
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
    expect(state.help?.title).toBe('Keys')
    press('escape')
    expect(state.help).toBeUndefined()
  })

  it('scroll the page of keys where it is longer than the screen', async () => {
    const { made, press, state, size } = picker(ROWS)
    size.rows = 10
    await made.refresh()
    press('?', 'end')
    expect(state.help!.lines.slice(state.help!.top, state.help!.top + 8).join('\n')).toContain(
      'Ctrl-C or q leaves',
    )
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

  it('is read on while it is written, and followed at its end', async () => {
    const { made, press, text, state, messages, size } = await reading()
    size.rows = 8
    press('g')
    messages.push(says(7, 'human', 'Thanks.'), says(8, 'agent', 'You are welcome.'))
    await made.refresh()
    expect(text.lines.join('\n')).toContain('You are welcome.')
    expect([text.top, state.message]).toEqual([0, '2 new messages: G shows them.'])
    press('G')
    messages.push(says(9, 'agent', 'The mint is dry.'))
    await made.refresh()
    expect(state.message).toBe('1 new message.')
    expect(text.lines.slice(text.top).join('\n')).toContain('The mint is dry.')
  })

  it('says what was copied, and when a search goes around its end', async () => {
    const { made, press, state } = await reading()
    press('c')
    expect(state.message).toBe('Copied the message: Where do the ferns grow, and how much water do …')
    press('/')
    made.press({ name: 'text', text: 'pot' })
    press('enter', 'enter')
    expect(state.message).toBe('Around the end.')
  })

  it('shows a long address on several lines, and copies it as one', async () => {
    const { made, press, copied, state } = picker(ROWS)
    const address = `http://127.0.0.1:7788/session/${'0a1b2c3d-'.repeat(12)}`
    made.show(commandText('Open this address', address, 80))
    expect(state.text!.lines.join('|')).toBe(`${address.slice(0, 80)}|${address.slice(80)}`)
    press('c')
    expect(copied).toEqual([address])
  })

  it('is read on where it was, one step back from the answer of a command', async () => {
    const { made, press, state, text } = await reading()
    made.show(commandText('why', 'because', 80))
    made.show(commandText('why', 'because of that', 80))
    press('escape')
    expect(state.text).toBe(text)
    press('escape')
    expect(state.text).toBeUndefined()
    made.show(commandText('Open this address', 'somewhere', 80))
    press('escape')
    expect(state.text).toBeUndefined()
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

describe('a search while sessions are indexed', () => {
  const shown = (incomplete: Listing['incomplete']): string => {
    const listing = {
      entries: [],
      shown: 0,
      total: 9,
      about: undefined,
      words: [],
      remarks: [],
      incomplete,
    } as Listing
    const state = { ...picker({}).state, query: 'ferns', listing }
    const size = { columns: 80, rows: 24 }
    return frame(state, { platforms: () => [] } as never, undefined, size, {
      color: false,
      now: 0,
    })[2]!.trim()
  }

  it('says what it has not searched yet, instead of finding nothing', () => {
    expect(shown({ files: 9, of: 9, messages: 7658 })).toBe(
      'Nothing found yet: the words of 7,658 messages are still to be indexed.',
    )
    expect(shown({ files: 9, of: 3001, messages: 0 })).toBe('Nothing found yet, in 9 of 3,001 files.')
    expect(shown(undefined)).toBe('Nothing found.')
  })
})
