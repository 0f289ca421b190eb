import type { ComponentType } from 'preact'
import { Empty } from '../parts/notice.tsx'
import { Toast } from '../parts/toast.tsx'
import { connection } from '../state/events.ts'
import { type Keys, startKeys } from '../state/keys.ts'
import { navigate, segments } from '../state/router.ts'
import { Help } from './help.tsx'
import { IndexProgress } from './index-progress.tsx'
import { lazy } from './lazy.tsx'
import { Navigation } from './navigation.tsx'
import { Notes } from './notes.tsx'
import { Page } from './page.tsx'
import { PAGES } from './pages.ts'
import { Palette } from './palette.tsx'
import { helpOpen, paletteOpen } from './palette-state.ts'

const VIEWS: Record<string, ComponentType> = {
  '': lazy(async () => (await import('../pages/home/home.tsx')).Home),
  sessions: lazy(async () => (await import('../pages/sessions/sessions.tsx')).Sessions),
  session: lazy(async () => (await import('../pages/session/session.tsx')).SessionPage),
  search: lazy(async () => (await import('../pages/search/search.tsx')).Search),
  projects: lazy(async () => (await import('../pages/project/projects.tsx')).Projects),
  project: lazy(async () => (await import('../pages/project/project.tsx')).Project),
  tags: lazy(async () => (await import('../pages/tags/tags.tsx')).Tags),
  stats: lazy(async () => (await import('../pages/stats/stats.tsx')).Statistics),
  jobs: lazy(async () => (await import('../pages/jobs/jobs.tsx')).Jobs),
  memory: lazy(async () => (await import('../pages/memory/memory.tsx')).Memory),
  collector: lazy(async () => (await import('../pages/collector/collector.tsx')).Collector),
  secrets: lazy(async () => (await import('../pages/secrets/secrets.tsx')).Secrets),
  doctor: lazy(async () => (await import('../pages/doctor/doctor.tsx')).Doctor),
}

function Nowhere() {
  return (
    <Page title="No such page">
      <Empty title="Nothing has this address">
        <p>
          Look for it with <a href="/search">Search</a>, or start at <a href="/">Home</a>.
        </p>
      </Empty>
    </Page>
  )
}

const GLOBAL_KEYS: Keys = {
  palette: () => {
    paletteOpen.value = true
  },
  '?': () => {
    helpOpen.value = true
  },
  '/': () => navigate('/search'),
  ...Object.fromEntries(PAGES.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
}

export const startShellKeys = (): void => startKeys(GLOBAL_KEYS)

export function Shell() {
  const View = VIEWS[segments.value[0] ?? ''] ?? Nowhere
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation />
      <div class="content">
        {connection.value === 'lost' && (
          <p class="banner" role="status">
            The server does not answer. What you see may be out of date; the page tries again by itself. If it
            was stopped, start it again with <code>scrollback serve</code>.
          </p>
        )}
        {connection.value === 'stranger' && (
          <p class="banner" role="status">
            This browser is not signed in, or not any more. Open the address that{' '}
            <code>scrollback serve</code> printed: it contains the token. This page goes on by itself then.
          </p>
        )}
        <IndexProgress />
        <View />
      </div>
      {paletteOpen.value && <Palette />}
      {helpOpen.value && <Help />}
      <Notes />
      <Toast />
    </div>
  )
}
