import { paint } from '../../../commands/hit-line.ts'
import type { Memory, SessionEntry, Source } from '../../../commands/picker/source.ts'
import type { Incomplete } from '../../../context/scanned.ts'
import { identityOf } from '../../../platforms/identities.ts'
import { agentName } from '../../../platforms/identity.ts'
import type { Gate } from '../../../render/gate.ts'
import { counted, grouped } from '../../../render/table.ts'
import { printable, type Screen, shownLine, widthOf, wrap } from '../../../render/terminal.ts'
import { dated } from '../../../render/text.ts'
import type { Host } from '../../host.ts'
import { listLines, memoryTitle, padTo } from './list.ts'
import { CHROME, listRows, type State, WIDE, wordsOf } from './state.ts'
import { markAt, marked, passageLines, textLines } from './text.ts'

type Look = Pick<Screen, 'color' | 'now'>

/** Most lines of a frame were in the one before. */
const MOST_LINES = 1000

/** Cleans lines, each once. */
export function cleanerOf(gate: Gate): (line: string) => string {
  const cleaned = new Map<string, string>()
  return (line) => {
    let clean = cleaned.get(line)
    if (clean === undefined) {
      if (cleaned.size > MOST_LINES) cleaned.clear()
      clean = gate.output(line)
      cleaned.set(line, clean)
    }
    return clean
  }
}

/** A terminal that does not tell its size has the usual one. */
export const sizeOf = ({ stdout }: Pick<Host, 'stdout'>): { columns: number; rows: number } => ({
  columns: stdout.columns || 80,
  rows: stdout.rows || 24,
})

/** All lines of the screen. */
export function frame(
  state: State,
  source: Source,
  selected: SessionEntry | undefined,
  size: { columns: number; rows: number },
  look: Look,
): string[] {
  const { columns, rows } = size
  const height = Math.max(1, rows - CHROME)
  if (state.help) {
    const isLonger = state.help.lines.length > height
    return [
      titleLine(state.help.title, columns, look),
      ...textLines(state.help, { width: columns, height }, look),
      footer(`${isLonger ? '↓ more · ' : ''}any key goes back`, '', columns, look),
    ]
  }
  if (state.text) {
    const { text } = state
    const mark = markAt(text)
    const at = mark ? `${mark.citation}  ` : ''
    const part = `${Math.min(100, Math.round(((text.top + height) / Math.max(1, text.lines.length)) * 100))} %`
    return [
      titleLine(shownLine(text.title), columns, look),
      ...textLines(text, { width: columns, height }, look),
      bottom(state, text.marks.length > 0 ? READ_KEYS : TEXT_KEYS, `${at}${part}`, columns, look),
    ]
  }
  const beside = columns >= WIDE
  const listHeight = listRows(size, state)
  const isPreviewed = beside || listHeight < height
  const listWidth = beside ? Math.floor(columns / 2) : columns
  const view = {
    entries: state.listing.entries,
    cursor: state.cursor,
    top: state.top,
    isFocused: state.focus === 'rows',
  }
  const list =
    state.listing.entries.length === 0
      ? filled(emptyLines(state), listHeight).map((line) => padTo(line, listWidth))
      : listLines(view, { width: listWidth, height: listHeight }, look)
  const room = {
    width: (beside ? columns - listWidth - 3 : columns) - 1,
    height: beside ? height : height - listHeight,
  }
  const current = state.listing.entries[state.cursor]
  const preview = !isPreviewed
    ? []
    : current?.kind === 'memory'
      ? memoryLines(current, state, room, look)
      : previewLines(selected, state, source, room, look)
  const body = beside
    ? list.map((line, index) => `${line} ${paint('dim', '│', look)} ${preview[index] ?? ''}`)
    : [...list, ...preview]
  const keys = state.focus === 'rows' ? ROW_KEYS : QUERY_KEYS
  const hint = agentsTyped(state, source) ?? state.listing.remarks[0] ?? keys
  return [queryLine(state, columns, look), ...body, bottom(state, hint, state.progress, columns, look)]
}

function queryLine(state: State, columns: number, look: Look): string {
  const { query, focus, listing, scope } = state
  const { shown, total, about, isCut } = listing
  const { platform } = wordsOf(state)
  const name = platform === undefined ? '' : `${identityOf(platform).name} · `
  const where = about === undefined ? (scope === 'everything' ? 'everything' : '') : shownLine(about)
  const right = ` ${name}${where} · ${isCut ? 'the best ' : ''}${grouped(shown)} of ${grouped(total)}`
  const cursor = focus === 'query' ? '█' : ''
  const room = Math.max(8, columns - widthOf(right) - 3)
  const typed = widthOf(query) + 1 > room ? `…${query.slice(-(room - 3))}` : query
  const text =
    query === '' && focus === 'rows'
      ? paint('dim', padTo('/ to type', room), look)
      : padTo(`${typed}${cursor}`, room)
  return `${paint(['bold', 'cyan'], '❯', look)} ${text} ${paint('dim', padTo(right, columns - room - 3), look)}`
}

