import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  ask,
  type Document,
  type Hit,
  type Job,
  type ProjectRow,
  type SessionRow,
  type TagAnswer,
} from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { sessionsOf } from '../pages/query-filters.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Dialog, Icon, type IconName } from '../parts/controls.tsx'
import { keyInForce } from '../state/keys.ts'
import { loadTags, tags } from '../state/marks.ts'
import { memoryAddress, navigate, projectAddress, sessionAddress } from '../state/router.ts'
import { type SavedSearch, searches } from '../state/searches.ts'
import { counted, titleOf } from '../text/format.ts'
import { markedText, markedWords } from '../text/marked.tsx'
import { age, ms } from '../text/times.ts'
import { helpOpen, PAGES, paletteOpen } from './navigation.tsx'

const DEBOUNCE_MS = 120

function useSlow(text: string): string {
  const [slow, setSlow] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return slow
}

/** The newest sessions, and those whose title has the words, however old they are. */
function useSessions(words: string): SessionRow[] {
  const newest = useAnswer(ask('listing', { all: true, limit: 60 })).answer
  const named = useAnswer(words === '' ? undefined : ask('listing', { all: true, title: words, limit: 8 }), {
    keep: true,
  }).answer
  return useMemo(() => {
    const rows = [...(newest?.sessions ?? []), ...(named?.sessions ?? [])]
    return [...new Map(rows.map((row) => [row.path, row])).values()]
  }, [newest, named])
}

/** Reaches everything: what the page does, pages, tags, jobs, projects, sessions, memory, and messages that match. */
export function Palette() {
  const words = useSignal('')
  const chosen = useSignal(0)
  const list = useRef<HTMLUListElement>(null)
  const slow = useSlow(words.value.trim())
  const sessions = useSessions(slow)
  const projects = useAnswer(ask('projects'))
  const jobs = useAnswer(ask('cron'))
  const memory = useAnswer(ask('memory'))
  useEffect(() => {
    void loadTags().catch(() => {})
  }, [])
  const found = useAnswer(slow.length > 1 ? ask('search', { query: [slow], limit: 6 }) : undefined, {
    keep: true,
  })
  const choices = useMemo(
    () =>
      choicesFor(words.value.trim(), {
        sessions,
        projects: projects.answer?.projects ?? [],
        tags: tags.value ?? [],
        jobs: jobs.answer?.jobs ?? [],
        documents: memory.answer?.documents ?? [],
        saved: searches.value,
        showKeys: () => {
          helpOpen.value = true
        },
        hits: slow.length > 1 ? (found.answer?.hits ?? []) : [],
      }),
    [words.value, sessions, projects.answer, tags.value, jobs.answer, memory.answer, found.answer, slow],
  )
  const at = Math.min(chosen.value, choices.length - 1)

  const close = () => {
    paletteOpen.value = false
  }
  const open = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    if (choice.address !== undefined) navigate(choice.address)
    choice.run?.()
  }
  const move = (step: number) => {
    chosen.value = (at + step + choices.length) % (choices.length || 1)
    list.current?.children[chosen.value]?.scrollIntoView({ block: 'nearest' })
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') open(choices[at])
    else return
    event.preventDefault()
  }

  return (
    <Dialog label="Go to" class="palette" onClose={close}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={choices[at] && `choice-${at}`}
          aria-label="Page, project, session, tag, job, memory or words"
          placeholder="Page, project, session, tag, job, memory or words"
          spellcheck={false}
          autocomplete="off"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value
            chosen.value = 0
          }}
          onKeyDown={pressed}
        />
      </div>
      <ul ref={list} id="palette-list" role="listbox" aria-label="Matches">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the field above holds the focus.
          <li
            key={choice.key}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(choice)}
            onMouseMove={() => {
              chosen.value = index
            }}
          >
            {choice.platform === undefined ? (
              <Icon name={choice.icon} />
            ) : (
              <AgentBadge platform={choice.platform} agent={choice.agent} />
            )}
            <span class="choice-kind">{choice.kind}</span>
            <span class="choice-title" dir="auto">
              {choice.marks ? markedText(choice.title, choice.marks) : markedWords(choice.title, words.value)}
            </span>
            <span class="choice-more" dir="auto">
              {choice.more}
            </span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p class="palette-none">Nothing matches. Press Esc to close.</p>}
    </Dialog>
  )
}

