// The first module of the page: the key leaves the address before anything else reads it.

const NAME = 'scrollback-key'
/** Where a browser has no storage, the key is lost with the page. */
let inMemory = ''

function keep(key: string): void {
  inMemory = key
  try {
    localStorage.setItem(NAME, key)
  } catch {
    // A browser may forbid it.
  }
}

function kept(): string {
  try {
    return localStorage.getItem(NAME) ?? inMemory
  } catch {
    return inMemory
  }
}

const inAddress = /^#key=([\w-]+)$/.exec(location.hash)?.[1]
if (inAddress !== undefined) {
  keep(inAddress)
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
}

/**
 * The header that shows the server that this page has signed in. Cookies go to all servers of a machine, this goes to
 * one.
 */
export const keyHeader = (): Record<string, string> => ({ 'scrollback-key': kept() })
