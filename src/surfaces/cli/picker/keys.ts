import { identityOf } from '../../../platforms/identities.ts'
import { printable } from '../../../render/terminal.ts'

/** A key, as the picker understands it. */
export type Key =
  /** Of what is pasted, no letter is a key. */
  | { name: 'text'; text: string; isPasted?: true }
  | {
      name:
        | 'up'
        | 'down'
        | 'left'
        | 'right'
        | 'pageup'
        | 'pagedown'
        | 'home'
        | 'end'
        | 'enter'
        | 'escape'
        | 'tab'
        | 'backtab'
        | 'backspace'
        | 'function'
        | 'suspend'
        | 'clear'
        | 'quit'
    }

/** What Ink says about a key. */
interface InkKey {
  upArrow: boolean
  downArrow: boolean
  leftArrow: boolean
  rightArrow: boolean
  pageUp: boolean
  pageDown: boolean
  home: boolean
  end: boolean
  return: boolean
  escape: boolean
  tab: boolean
  shift: boolean
  backspace: boolean
  delete: boolean
  ctrl: boolean
  meta: boolean
}

/** Keys that are typed with Ctrl, as in shells. */
const WITH_CTRL: Readonly<Record<string, Exclude<Key['name'], 'text'>>> = {
  c: 'quit',
  d: 'quit',
  z: 'suspend',
  u: 'clear',
  h: 'backspace',
  p: 'up',
  n: 'down',
  a: 'home',
  e: 'end',
  b: 'pageup',
  f: 'pagedown',
}

/** What comes at once is several keys, if somebody types fast or pastes. */
export function keysOf(input: string, key: InkKey): Key[] {
  const named = nameOf(key)
  if (named) return [{ name: named }]
  if (key.ctrl) {
    const name = WITH_CTRL[input]
    return name ? [{ name }] : []
  }
  if (key.meta) return []
  // Ink gives the function keys no name.
  if (input === '') return [{ name: 'function' }]
  return input.split(/([\r\n\t\x7f\b])/).flatMap((part): Key[] => {
    if (part === '') return []
    if (part === '\r' || part === '\n') return [{ name: 'enter' }]
    if (part === '\t') return [{ name: 'tab' }]
    if (part === '\x7f' || part === '\b') return [{ name: 'backspace' }]
    const text = printable(part)
    return text === '' ? [] : [{ name: 'text', text }]
  })
}

function nameOf(key: InkKey): Exclude<Key['name'], 'text'> | undefined {
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (key.leftArrow) return 'left'
  if (key.rightArrow) return 'right'
  if (key.pageUp) return 'pageup'
  if (key.pageDown) return 'pagedown'
  if (key.home) return 'home'
  if (key.end) return 'end'
  if (key.return) return 'enter'
  if (key.escape) return 'escape'
  if (key.tab) return key.shift ? 'backtab' : 'tab'
  return key.backspace || key.delete ? 'backspace' : undefined
}

/** How many agents are named with their signs. */
const NAMED = 2

/** The keys, with the signs of the agents that have most sessions. */
export function helpText(platforms: readonly { id: string }[]): string {
  const agents = platforms.slice(0, NAMED).map(({ id }) => identityOf(id))
  const signs = agents.map(({ prefix, name }) => `${prefix} is ${name}`)
  const example = agents[0] ? `, as @${agents[0].short}; ${signs.join(', ')}` : ''
  return keysText(`one agent${example}`)
}

const keysText = (agents: string): string =>
  [
    '',
    '  In the list',
    '    letters      search everything that was said; Esc empties the words',
    '    ↑ ↓          choose a session: letters are keys now, / types again',
    '    Enter        read it, or open what is folded (▸)',
    '    Tab          which sessions: this folder, this project, everything',
    `    F2 or @name  ${agents}`,
    '    Space        show or hide the preview, where the screen is narrow',
    '',
    '  On a session, in the list and while reading',
    '    r  resume it in its folder    h  hand it over to another agent',
    '    w  why its files are so       x  export it here',
    '    o  open it in the browser     y  copy its citation',
    '    t  change its tags            *  give or take a star',
    '',
    '  While reading',
    '    /  find     n N  errors     ] [  your prompts     g G  beginning, end',
    '    m  only your words          c  copy the message   Esc back',
    '',
    '  Ctrl-C or q leaves. Ctrl-Z stops it, and fg comes back.',
  ].join('\n')
