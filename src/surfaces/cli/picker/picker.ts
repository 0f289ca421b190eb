import type { Listing, Memory, Scope, SessionEntry, Source } from '../../../commands/picker/source.ts'
import { counted, cutTo } from '../../../render/table.ts'
import type { Screen } from '../../../render/terminal.ts'
import { helpText, type Key } from './keys.ts'
import { topFor } from './list.ts'
import { CHROME, createState, listRows, type Prompt, type State, wordsOf } from './state.ts'
import {
  commandText,
  lastTop,
  layAgain,
  type Mark,
  markAt,
  nextFound,
  nextMark,
  sessionText,
  type TextView,
} from './text.ts'

/** What a person wants to do with a session, besides reading it. */
export type Action = 'resume' | 'handoff' | 'why' | 'export' | 'page'

/** What a key asks of the program around the picker. */
export interface Effects {
  /** Draws the screen. */
  draw(): void
  /** Ends the picker. */
  quit(): void
  suspend(): void
  /** Puts a text on the clipboard. */
  copy(text: string): void
  /** Runs a command about a session, or about the message in view. */
  act(action: Action, entry: SessionEntry, mark: Mark | undefined): void
  /** Shows a text that agents remember. */
  remembered(hit: Memory): void
  /** Changes the tags of a session: `payments`, `-payments`, `*`. */
  tag(session: string, words: string[]): Promise<string>
  /** The size of the screen. */
  size(): { columns: number; rows: number }
}

/** A session that is read, and how many messages it had. */
interface Reading {
  entry: SessionEntry
  text: TextView
  count: number
}

/** How many characters of a copied text the message shows. */
const SHOWN = 48

/** Letters that come within this time are searched for once, in ms. */
const TOGETHER_MS = 5

export interface Picker {
  readonly state: State
  press(key: Key): void
  /** Brings everything to the size of the screen, before it is drawn. */
  fit(): void
  /** Asks again: something was written, or the first time. */
  refresh(): Promise<void>
  /** Shows a text, such as the answer of a command. */
  show(text: TextView): void
  say(message: string): void
  selected(): SessionEntry | undefined
}

