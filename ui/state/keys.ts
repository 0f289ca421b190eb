import { useLayoutEffect } from 'preact/hooks'

/** What a key does. Keys are written as the browser names them: `j`, `J`, `?`, `g s` for one after another. */
export type Keys = Record<string, () => void>

/** The sets of keys in force; the newest set comes first. */
const sets: Keys[] = []

/**
 * Keys that work while a component is shown. They act on what is on screen, however fast one follows another.
 */
export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    sets.unshift(keys)
    return () => {
      sets.splice(sets.indexOf(keys), 1)
    }
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Enter does what the focused element does, if it does anything. */
const isForElement = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.closest('a, button, summary, [role="tab"]') !== null

const PAIR_MS = 1200
let first: { key: string; at: number } | undefined

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const { key } = event
  if ((event.metaKey || event.ctrlKey) && !event.altKey && key.toLowerCase() === 'k')
    return void run('palette', event)
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
  if (isForElement(event)) return
  if (document.querySelector('dialog[open]')) return
  if (first && event.timeStamp - first.at < PAIR_MS) {
    const pair = `${first.key} ${key}`
    first = undefined
    if (run(pair, event)) return
  }
  first = key === 'g' ? { key, at: event.timeStamp } : undefined
  run(key, event)
}

function run(name: string, event: KeyboardEvent): boolean {
  const set = sets.find((keys) => name in keys)
  if (!set) return false
  event.preventDefault()
  set[name]!()
  return true
}

/** What a key does on the current page. */
export const keyInForce = (name: string): (() => void) | undefined =>
  sets.find((keys) => name in keys)?.[name]

/** Keys that work everywhere, unless a component uses them for something else. */
export function startKeys(everywhere: Keys): void {
  sets.push(everywhere)
  document.addEventListener('keydown', pressed)
}
