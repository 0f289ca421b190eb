import { signal, useSignal } from '@preact/signals'
import { waiting } from '../api/client.ts'
import { Choice, Icon, type IconName } from '../parts/controls.tsx'
import { connection, indexing } from '../state/events.ts'
import { path } from '../state/router.ts'
import { chooseTheme, type Theme, theme } from '../state/theme.ts'
import { count } from '../text/format.ts'

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

const THEMES = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Theme; label: string }[]

const ThemeSwitch = () => (
  <div class="theme">
    <Choice label="Theme" value={theme.value} options={THEMES} onChange={chooseTheme} />
  </div>
)

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
        {GROUPS.map(({ name, pages }) => (
          <div key={name} class="navigation-group" role="group" aria-label={name}>
            {pages.map((page) => (
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
          </div>
        ))}
      </nav>
      <ThemeSwitch />
      <ConnectionState />
    </header>
  )
}

interface PageEntry {
  path: string
  title: string
  icon: IconName
  /** The key after `g` that opens it. */
  key: string
  description: string
}

const CONVERSATIONS: readonly PageEntry[] = [
  { path: '/', title: 'Home', icon: 'home', key: 'h', description: 'what is going on' },
  { path: '/sessions', title: 'Sessions', icon: 'sessions', key: 's', description: 'every session' },
  { path: '/search', title: 'Search', icon: 'search', key: 'f', description: 'every message' },
  { path: '/projects', title: 'Projects', icon: 'projects', key: 'p', description: 'every project' },
  {
    path: '/edits',
    title: 'Recent edits',
    icon: 'edits',
    key: 'e',
    description: 'files that agents changed',
  },
  { path: '/tags', title: 'Tags', icon: 'tag', key: 'a', description: 'your stars, names, tags and rules' },
]

const AGENTS: readonly PageEntry[] = [
  { path: '/stats', title: 'Statistics', icon: 'stats', key: 't', description: 'tokens, costs, tools' },
  { path: '/jobs', title: 'Jobs', icon: 'jobs', key: 'j', description: 'what runs on a schedule' },
  {
    path: '/runs',
    title: 'Subagents',
    icon: 'agent',
    key: 'r',
    description: 'runs that agents started',
  },
  { path: '/memory', title: 'Memory', icon: 'memory', key: 'm', description: 'what agents remember' },
]

const UPKEEP: readonly PageEntry[] = [
  {
    path: '/rescue',
    title: 'Rescue',
    icon: 'rescue',
    key: 'k',
    description: 'what clients delete, what is kept and restored',
  },
  {
    path: '/collector',
    title: 'Collector',
    icon: 'collector',
    key: 'c',
    description: 'what is delivered, and the backlog',
  },
  { path: '/secrets', title: 'Secrets', icon: 'secrets', key: 'x', description: 'keys in transcripts' },
  { path: '/doctor', title: 'Doctor', icon: 'doctor', key: 'd', description: 'whether anything is missing' },
]

/** The pages of the navigation, in order. */
const GROUPS = [
  { name: 'Conversations', pages: CONVERSATIONS },
  { name: 'Agents', pages: AGENTS },
  { name: 'Upkeep', pages: UPKEEP },
]

export const PAGES: readonly PageEntry[] = GROUPS.flatMap(({ pages }) => pages)

/** The entry that an address belongs to. A session belongs to Sessions, a project to Projects. */
function entryOf(path: string): PageEntry | undefined {
  const [first = ''] = path.split('/').filter(Boolean)
  const owner = first === 'session' ? 'sessions' : first === 'project' ? 'projects' : first
  return PAGES.find((page) => page.path === `/${owner}`)
}

export const paletteOpen = signal(false)
export const helpOpen = signal(false)
