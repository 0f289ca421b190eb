import { useSignal } from '@preact/signals'
import { waiting } from '../api/client.ts'
import { Icon } from '../parts/icon.tsx'
import { connection, indexing } from '../state/events.ts'
import { path } from '../state/router.ts'
import { count } from '../text/figures.ts'
import { entryOf, PAGES } from './pages.ts'
import { paletteOpen } from './palette-state.ts'

/** What is shown is only up to date if nothing is missing and nothing is on its way. */
function stateOf(): { state: string; words: string } {
  const state = connection.value
  if (state === 'connecting') return { state, words: 'Connecting' }
  if (state === 'lost') return { state, words: 'No connection' }
  if (state === 'stranger') return { state, words: 'Not signed in' }
  if (indexing.value) {
    const { done, all } = indexing.value.files
    return { state: 'busy', words: `Indexing ${count(done)} of ${count(all)} files` }
  }
  return waiting.value > 0 ? { state: 'busy', words: 'Loading' } : { state, words: 'Up to date' }
}

function Brand() {
  return (
    <a class="brand" href="/" aria-label="Scrollback, home">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <rect class="brand-square" width="24" height="24" rx="6" />
        <path class="brand-lines" d="M6 7.5h8M6 12h12M6 16.5h6" />
      </svg>
      <span>Scrollback</span>
    </a>
  )
}

function ConnectionState() {
  const { state, words } = stateOf()
  return (
    <p class="connection" data-state={state} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="connection-words">{words}</span>
    </p>
  )
}

export function Navigation() {
  const isOpen = useSignal(false)
  const current = entryOf(path.value)
  return (
    <header class="navigation" data-open={isOpen.value}>
      <div class="navigation-top">
        <Brand />
        <button
          type="button"
          class="button bare menu-button"
          aria-label="Menu"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon name={isOpen.value ? 'close' : 'menu'} />
        </button>
      </div>
      <button
        type="button"
        class="go-to"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          paletteOpen.value = true
        }}
      >
        <Icon name="search" />
        <span>Go to…</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label="Pages">
        {PAGES.map((page) => (
          <a
            key={page.path}
            href={page.path}
            title={page.title}
            aria-current={page === current ? 'page' : undefined}
            onClick={() => {
              isOpen.value = false
            }}
          >
            <Icon name={page.icon} />
            <span>{page.title}</span>
          </a>
        ))}
      </nav>
      <ConnectionState />
    </header>
  )
}
