import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** As much of a window as the router uses. */
function windowAt(href: string) {
  const change = (_state: unknown, _title: string, to?: URL): void => {
    if (to !== undefined) given.location.href = to.href
  }
  const given = {
    location: { href, origin: new URL(href).origin },
    history: { replaceState: change, pushState: change },
  }
  return given
}

describe('an address that follows the keys after a pause', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('window', windowAt('http://127.0.0.1/sessions?q=oven'))
    vi.stubGlobal('document', { activeElement: null, querySelector: () => null })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('changes on the page where the keys were pressed', async () => {
    const { setQueryLater } = await import('../../ui/state/router.ts')
    setQueryLater({ at: 'a1' }, 200)
    vi.advanceTimersByTime(200)
    expect(window.location.href).toBe('http://127.0.0.1/sessions?q=oven&at=a1')
  })

  it('stays as it is if another page was opened meanwhile', async () => {
    const { navigate, setQueryLater } = await import('../../ui/state/router.ts')
    setQueryLater({ at: 'a1' }, 200)
    navigate('/session/a1')
    vi.advanceTimersByTime(200)
    expect(window.location.href).toBe('http://127.0.0.1/session/a1')
  })
})