/** The agents that a word with an @ may mean, while it is typed. */
function agentsTyped({ query, focus }: State, source: Source): string | undefined {
  const name = /(?:^|\s)@(\S*)$/.exec(query)?.[1]
  if (name === undefined || focus === 'rows') return undefined
  const all = source.platforms().map(({ id, sessions }) => ({ ...identityOf(id), sessions }))
  const meant = all.filter(({ short }) => short.startsWith(name.toLowerCase()))
  return (meant.length > 0 ? meant : all)
    .map(({ short, sessions }) => `@${short} ${grouped(sessions)}`)
    .join(' · ')
}

const titleLine = (title: string, columns: number, look: Look): string =>
  paint('inverse', padTo(` ${title}`, columns), look)

const QUERY_KEYS = 'type to search · ↓ rows · Enter read · Tab scope · ? keys · Esc leave'
const ROW_KEYS = 'Enter read · r resume · h hand over · w why · x export · / type · ? keys'
/** Beside them are the citation and how far one has read. */
const READ_KEYS = '/ find · ] prompt · n error · r resume · ? keys · Esc back'
const TEXT_KEYS = '/ find · c copy · Esc back'

/** The last line: what is typed, what was done, or a hint. */
function bottom(state: State, hint: string, right: string, columns: number, look: Look): string {
  if (state.prompt)
    return padTo(
      `${state.prompt.label}${state.prompt.value}█${state.message === '' ? '' : `  ${state.message}`}`,
      columns,
    )
  return footer(state.message === '' ? hint : state.message, right, columns, look)
}

function footer(text: string, right: string, columns: number, look: Look): string {
  const room = right === '' ? columns : Math.max(10, columns - widthOf(right) - 2)
  return paint('dim', `${padTo(shownLine(text), room)}${right === '' ? '' : `  ${right}`}`, look)
}

function emptyLines({ query, progress, listing, scope, platform }: State): string[] {
  if (progress !== '' && listing.total === 0) return ['', '  Reading the sessions for the first time …']
  if (query !== '' && listing.incomplete) return ['', `  ${soFar(listing.incomplete)}`]
  const wider =
    scope === 'everything' ? (platform === undefined ? '' : ' F2 asks every agent.') : ' Tab looks further.'
  return ['', `  ${query === '' ? 'No sessions here.' : 'Nothing found.'}${wider}`]
}

/** Nothing is found of what is searched so far. The list comes again as more is. */
const soFar = ({ files, of, messages }: Incomplete): string =>
  messages > 0
    ? `Nothing found yet: the words of ${counted(messages, 'message')} are still to be indexed.`
    : `Nothing found yet, in ${grouped(files)} of ${counted(of, 'file')}.`

/** What is said of a session, and its best passage or its last words. */
function previewLines(
  entry: SessionEntry | undefined,
  state: State,
  source: Source,
  { width, height }: { width: number; height: number },
  look: Look,
): string[] {
  if (!entry || height < 1) return filled([], height)
  const { session } = entry
  const facts = [
    agentName(identityOf(session.platform), session.agent),
    ...(entry.project === undefined ? [] : [entry.project]),
    dated(session.lastActivityMs ?? session.modifiedMs),
    `${grouped(session.human)} of yours`,
  ]
  const head = [
    paint('bold', padTo(shownLine(entry.title), width), look),
    paint('dim', padTo(shownLine(facts.join(' · ')), width), look),
    '',
  ]
  const room = Math.max(1, height - head.length)
  const messages = source.passage(entry, Math.max(4, Math.ceil(room / 2)))
  const lines = passageLines(session, messages, width, look)
  const { hit } = entry
  const before = hit ? messages.filter(({ line }) => line < hit.line) : []
  const from = before.length === 0 ? 0 : passageLines(session, before, width, look).length
  // Of a session its end is shown.
  const start = hit ? firstShown(lines, state.listing.words, from, room) : -room
  const part = lines.slice(start).slice(0, room)
  return filled([...head, ...part.map((line) => marked(line, state.listing.words, look))], height)
}

/** The first line of those in view: a few before what was found, which is at or after a line. */
function firstShown(lines: readonly string[], words: readonly string[], from: number, room: number): number {
  const small = words.map((word) => word.toLowerCase())
  const found = lines.findIndex(
    (line, at) => at >= from && small.some((word) => line.toLowerCase().includes(word)),
  )
  const wanted = (found < 0 ? from : found) - Math.floor(room / 3)
  return Math.max(0, Math.min(wanted, lines.length - room))
}

/** A text that agents remember: what was found of it. */
function memoryLines(
  { owner, hit }: Memory,
  { listing }: State,
  { width, height }: { width: number; height: number },
  look: Look,
): string[] {
  const head = [paint('bold', padTo(shownLine(memoryTitle({ owner, hit })), width), look), '']
  const lines = wrap(printable(hit.text ?? ''), width).split('\n')
  return filled([...head, ...lines.map((line) => marked(line, listing.words, look))], height)
}

function filled(lines: readonly string[], height: number): string[] {
  return [...lines, ...Array<string>(Math.max(0, height - lines.length)).fill('')].slice(
    0,
    Math.max(0, height),
  )
}
