import type { Document, Hit, Job, ProjectRow, SessionRow, TagAnswer } from '../api/shapes.ts'
import type { IconName } from '../parts/icon.tsx'
import { memoryAddress, projectAddress, sessionAddress } from '../state/router.ts'
import { counted } from '../text/figures.ts'
import { titleOf } from '../text/names.ts'
import { ms, when } from '../text/times.ts'
import { pageActions } from './actions.ts'
import { PAGES } from './pages.ts'

/** Something that the palette offers: a place to go to, or something to do. */
export interface Choice {
  key: string
  icon: IconName
  title: string
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
  const more = [row.project, at === undefined ? undefined : when(at)].filter(Boolean).join(' · ')
  return { key: row.path, icon: 'sessions', title: titleOf(row), more, address: sessionAddress(row.id) }
}

/** What fits the words, best first. Without words: what one is likely to want. */
export function choicesFor(text: string, known: Known): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const pages = PAGES.filter(({ title, tells }) => matches(words, `${title} ${tells}`)).map(
    ({ path, title, icon, tells }): Choice => ({ key: path, icon, title, more: tells, address: path }),
  )
  const actions = pageActions()
    .filter(({ title }) => matches(words, title))
    .map(({ key, ...rest }): Choice => ({ key: `key ${key}`, more: `key ${key}`, ...rest }))
  const keys: Choice[] = matches(words, 'keys shortcuts help')
    ? [{ key: 'keys', icon: 'menu', title: 'Keys', more: 'keyboard shortcuts', run: known.showKeys }]
    : []
  const projects = known.projects
    .filter(({ name, path }) => matches(words, `${name} ${path ?? ''}`))
    .slice(0, MOST)
    .map(
      ({ name, sessions: many }): Choice => ({
        ...{ key: `project ${name}`, icon: 'projects', title: name },
        ...{ more: counted(many, 'session'), address: projectAddress(name) },
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
        ...{ key: `tag ${tag}`, icon: 'tag', title: tag, more: `tag of ${counted(many, 'session')}` },
        address: `/sessions?${new URLSearchParams({ tag })}`,
      }),
    )
  const jobs = known.jobs
    .filter(({ name, id }) => matches(words, `job ${name ?? ''} ${id}`))
    .slice(0, MOST)
    .map(
      ({ id, name, schedule }): Choice => ({
        ...{ key: `job ${id}`, icon: 'jobs', title: name ?? id, more: schedule.words ?? 'job' },
        address: `/jobs?${new URLSearchParams({ job: id })}`,
      }),
    )
  const texts = known.documents
    .filter(({ name, path }) => matches(words, `memory ${name} ${path}`))
    .slice(0, MOST)
    .map(
      ({ name, path, agent, project }): Choice => ({
        ...{ key: `memory ${path}`, icon: 'memory', title: name },
        ...{ more: `memory of ${project ?? agent ?? 'an agent'}`, address: memoryAddress(path) },
      }),
    )
  const everywhere: Choice = {
    ...{ key: 'search', icon: 'search', title: `Search every message for “${text}”`, more: '' },
    address: `/search?q=${encodeURIComponent(text)}`,
  }
  const hits = known.hits.map(
    (hit): Choice => ({
      ...{ key: `hit ${hit.path} ${hit.line} ${hit.offset}`, icon: 'search', title: hit.snippet.trim() },
      ...{ more: hit.project ?? '', address: addressOfHit(hit) },
    }),
  )
  return [
    ...pages,
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