/** Something that the palette offers: a place to go to, or something to do. */
interface Choice {
  key: string
  icon: IconName
  /** What it is, in one word. */
  kind: string
  title: string
  /** Whose session it is in. */
  platform?: string
  agent?: string
  /** Ranges of the title that match, if these are not the words. */
  marks?: readonly (readonly number[])[]
  more: string
  address?: string
  run?(): void
}

interface Known {
  sessions: readonly SessionRow[]
  projects: readonly ProjectRow[]
  tags: TagAnswer['tags']
  jobs: readonly Job[]
  documents: readonly Document[]
  hits: readonly Hit[]
  saved: readonly SavedSearch[]
  showKeys(): void
}

/** How many of a kind are offered for some words. */
const MOST_SESSIONS = 8
const MOST_LATEST = 6
const MOST = 5

/** Whether every word occurs in the text. */
function matches(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

const addressOfHit = ({ who, path, session, line }: Hit): string =>
  who === 'memory' ? memoryAddress(path) : sessionAddress(session, line)

function sessionChoice(row: SessionRow): Choice {
  const at = ms(row.lastActivityAt)
  const more = [row.project, at === undefined ? undefined : age(at)].filter(Boolean).join(' · ')
  return {
    key: row.path,
    icon: 'sessions',
    kind: 'Session',
    title: titleOf(row),
    platform: row.platform,
    agent: row.agent,
    more,
    address: sessionAddress(row.id),
  }
}

/** What fits the words, best first. Without words: what one is likely to want. */
function choicesFor(text: string, known: Known): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const pages = PAGES.filter(({ title, description }) => matches(words, `${title} ${description}`)).map(
    ({ path, title, icon, description }): Choice => ({
      key: path,
      icon,
      kind: 'Page',
      title,
      more: description,
      address: path,
    }),
  )
  const actions = pageActions()
    .filter(({ title }) => matches(words, title))
    .map(({ key, ...rest }): Choice => ({ key: `key ${key}`, kind: 'Action', more: `key ${key}`, ...rest }))
  const keys: Choice[] = matches(words, 'keys shortcuts help')
    ? [
        {
          key: 'keys',
          icon: 'menu',
          kind: 'Action',
          title: 'Keys',
          more: 'keyboard shortcuts',
          run: known.showKeys,
        },
      ]
    : []
  const projects = known.projects
    .filter(({ name, path }) => matches(words, `${name} ${path ?? ''}`))
    .slice(0, MOST)
    .map(
      ({ name, sessions: many }): Choice => ({
        key: `project ${name}`,
        icon: 'projects',
        kind: 'Project',
        title: name,
        more: counted(many, 'session'),
        address: projectAddress(name),
      }),
    )
  const sessions = known.sessions
    .filter((row) => matches(words, `${titleOf(row)} ${row.project ?? ''} ${row.id} ${row.agent}`))
    .slice(0, words.length === 0 ? MOST_LATEST : MOST_SESSIONS)
    .map(sessionChoice)
  if (words.length === 0) return [...sessions, ...actions, ...pages, ...projects, ...keys]
  const tags = known.tags
    .filter(({ tag }) => matches(words, `tag ${tag}`))
    .slice(0, MOST)
    .map(
      ({ tag, sessions: many }): Choice => ({
        key: `tag ${tag}`,
        icon: 'tag',
        kind: 'Tag',
        title: tag,
        more: `tag of ${counted(many, 'session')}`,
        address: sessionsOf({ tag }),
      }),
    )
  const jobs = known.jobs
    .filter(({ name, id }) => matches(words, `job ${name ?? ''} ${id}`))
    .slice(0, MOST)
    .map(
      ({ id, name, schedule }): Choice => ({
        key: `job ${id}`,
        icon: 'jobs',
        kind: 'Job',
        title: name ?? id,
        more: schedule.words ?? 'job',
        address: `/jobs?${new URLSearchParams({ job: id })}`,
      }),
    )
  const texts = known.documents
    .filter(({ name, path }) => matches(words, `memory ${name} ${path}`))
    .slice(0, MOST)
    .map(
      ({ name, path, agent, project }): Choice => ({
        key: `memory ${path}`,
        icon: 'memory',
        kind: 'Memory',
        title: name,
        more: `memory of ${project ?? agent ?? 'an agent'}`,
        address: memoryAddress(path),
      }),
    )
  const saved = known.saved
    .filter(({ name }) => matches(words, `saved ${name}`))
    .slice(0, MOST)
    .map(
      ({ name, address }): Choice => ({
        key: `saved ${name}`,
        icon: 'star',
        kind: 'Saved',
        title: name,
        more: 'saved search',
        address,
      }),
    )
  const everywhere: Choice = {
    key: 'search',
    icon: 'search',
    kind: 'Search',
    title: `Search every message for “${text}”`,
    more: '',
    address: `/search?q=${encodeURIComponent(text)}`,
  }
  const hits = known.hits.map(
    (hit): Choice => ({
      key: `hit ${hit.path} ${hit.line} ${hit.offset}`,
      icon: 'search',
      kind: HIT_KINDS[hit.label === 'title' ? 'title' : hit.who] ?? hit.who,
      platform: hit.platform,
      agent: hit.agent,
      ...shownPart(
        hit.snippet || `${hit.tool?.name ?? ''} ${hit.tool?.target ?? ''}`.trim(),
        hit.snippet ? hit.marks : [],
      ),
      more: hit.project ?? '',
      address: addressOfHit(hit),
    }),
  )
  return [
    ...pages,
    ...saved,
    ...actions,
    ...tags,
    ...jobs,
    ...projects,
    ...sessions,
    ...texts,
    everywhere,
    ...hits,
    ...keys,
  ]
}

