import { signal } from '@preact/signals'

// Which changes the person has looked at. A change that goes on is another one.

const NAME = 'scrollback-viewed'
/** Older marks are forgotten first. */
const MOST = 2000

function stored(): string[] {
  try {
    const values: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

const marks = signal<readonly string[]>(stored())

const markOf = (session: string, file: string): string => `${session} ${file}`

/** The keys of the files of a session that are marked. */
export const viewedIn = (session: string): ReadonlySet<string> =>
  new Set(
    marks.value
      .filter((mark) => mark.startsWith(`${session} `))
      .map((mark) => mark.slice(session.length + 1)),
  )

export function setViewed(session: string, file: string, on: boolean): void {
  const mark = markOf(session, file)
  const rest = marks.value.filter((each) => each !== mark)
  marks.value = (on ? [...rest, mark] : rest).slice(-MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify(marks.value))
  } catch {
    // Then they last as long as the page.
  }
}
