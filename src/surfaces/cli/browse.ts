import { stripVTControlCharacters, styleText } from 'node:util'
import { commands } from '../../commands/index.ts'
import type { Choice, Command } from '../../context/command.ts'
import type { GlobalFlags } from '../../context/flags.ts'
import { counted, grouped } from '../../render/table.ts'
import { cutOf, type Screen } from '../../render/terminal.ts'
import type { Host } from '../host.ts'
import { isDumb, type Session } from './context.ts'
import { shownAgain } from './processes.ts'

/** More sessions are found with a search. */
const MOST = 1000
/** The width of the sign before a row. */
const LEAD = 2
const MOST_ROWS = 12
/** The lines of the list besides its rows. */
const OTHER_LINES = 5

/** What a human wants to do with a session of the list. */
export interface Picked {
  action: 'read' | 'resume'
  id: string
}

/** What is selected and filtered, so that the list can be opened again as it was left. */
interface ListState {
  cursor: number
  filter: string
  isFiltering: boolean
  /** How many sessions there are. The list may have only the newest of them. */
  total: number
}

/** A list opens by itself only where a person can use it. */
export const canBrowse = ({ name }: Command, { json }: GlobalFlags, host: Host): boolean =>
  name === 'overview' &&
  !json &&
  !isDumb(host) &&
  !host.env.CI &&
  [host.stdin, host.stdout, host.stderr].every(({ isTTY }) => isTTY)

/** The list of sessions, the answer of `sessions --all`. Undefined if there is none. Opens it when called. */
export async function openList(
  { context, screen, gate, output }: Session,
  host: Host,
): Promise<(() => Promise<Picked | undefined>) | undefined> {
  const command = await commands.sessions!()
  const found = await command.run(command.input.parse({ all: true, limit: MOST }), context)
  const choices = command.choices?.(found, { ...screen, columns: screen.columns - LEAD }) ?? []
  if (choices.length === 0) return undefined
  const { total } = found as { total: number }
  const state: ListState = { cursor: 0, filter: '', isFiltering: false, total }
  return () => {
    output.clear()
    return shownAgain(host, (signal) => show(choices, state, { ...screen, gate, signal, host }))
  }
}

/** Draws the list and waits for a key. Undefined when the human leaves it. */
async function show(
  choices: readonly Choice[],
  state: ListState,
  { gate, signal, host, ...screen }: Screen & Pick<Session, 'gate'> & { signal: AbortSignal; host: Host },
): Promise<Picked | undefined> {
  const { Prompt, isCancel } = await import('@clack/core')
  let action: Picked['action'] = 'read'
  const prompt = new Prompt<string>(
    {
      output: host.stderr.stream(),
      signal,
      render() {
        const isOver = this.state === 'submit' || this.state === 'cancel'
        return isOver ? '' : gate.output(frame(choices, state, { ...screen, rows: host.stderr.rows }))
      },
      validate: (id) => (id === undefined ? 'nothing is selected' : undefined),
    },
    false,
  )
  prompt.on('key', (character, { name, ctrl, meta }) => {
    const rows = matching(choices, state.filter)
    const { length } = rows
    if (name === 'up' || name === 'down')
      state.cursor = length === 0 ? 0 : (state.cursor + (name === 'up' ? length - 1 : 1)) % length
    else if (name === 'pageup') state.cursor = Math.max(0, state.cursor - MOST_ROWS)
    else if (name === 'pagedown') state.cursor = Math.max(0, Math.min(length - 1, state.cursor + MOST_ROWS))
    else if (state.isFiltering) typeFilter(state, name, ctrl || meta ? undefined : character)
    else if (character === '/') state.isFiltering = true
    else if (character === 'q') prompt.state = 'cancel'
    else if (character === 'r' && length > 0) {
      action = 'resume'
      prompt.state = 'submit'
    }
    prompt.value = matching(choices, state.filter)[state.cursor]?.id
  })
  prompt.value = matching(choices, state.filter)[state.cursor]?.id
  const picked = await prompt.prompt()
  if (isCancel(picked) || picked === undefined) return undefined
  return { action, id: picked }
}

/** Changes the words of the filter. Deleting beyond their beginning ends filtering. */
function typeFilter(state: ListState, name: string | undefined, character: string | undefined): void {
  if (name === 'backspace') {
    if (state.filter === '') state.isFiltering = false
    state.filter = state.filter.slice(0, -1)
  } else if (character !== undefined && character >= ' ' && name !== 'return') state.filter += character
  state.cursor = 0
}

/** The rows that contain all words of the filter. */
function matching(choices: readonly Choice[], filter: string): readonly Choice[] {
  const words = filter.toLowerCase().split(/\s+/)
  return choices.filter(({ words: text }) => words.every((word) => text.toLowerCase().includes(word)))
}

/** The screen, and how many lines it has. */
type Framed = Screen & Pick<Host['stderr'], 'rows'>

function frame(
  choices: readonly Choice[],
  state: ListState,
  { columns, color, rows: height }: Framed,
): string {
  const dim = (text: string): string => (color ? styleText('dim', text) : text)
  const rows = matching(choices, state.filter)
  const room = Math.max(1, Math.min(MOST_ROWS, (height || 24) - OTHER_LINES))
  const first = Math.max(0, Math.min(state.cursor - Math.floor(room / 2), rows.length - room))
  const shown = rows.slice(first, first + room)
  const lines = shown.map(({ line }, index) =>
    first + index === state.cursor
      ? `❯ ${color ? styleText('inverse', stripVTControlCharacters(line)) : line}`
      : `  ${line}`,
  )
  const all = counted(state.total, 'session')
  const listed = choices.length < state.total ? `the newest ${grouped(choices.length)} of ${all}` : all
  const count = rows.length === choices.length ? listed : `${grouped(rows.length)} of ${listed}`
  const filter = state.isFiltering ? `/${state.filter}█  ` : ''
  const keys = state.isFiltering
    ? '↑↓ move · Enter read · Esc quit'
    : '↑↓ move · / filter · Enter read · r resume · Esc quit'
  const foot = `${filter}${count} · ${keys}`
  return ['', ...lines, dim(foot.slice(0, cutOf(foot, columns - 1)))].join('\n')
}
