import { counted } from '../../render/counted.ts'
import { printable } from '../../render/printable.ts'
import type { Screen } from '../../render/screen.ts'
import { type Column, table } from '../../render/table.ts'
import { dated } from '../../render/text.ts'
import { LONGEST_ID, shortId } from '../kit/session-names.ts'
import type { TagAnswer } from './answer.ts'

type TagRow = TagAnswer['tags'][number]
type SessionRow = TagAnswer['sessions'][number]

const tagColumns: Column<TagRow>[] = [
  { title: 'TAG', value: ({ tag }) => tag, whole: true, paint: 'cyan' },
  { title: 'SESSIONS', value: ({ sessions }) => String(sessions), align: 'right' },
  { title: 'RULES', value: ({ queries }) => queries.join('; '), rest: true },
]

const sessionColumns: Column<SessionRow>[] = [
  { title: 'ID', value: ({ id }) => shortId(id), whole: true, most: LONGEST_ID, paint: 'cyan' },
  {
    title: 'LAST',
    value: ({ lastActivityAt }) =>
      lastActivityAt === null ? '-' : dated(Date.parse(lastActivityAt)).slice(2),
    whole: true,
  },
  { title: '', value: ({ star }) => (star ? '★' : ''), sparse: true },
  { title: 'TAGS', value: ({ tags = [] }) => tags.join(', '), most: 30 },
  { title: 'TITLE', value: ({ name, title }) => name ?? title ?? '(no messages)', rest: true },
]

/** The named session, or every tag, rule and annotated session. */
export function* tagLines({ session, tags, sessions }: TagAnswer, screen: Screen): Generator<string> {
  if (session) {
    const { id, star, name, title, tags: own = [] } = session
    const facts = [star ? '★' : '', printable(name ?? title ?? '(no messages)')].filter((each) => each !== '')
    yield `${shortId(id)}  ${facts.join(' ')}\n`
    yield `${own.length === 0 ? 'No tags.' : `Tags: ${own.join(', ')}`}\n`
    return
  }
  if (tags.length === 0 && sessions.length === 0) {
    yield `No session has a star, a name or a tag. Add one: ${screen.suggest('tag', 'latest', '--star')}\n`
    return
  }
  if (tags.length > 0) {
    yield* table(tags, tagColumns, screen)
    yield '\n'
  }
  if (sessions.length > 0) yield* table(sessions, sessionColumns, screen)
  yield `\n${counted(sessions.length, 'session')}. Find them: ${screen.suggest('search', tags[0] ? `tag:${tags[0].tag}` : 'is:starred')}\n`
}
