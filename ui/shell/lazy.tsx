import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Skeleton } from '../parts/notice.tsx'

/** A page whose code is loaded when it is opened for the first time. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined
  return function Lazy() {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded ? 'ready' : 'loading')
    useEffect(() => {
      if (loaded || state !== 'loading') return
      load().then(
        (component) => {
          loaded = component
          setState('ready')
        },
        () => setState('failed'),
      )
    }, [state])
    if (loaded) {
      const Loaded = loaded
      return <Loaded />
    }
    return (
      <main class="page" id="content" tabIndex={-1} aria-busy={state === 'loading'}>
        <div class="page-inner">
          {state === 'failed' ? (
            <div class="empty failed" role="alert">
              <p class="empty-title">This part of the page could not be loaded</p>
              <p class="empty-words">The server may have stopped. Start it again with "scrollback serve".</p>
              <Button label="Try again" onClick={() => setState('loading')} />
            </div>
          ) : (
            <Skeleton />
          )}
        </div>
      </main>
    )
  }
}
