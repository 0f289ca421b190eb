import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { notes, putNotesAway } from '../api/client.ts'
import { Home } from '../pages/home.tsx'
import { Button, Dialog } from '../parts/controls.tsx'
import { Empty, Skeleton, Toast } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { connection, indexing } from '../state/events.ts'
import { type Keys, startKeys } from '../state/keys.ts'
import { navigate, segments } from '../state/router.ts'
import { count, counted } from '../text/format.ts'
import { duration } from '../text/times.ts'
import { helpOpen, Navigation, PAGES, paletteOpen } from './navigation.tsx'
import { Palette } from './palette.tsx'

const VIEWS: Record<string, ComponentType> = {
  // What people open first.
  '': Home,
  sessions: lazy(async () => (await import('../pages/sessions.tsx')).Sessions),
  session: lazy(async () => (await import('../pages/session/session.tsx')).SessionPage),
  search: lazy(async () => (await import('../pages/search.tsx')).Search),
  projects: lazy(async () => (await import('../pages/projects.tsx')).Projects),
  project: lazy(async () => (await import('../pages/projects.tsx')).Project),
  edits: lazy(async () => (await import('../pages/edits.tsx')).Edits),
  tags: lazy(async () => (await import('../pages/tags.tsx')).Tags),
  stats: lazy(async () => (await import('../pages/stats.tsx')).Statistics),
  jobs: lazy(async () => (await import('../pages/jobs.tsx')).Jobs),
  runs: lazy(async () => (await import('../pages/runs.tsx')).Runs),
  memory: lazy(async () => (await import('../pages/memory.tsx')).Memory),
  collector: lazy(async () => (await import('../pages/collector.tsx')).Collector),
  secrets: lazy(async () => (await import('../pages/secrets.tsx')).Secrets),
  rescue: lazy(async () => (await import('../pages/rescue.tsx')).Rescue),
  doctor: lazy(async () => (await import('../pages/doctor.tsx')).Doctor),
}

function Nowhere() {
  return (
    <Page title="No such page">
      <Empty title="There is no page at this address">
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
            The server does not answer, so what you see may be out of date. The page keeps trying. If you
            stopped the server, start it again with <code>scrollback serve</code>.
          </p>
        )}
        {connection.value === 'stranger' && (
          <p class="banner" role="status">
            This browser is not signed in, or no longer is. Open the address that{' '}
            <code>scrollback serve</code> printed, which contains the token. This page then continues by
            itself.
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

/** A page whose code is loaded when it is opened for the first time. */
function lazy(load: () => Promise<ComponentType>): ComponentType {
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

/** A shorter time says nothing about the rest. */
const LEAST_MS = 2000

/** How long the rest takes, if it goes on as it did since the page has looked. */
function timeLeft(passedMs: number, before: number, part: number): string {
  if (passedMs < LEAST_MS || part <= before) return ''
  return `, about ${duration(((1 - part) / (part - before)) * passedMs)} left`
}

/** How far the index has come, while one is running. */
function IndexProgress() {
  const progress = indexing.value
  const begun = useRef<{ at: number; part: number } | undefined>(undefined)
  if (!progress) {
    begun.current = undefined
    return null
  }
  const { files, bytes } = progress
  // Files differ in size by orders of magnitude, so bytes tell better how long it takes.
  const part = bytes.all > 0 ? bytes.done / bytes.all : files.done / (files.all || 1)
  begun.current ??= { at: performance.now(), part }
  const left = timeLeft(performance.now() - begun.current.at, begun.current.part, part)
  const words = `Indexing: ${count(files.done)} of ${count(files.all)} files${left}`
  return (
    <div class="indexing">
      <p>{words}</p>
      <progress aria-label="Indexing" value={Math.min(1, part)} max={1} />
    </div>
  )
}

/** What could not be read: quietly, in a corner, until the person puts it away. */
function Notes() {
  // While sessions are indexed, a bar says what is missing.
  const texts = indexing.value ? [] : notes.value
  return (
    <div class="notes" role="status">
      {texts.length > 0 && (
        <details class="notes-card">
          <summary>{`${counted(texts.length, 'note')} on what is missing here`}</summary>
          <ul>
            {texts.map((text) => (
              <li key={text} dir="auto">
                {text}
              </li>
            ))}
          </ul>
          <Button label="Collapse" onClick={putNotesAway} />
        </details>
      )}
    </div>
  )
}

interface KeyLine {
  keys: string[]
  description: string
}

const line = (keys: string[], description: string): KeyLine => ({ keys, description })

const EVERYWHERE = [
  line(['Ctrl K', '⌘K'], 'go to anything'),
  line(['/'], 'find or filter'),
  line(['?'], 'show these keys'),
  line(['Esc'], 'close or clear'),
]

const LISTS = [
  line(['j', 'k'], 'next, previous row'),
  line(['Enter'], 'open it'),
  line(['o'], 'change the order'),
  line(['↓', '↑'], 'from the words of a search to its matches, and back'),
]

const SESSION = [
  line(['j', 'k'], 'next, previous message'),
  line(['J', 'K'], 'next, previous human message'),
  line(['n', 'N'], 'next, previous error'),
  line(['Enter'], 'open or close it'),
  line(['y', 'Y'], 'copy the message, its link'),
  line(['[', ']'], 'newer, older session'),
  line(['l'], 'change the layout'),
  line(['c'], 'copy the command that resumes it'),
  line(['e'], 'export'),
  line(['s'], 'star'),
  line(['p'], 'show or hide the side panel'),
  line(['d', 'i'], 'changes, details'),
  line(['g g', 'G'], 'beginning, end'),
]

function Table({ title, lines }: { title: string; lines: readonly KeyLine[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {lines.map(({ keys, description }) => (
          <div key={description}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Help() {
  const close = () => {
    helpOpen.value = false
  }
  return (
    <Dialog label="Keys" class="help" onClose={close}>
      <div class="dialog-head">
        <h2>Keys</h2>
        <Button label="Close" icon="close" bare onClick={close} />
      </div>
      <div class="help-columns" tabIndex={0} role="region" aria-label="All keys">
        <Table title="Everywhere" lines={EVERYWHERE} />
        <Table title="Lists" lines={LISTS} />
        <Table title="In a session" lines={SESSION} />
        <Table title="Pages" lines={PAGES.map(({ key, title }) => line([`g ${key}`], title))} />
      </div>
    </Dialog>
  )
}
