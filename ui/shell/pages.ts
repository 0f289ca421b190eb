import type { IconName } from '../parts/icon.tsx'

export interface PageEntry {
  path: string
  title: string
  icon: IconName
  /** The key after `g` that opens it. */
  key: string
  tells: string
}

/** The pages of the navigation, in order. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', title: 'Home', icon: 'home', key: 'h', tells: 'what is going on' },
  { path: '/sessions', title: 'Sessions', icon: 'sessions', key: 's', tells: 'every session' },
  { path: '/search', title: 'Search', icon: 'search', key: 'f', tells: 'every message' },
  { path: '/projects', title: 'Projects', icon: 'projects', key: 'p', tells: 'every project' },
  { path: '/tags', title: 'Tags', icon: 'tag', key: 'a', tells: 'your stars, names, tags and rules' },
  { path: '/stats', title: 'Statistics', icon: 'stats', key: 't', tells: 'tokens, costs, tools' },
  { path: '/jobs', title: 'Jobs', icon: 'jobs', key: 'j', tells: 'what runs on a schedule' },
  { path: '/memory', title: 'Memory', icon: 'memory', key: 'm', tells: 'what agents remember' },
  {
    path: '/collector',
    title: 'Collector',
    icon: 'collector',
    key: 'c',
    tells: 'what is delivered, what waits',
  },
  { path: '/secrets', title: 'Secrets', icon: 'secrets', key: 'x', tells: 'keys in transcripts' },
  { path: '/doctor', title: 'Doctor', icon: 'doctor', key: 'd', tells: 'whether anything is missing' },
]

/** The entry that an address belongs to. A session belongs to Sessions, a project to Projects. */
export function entryOf(path: string): PageEntry | undefined {
  const [first = ''] = path.split('/').filter(Boolean)
  const owner = first === 'session' ? 'sessions' : first === 'project' ? 'projects' : first
  return PAGES.find((page) => page.path === `/${owner}`)
}
