import type { IconName } from '../parts/icon.tsx'
import { keyInForce } from '../state/keys.ts'

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
  { key: '[', icon: 'up', title: 'Newer session' },
  { key: ']', icon: 'down', title: 'Older session' },
  { key: 'o', icon: 'layout', title: 'Change the order' },
]

/** What the current page can do, by the keys that work on it. */
export const pageActions = (): Action[] =>
  NAMES.flatMap((name) => {
    const run = keyInForce(name.key)
    return run ? [{ ...name, run }] : []
  })
