import type { Hit, ProjectRow, SessionRow } from '../api/shapes.ts'
import type { IconName } from '../parts/icon.tsx'
import { memoryAddress, projectAddress, sessionAddress } from '../state/router.ts'
import { counted } from '../text/figures.ts'
import { titleOf } from '../text/names.ts'
import { ms, when } from '../text/times.ts'
import { PAGES } from './pages.ts'

/** Something that the palette offers. Without an address it opens the list of keys. */
export interface Choice {
  key: string
  icon: IconName
  title: string
  more: string
  address?: string
}

interface Known {
  sessions: readonly SessionRow[]
  projects: readonly ProjectRow[]
  hits: readonly Hit[]
}

/** Whether every word occurs in the text. */
function matches(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

const addressOfHit = ({ who, path, session, line }: Hit): string =>
  who === 'memory' ? memoryAddress(path) : sessionAddress(session, line)

export function choicesFor(text: string, { sessions, projects, hits }: Known): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const pages = PAGES.filter(({ title, tells }) => matches(words, `${title} ${tells}`)).map(
    ({ path, title, icon, tells }): Choice => ({ key: path, icon, title, more: tells, address: path }),
  )
  const keys: Choice[] = matches(words, 'keys shortcuts help')
    ? [{ key: 'keys', icon: 'menu', title: 'Keys', more: 'keyboard shortcuts' }]
    : []
  const ofProjects = projects
    .filter(({ name, path }) => matches(words, `${name} ${path ?? ''}`))
    .slice(0, 5)
    .map(
      ({ name, sessions: many }): Choice => ({
        ...{ key: `project ${name}`, icon: 'projects', title: name },
        ...{ more: counted(many, 'session'), address: projectAddress(name) },
      }),
    )
  const ofSessions = sessions
    .filter((row) => matches(words, `${titleOf(row)} ${row.project ?? ''} ${row.id} ${row.agent}`))
    .slice(0, words.length === 0 ? 6 : 8)
    .map((row): Choice => {
      const at = ms(row.lastActivityAt)
      const more = [row.project, at === undefined ? undefined : when(at)].filter(Boolean).join(' · ')
      return { key: row.path, icon: 'sessions', title: titleOf(row), more, address: sessionAddress(row.id) }
    })
  const ofHits = hits.map(
    (hit): Choice => ({
      ...{ key: `hit ${hit.path} ${hit.line} ${hit.offset}`, icon: 'search', title: hit.snippet.trim() },
      ...{ more: hit.project ?? '', address: addressOfHit(hit) },
    }),
  )
  const everywhere: Choice[] =
    words.length > 0
      ? [
          {
            ...{ key: 'search', icon: 'search', title: `Search every message for “${text}”` },
            ...{ more: '', address: `/search?q=${encodeURIComponent(text)}` },
          },
        ]
      : []
  return words.length === 0
    ? [...ofSessions, ...pages, ...ofProjects, ...keys]
    : [...pages, ...ofProjects, ...ofSessions, ...everywhere, ...ofHits, ...keys]
}