/** The state of the picker, and what each key does to it. */
export function createPicker(
  source: Source,
  effects: Effects,
  { suggest, ...look }: Pick<Screen, 'color' | 'suggest'>,
): Picker {
  const state = createState()
  /** The number of the last question. Answers to earlier ones are not shown. */
  let asked = 0
  let isFirst = true
  let soon: NodeJS.Timeout | undefined
  /** The list that is shown is not what was asked for: keys about its rows wait, in this order. */
  let isDue = false
  const held: Key[] = []
  /** The project that a scope of one project is about, where no project is here. */
  let otherProject: string | undefined
  /** The session that was read last. */
  let reading: Reading | undefined
  /** What was read before the answer of a command covered it. */
  let below: TextView | undefined
  /** The last change of a star. */
  let starring: Promise<void> = Promise.resolve()
  return { state, press, fit, refresh, show, say, selected }

  function named(entry: SessionEntry): SessionEntry & { name: string } {
    return { ...entry, name: suggest.id(entry.session.id) }
  }

  function citationOf({ hit, session }: SessionEntry): string {
    return hit ? `${suggest.id(hit.session)}:${hit.line}` : suggest.id(session.id)
  }

  function selected(): SessionEntry | undefined {
    const entry = state.listing.entries[state.cursor]
    return entry?.kind === 'session' ? entry : undefined
  }

  async function refresh(): Promise<void> {
    if (!isFirst) {
      source.forget()
      if (state.text && state.text === reading?.text) readOn(state.text, reading)
    } else {
      isFirst = false
      state.scope = source.scopes().find((scope) => scope !== 'folder') ?? 'everything'
    }
    await ask(true)
  }

  /** Asks for the list. `isSame`: the same one as before, so the selected row stays selected. */
  async function ask(isSame = false): Promise<void> {
    const number = ++asked
    const before = selected()?.session.path
    const { scope, isOpen } = state
    const { words, platform } = wordsOf(state)
    try {
      const listing = await source.listing({
        scope,
        platform,
        words,
        isOpen,
        project: scope === 'project' ? otherProject : undefined,
      })
      if (number !== asked) return
      state.listing = listing
      const position = isSame
        ? listing.entries.findIndex((entry) => entry.kind === 'session' && entry.session.path === before)
        : -1
      state.cursor = position >= 0 ? position : firstRow(listing)
      if (!isSame) state.top = 0
      scroll()
    } catch (error) {
      if (number !== asked) return
      state.message = error instanceof Error ? error.message : String(error)
    }
    isDue = false
    for (let key = held.shift(); key; key = isDue ? undefined : held.shift()) press(key)
    effects.draw()
  }

  function fit(): void {
    const { columns, rows } = effects.size()
    for (const text of [state.text, state.help]) {
      if (!text) continue
      layAgain(text, { ...text.layout, columns })
      text.top = Math.min(text.top, lastTop(text, rows - CHROME))
    }
    scroll()
  }

  function say(message: string): void {
    state.message = message
    effects.draw()
  }

  function show(text: TextView): void {
    if (state.text === reading?.text) below = state.text
    state.text = text
    state.prompt = undefined
    effects.draw()
  }

  function press(key: Key): void {
    // Letters that come at once are keys one after the other: the first may be the last that is one.
    if (key.name === 'text' && !key.isPasted && key.text.length > 1 && !isTyping()) {
      for (const text of key.text) press({ name: 'text', text })
      return
    }
    if (isDue && !state.text && !state.prompt && waits(key)) {
      held.push(key)
      return
    }
    state.message = ''
    if (key.name === 'quit') effects.quit()
    else if (key.name === 'suspend') effects.suspend()
    else if (state.help) inHelp(key, state.help)
    else if (state.prompt) inPrompt(key, state.prompt)
    else if (state.text) inText(key, state.text)
    else inList(key)
    if (key.name !== 'quit' && key.name !== 'suspend') effects.draw()
  }

  /** Whether letters are words. */
  function isTyping(): boolean {
    return state.prompt !== undefined || (!state.text && !state.help && state.focus === 'query')
  }

  function inList(key: Key): void {
    if (key.name === 'up' && state.cursor <= firstRow(state.listing)) {
      state.focus = 'query'
      return
    }
    if (move(key)) return
    if (key.name === 'enter') open()
    else if (key.name === 'tab' || key.name === 'backtab') changeScope(key.name === 'tab' ? 1 : -1)
    else if (key.name === 'function') changePlatform()
    else if (key.name === 'escape') stepBack()
    else if (key.name === 'clear') type('')
    else if (key.name === 'backspace') type([...state.query].slice(0, -1).join(''))
    else if (key.name !== 'text') return
    else if (key.isPasted) type(state.query + key.text)
    else if (state.focus === 'rows') onRow(key.text)
    else if (state.query === '' && key.text === ' ') togglePreview()
    else if (state.query === '' && key.text === '?') openHelp()
    else type(state.query + key.text)
  }

  /** Whether a key needs the list that was asked for, or comes after one that does. */
  function waits({ name }: Key): boolean {
    if (name === 'quit' || name === 'suspend') return false
    return held.length > 0 || (name === 'text' ? state.focus === 'rows' : !ON_WORDS.has(name))
  }

  function togglePreview(): void {
    state.isPreviewed = listHeight() === listRows(effects.size(), { ...state, isPreviewed: false })
  }

  /** A letter while the rows have the keys. */
  function onRow(letter: string): void {
    const entry = selected()
    if (letter === ' ') togglePreview()
    else if (letter === '/') state.focus = 'query'
    else if (letter === 'j') move({ name: 'down' })
    else if (letter === 'k') move({ name: 'up' })
    else common(letter, entry, undefined)
  }

  /** The letters that mean the same in the list and in a session. */
  function common(letter: string, entry: SessionEntry | undefined, mark: Mark | undefined): void {
    const action = ACTIONS[letter]
    if (letter === 'q') effects.quit()
    else if (letter === '?') openHelp()
    else if (!entry) state.message = 'Select a session first.'
    else if (letter === 't') {
      const { tags = [], star = false } = entry.session.annotation ?? {}
      const now = [...(star ? ['*'] : []), ...tags].join(' ')
      state.prompt = {
        label: `Tags${now === '' ? '' : ` (${now})`}, -tag removes, * is a star: `,
        value: '',
        what: 'tag',
      }
    } else if (letter === '*') void star(entry)
    else if (letter === 'y') copy(mark?.citation ?? citationOf(entry), 'citation')
    else if (action) effects.act(action, entry, mark)
    else state.message = `${letter} is no key here: ? shows the keys.`
  }

  function copy(text: string, what: string): void {
    effects.copy(text)
    state.message = `Copied the ${what}: ${cutTo(text.replace(/\s+/g, ' ').trim(), SHOWN)}`
  }

  function openHelp(): void {
    state.help = commandText('Keys', helpText(source.platforms()), effects.size().columns)
  }

  function inHelp(key: Key, help: TextView): void {
    const step = stepOf(key)
    if (step !== undefined) scrollText(help, help.top + step)
    // These do nothing here, and look like keys that move.
    else if (key.name !== 'left' && key.name !== 'right') state.help = undefined
  }

  /** How many lines a key scrolls. Undefined for other keys. */
  function stepOf({ name }: Key): number | undefined {
    const page = Math.max(1, effects.size().rows - CHROME - 1)
    const by: Partial<Record<Key['name'], number>> = {
      ...{ up: -1, down: 1, pageup: -page, pagedown: page, home: -1e9, end: 1e9 },
    }
    return by[name]
  }

  function inText(key: Key, text: TextView): void {
    const step = stepOf(key)
    if (key.name === 'end') toEnd(text)
    else if (step !== undefined) scrollText(text, text.top + step)
    else if (key.name === 'escape' || key.name === 'left' || key.name === 'backspace') leave(text)
    else if (key.name === 'text' && !key.isPasted) onText(key.text, text)
  }

  /** One step back: to what the text covers, or to the list. */
  function leave(text: TextView): void {
    state.text = text === reading?.text ? undefined : below
    below = undefined
  }

  function onText(letter: string, text: TextView): void {
    const { rows } = effects.size()
    const mark = markAt(text)
    const to = (isWanted: (each: Mark) => boolean, direction: 1 | -1, what: string): void => {
      const at = nextMark(text, isWanted, direction)
      if (at === undefined) state.message = `No ${what}.`
      else {
        const from = text.current ?? text.top
        if (direction === 1 ? at <= from : at >= from)
          state.message = `Around the end: the ${direction === 1 ? 'first' : 'last'} ${what}.`
        jump(text, at)
      }
    }
    if (letter === 'j') scrollText(text, text.top + 1)
    else if (letter === 'k') scrollText(text, text.top - 1)
    else if (letter === ' ') scrollText(text, text.top + rows - CHROME - 1)
    else if (letter === 'g') scrollText(text, 0)
    else if (letter === 'G') toEnd(text)
    else if (letter === 'n') to(({ who }) => who === 'error', 1, 'error')
    else if (letter === 'N') to(({ who }) => who === 'error', -1, 'error')
    else if (letter === ']') to(({ who }) => who === 'human', 1, 'prompt')
    else if (letter === '[') to(({ who }) => who === 'human', -1, 'prompt')
    else if (letter === 'm' && text.marks.length > 0) onlyMine(text)
    else if (letter === '/') state.prompt = { label: 'Find: ', value: '', what: 'find' }
    else if (letter === 'c')
      copy(mark?.text ?? text.copied ?? text.lines.join('\n'), mark ? 'message' : 'text')
    else common(letter, entryOf(text), mark)
  }

  function inPrompt(key: Key, prompt: Prompt): void {
    if (key.name === 'escape') state.prompt = undefined
    else if (key.name === 'clear') prompt.value = ''
    else if (key.name === 'backspace') prompt.value = [...prompt.value].slice(0, -1).join('')
    else if (key.name === 'text') prompt.value += key.text
    else if (prompt.what === 'find' && (key.name === 'enter' || key.name === 'down')) find(prompt, 1, 1)
    else if (prompt.what === 'find' && key.name === 'up') find(prompt, -1, 1)
    else if (key.name === 'enter') {
      state.prompt = undefined
      const session = state.text?.session ?? selected()?.session
      const words = prompt.value.split(/\s+/).filter((word) => word !== '')
      if (session && words.length > 0) void tag(session.id, words)
    }
    if (prompt.what === 'find' && (key.name === 'text' || key.name === 'backspace')) find(prompt, 1, 0)
  }

  async function tag(session: string, words: string[]): Promise<void> {
    try {
      const message = await effects.tag(session, words)
      await refresh()
      const now = state.listing.entries.find(
        (entry) => entry.kind === 'session' && entry.session.id === session,
      )
      if (state.text?.session?.id === session && now?.kind === 'session') state.text.session = now.session
      say(message)
    } catch (error) {
      say((error as Error).message)
    }
  }

  /** Each key is about what the one before it left. */
  async function star({ session }: SessionEntry): Promise<void> {
    const before = starring
    const { promise, resolve } = Promise.withResolvers<void>()
    starring = promise
    await before
    const now = state.listing.entries.find(
      (entry) => entry.kind === 'session' && entry.session.id === session.id,
    )
    const { annotation } = now?.kind === 'session' ? now.session : session
    await tag(session.id, [annotation?.star ? '-*' : '*'])
    resolve()
  }

  function find({ value }: Prompt, direction: 1 | -1, step: 0 | 1): void {
    const { text } = state
    if (!text) return
    text.find = value
    if (value === '') return
    const from = text.current ?? text.top
    const at = nextFound(text, value, from + step * direction, direction)
    if (at === undefined) state.message = 'Not here.'
    else {
      if (step === 1 && (direction === 1 ? at <= from : at >= from))
        state.message = at === from ? 'Only here.' : 'Around the end.'
      jump(text, at)
    }
  }

  function onlyMine(text: TextView): void {
    const isMine = !text.layout.isMine
    if (isMine && !text.marks.some(({ who }) => who === 'human')) {
      state.message = 'No person wrote anything here.'
      return
    }
    layAgain(text, { ...text.layout, isMine })
    state.message = isMine ? 'Only your words: m shows everything again.' : ''
    if (isMine && text.session) state.did.push(suggest('read', [suggest.id(text.session.id)], '--who=human'))
  }

  /** Shows the end of a text. Keys are about its last message. */
  function toEnd(text: TextView): void {
    scrollText(text, 1e9)
    text.current = text.marks.at(-1)?.at
  }

  /** Shows a line, with some of what precedes it. */
  function jump(text: TextView, at: number): void {
    // Of what precedes the first message nothing is cut off.
    scrollText(text, at - 2 <= (text.marks[0]?.at ?? 0) ? 0 : at - 2)
    text.current = at
  }

  function scrollText(text: TextView, to: number): void {
    text.current = undefined
    text.top = Math.max(0, Math.min(to, lastTop(text, effects.size().rows - CHROME)))
  }

  function type(query: string): void {
    state.focus = 'query'
    if (query === state.query) return
    state.query = query
    isDue = true
    // What was typed is drawn first, and letters that come together are searched for once.
    clearTimeout(soon)
    soon = setTimeout(() => void ask(), TOGETHER_MS)
  }

  /** Moves the selection. Returns false for another key. */
  function move(key: Key): boolean {
    const height = listHeight()
    const steps: Partial<Record<Key['name'], number>> = {
      up: -1,
      down: 1,
      pageup: -height,
      pagedown: height,
      home: -1e9,
      end: 1e9,
    }
    const step = steps[key.name]
    if (step === undefined) return false
    const { entries } = state.listing
    if (entries.length === 0) return true
    state.focus = 'rows'
    const last = entries.length - 1
    const to = Math.max(0, Math.min(last, state.cursor + step))
    // A day is no row.
    const isDay = entries[to]?.kind === 'day'
    state.cursor = Math.min(last, isDay ? to + (step < 0 && to > 0 ? -1 : 1) : to)
    scroll()
    return true
  }

  function scroll(): void {
    const { listing, cursor, top } = state
    state.top = topFor({ entries: listing.entries, cursor, top }, listHeight())
  }

  /** Where the preview is below the list, it takes half of the room. */
  function listHeight(): number {
    return listRows(effects.size(), state)
  }

  function open(): void {
    const entry = state.listing.entries[state.cursor]
    if (entry?.kind === 'session') read(entry)
    else if (entry?.kind === 'memory') effects.remembered(entry)
    else if (entry?.kind === 'fold') void unfold()
  }

  async function unfold(): Promise<void> {
    state.isOpen = !state.isOpen
    await ask(true)
    state.cursor = Math.max(
      0,
      state.listing.entries.findIndex(({ kind }) => kind === 'fold'),
    )
    // What was opened is below, and in view.
    if (state.isOpen)
      state.top = Math.max(0, Math.min(state.cursor, state.listing.entries.length - listHeight()))
    scroll()
    effects.draw()
  }

  function read(entry: SessionEntry): void {
    const { columns } = effects.size()
    const text = sessionText(named(entry), source.messages(entry.session), columns, look)
    const citation = citationOf(entry)
    const at = entry.hit && text.marks.find((mark) => mark.citation === citation)?.at
    state.text = text
    reading = { entry, text, count: source.count(entry.session) }
    text.find = state.listing.words.join(' ')
    if (at === undefined) scrollText(text, 0)
    else jump(text, at)
    state.did.push(suggest('read', [citation]))
  }

  /** Adds what was written to a session since it is read. At its end, its new end is shown. */
  function readOn(text: TextView, { entry, count }: Reading): void {
    const now = source.count(entry.session)
    if (now === count) return
    reading = { entry, text, count: now }
    const isAtEnd = text.top === lastTop(text, effects.size().rows - CHROME)
    const { top, current } = text
    const { lines, marks, lay } = sessionText(
      named(entry),
      source.messages(entry.session),
      text.layout.columns,
      look,
    )
    Object.assign(text, text.layout.isMine ? lay(text.layout) : { lines, marks }, { lay })
    if (isAtEnd) toEnd(text)
    else Object.assign(text, { top, current })
    if (now > count)
      state.message = `${counted(now - count, 'new message')}${isAtEnd ? '' : ': G shows them'}.`
  }

  /** Whether a preview that was asked for was closed. One that is shown anyway stays. */
  function hasClosedPreview(): boolean {
    if (!state.isPreviewed) return false
    const before = listHeight()
    state.isPreviewed = undefined
    return listHeight() !== before
  }

  /** One step back. Empty and at the top, the picker ends. */
  function stepBack(): void {
    if (hasClosedPreview()) return
    if (state.focus === 'rows') state.focus = 'query'
    else if (state.query !== '') type('')
    else if (state.platform !== undefined) {
      state.platform = undefined
      askOther()
    } else effects.quit()
  }

  function changeScope(step: 1 | -1): void {
    const scopes = source.scopes()
    const own = selected()?.project
    const all: Scope[] = scopes.includes('project') || own === undefined ? scopes : ['project', ...scopes]
    const at = all.indexOf(state.scope)
    state.scope = all[(at + step + all.length) % all.length]!
    if (!scopes.includes('project')) otherProject = state.scope === 'project' ? own : undefined
    askOther()
  }

  function changePlatform(): void {
    const ids = source.platforms().map(({ id }) => id)
    const at = state.platform === undefined ? -1 : ids.indexOf(state.platform)
    state.platform = ids[at + 1]
    askOther()
  }

  /** Asks for other sessions. The selected row stays if it is among them. */
  function askOther(): void {
    isDue = true
    void ask(true)
  }
}

/** Keys that change the words, and need no list. */
const ON_WORDS: ReadonlySet<Key['name']> = new Set(['backspace', 'clear', 'escape'])
/** What a text is about, as an entry. */
const entryOf = ({ session, title }: TextView): SessionEntry | undefined =>
  session && { kind: 'session', session, title, project: undefined, copies: 0 }

/** The letters that begin something with a session. */
const ACTIONS: Readonly<Record<string, Action>> = {
  r: 'resume',
  h: 'handoff',
  w: 'why',
  x: 'export',
  o: 'page',
}

const firstRow = ({ entries }: Listing): number =>
  Math.max(
    0,
    entries.findIndex(({ kind }) => kind !== 'day'),
  )
