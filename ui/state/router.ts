import { computed, signal } from '@preact/signals'

const read = (): URL => new URL(window.location.href)

/** The address of the page. Everything that a person can share or come back to is in it. */
const address = signal(read())

export const path = computed(() => address.value.pathname)

/** The parts of the path, decoded: `/session/a/3` is `['session', 'a', '3']`. */
export const segments = computed(() => path.value.split('/').filter(Boolean).map(decoded))

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

let isFirst = true

/** Whether the page before was one of ours, so that keys led here. */
export const hasMoved = (): boolean => !isFirst

export function navigate(to: string, how: { replace?: boolean } = {}): void {
  const target = new URL(to, window.location.href)
  if (target.origin !== window.location.origin) return
  if (target.href === window.location.href) return
  if (how.replace) window.history.replaceState(null, '', target)
  else {
    window.history.replaceState(placeNow(), '')
    window.history.pushState(null, '', target)
    isFirst = false
  }
  address.value = target
}

/** Where a person was in a list, as an entry of the history notes it. */
interface Place {
  top: number
  /** The address of the link that had the focus, and how far below the top of the list it was. */
  link?: { href: string; below: number } | undefined
}

/** What scrolls on a page. A conversation has its own place, which is in its address. */
const list = () => document.querySelector('.session-list, .page:not(.page-fixed)')

const topOf = (element: Element): number => element.getBoundingClientRect().top

function placeNow(): Place {
  const scroller = list()
  const link = document.activeElement?.closest('a')
  const href = link?.getAttribute('href')
  if (!scroller || !link || !href || !scroller.contains(link)) return { top: scroller?.scrollTop ?? 0 }
  return { top: scroller.scrollTop, link: { href, below: topOf(link) - topOf(scroller) } }
}

/** A list that takes longer to come back begins at its beginning. */
const PATIENCE_MS = 4000

/** Goes back to a place as soon as the list and the link are there, unless the person moves first. */
function restore({ top, link }: Place): void {
  const until = performance.now() + PATIENCE_MS
  let isScrolled = false
  const stop = new AbortController()
  for (const move of ['wheel', 'keydown', 'pointerdown'])
    window.addEventListener(move, () => stop.abort(), { capture: true, signal: stop.signal })
  const look = (): void => {
    if (stop.signal.aborted) return
    if (isDone() || performance.now() > until) stop.abort()
    else requestAnimationFrame(look)
  }
  // The page before is still there in this frame.
  requestAnimationFrame(() => requestAnimationFrame(look))

  function isDone(): boolean {
    const scroller = list()
    if (!scroller || scroller.scrollHeight - scroller.clientHeight < top - 1) return false
    if (!isScrolled) scroller.scrollTop = top
    isScrolled = true
    if (!link) return true
    const found = scroller.querySelector<HTMLElement>(`a[href="${CSS.escape(link.href)}"]`)
    if (!found) return false
    found.focus({ preventScroll: true })
    // Rows may be higher or lower than they were estimated.
    scroller.scrollTop += topOf(found) - topOf(scroller) - link.below
    return true
  }
}

/** The value of a query parameter, or an empty string. */
export const query = (name: string): string => address.value.searchParams.get(name) ?? ''

/** Those of these query parameters that the address has. */
export function queries<Name extends string>(names: readonly Name[]): { [Each in Name]?: string } {
  const found: { [Each in Name]?: string } = {}
  for (const name of names) if (query(name) !== '') found[name] = query(name)
  return found
}

/** Changes query parameters. Empty values are removed, so that a plain address stays plain. */
export function setQuery(
  values: Record<string, string>,
  how: { replace?: boolean } = { replace: true },
): void {
  const next = new URL(address.value)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.searchParams.delete(name)
    else next.searchParams.set(name, value)
  }
  navigate(next.href, how)
}

/**
 * The same after a pause, unless another page has been opened by then: a busy browser opens it before it tells the
 * old one. Returns what cancels it.
 */
export function setQueryLater(values: Record<string, string>, ms: number): () => void {
  const here = path.peek()
  const timer = setTimeout(() => {
    if (path.peek() === here) setQuery(values)
  }, ms)
  return () => clearTimeout(timer)
}

/** The address of a session, or of a line in it. `find`: the words to be marked there. */
export const sessionAddress = (id: string, line?: number, find = ''): string =>
  `/session/${encodeURIComponent(id)}${line === undefined ? '' : `/${line}`}${find === '' ? '' : `?find=${encodeURIComponent(find)}`}`

export const memoryAddress = (path: string): string => `/memory?file=${encodeURIComponent(path)}`

export const projectAddress = (name: string): string => `/project/${encodeURIComponent(name)}`

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 &&
  !event.defaultPrevented &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !event.altKey

/** Follows links within the page without loading it again. */
export function startRouter(): void {
  window.addEventListener('popstate', ({ state }: PopStateEvent) => {
    address.value = read()
    if (state !== null) restore(state as Place)
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || !isPlainClick(event) || link.target || link.hasAttribute('download')) return
    if (link.origin !== window.location.origin || link.pathname.startsWith('/api/')) return
    event.preventDefault()
    navigate(link.href)
  })
}