/** How many characters precede the first match in a line that is cut at its end. */
const BEFORE = 24

/** A text from shortly before its first mark, so that the mark is in sight. */
function shownPart(text: string, marks: Hit['marks']): Pick<Choice, 'title' | 'marks'> {
  const [first] = marks
  if (!first || first[0] <= BEFORE) return { title: text, ...(marks.length > 0 && { marks }) }
  const space = text.indexOf(' ', first[0] - BEFORE)
  const from = space > 0 && space < first[0] ? space + 1 : first[0]
  return {
    title: `…${text.slice(from)}`,
    marks: marks.map(([start, end]) => [start - from + 1, end - from + 1] as const),
  }
}

/** What a match of the search is. */
const HIT_KINDS: Record<string, string> = {
  human: 'You said',
  agent: 'Agent said',
  program: 'Program',
  tool: 'Call',
  error: 'Error',
  memory: 'Memory',
  title: 'Title',
}

interface Action {
  key: string
  icon: IconName
  title: string
  run(): void
}

/** What pages do with these keys. Elsewhere the keys mean nothing. */
const NAMES: readonly Omit<Action, 'run'>[] = [
  { key: 's', icon: 'star', title: 'Star or unstar this session' },
  { key: 'e', icon: 'export', title: 'Export this session' },
  { key: 'l', icon: 'layout', title: 'Change the layout' },
  { key: 'c', icon: 'copy', title: 'Copy the command that resumes it' },
  { key: 'p', icon: 'panel', title: 'Show or hide the side panel' },
  { key: 'd', icon: 'panel', title: 'Changes of this session' },
  { key: 'i', icon: 'panel', title: 'Details of this session' },
  { key: '[', icon: 'up', title: 'Newer session' },
  { key: ']', icon: 'down', title: 'Older session' },
  { key: 'o', icon: 'layout', title: 'Change the order' },
]

/** What the current page can do, by the keys that work on it. */
const pageActions = (): Action[] =>
  NAMES.flatMap((name) => {
    const run = keyInForce(name.key)
    return run ? [{ ...name, run }] : []
  })
