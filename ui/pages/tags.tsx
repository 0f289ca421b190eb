import { ask, type TagAnswer } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Button } from '../parts/controls.tsx'
import { Awaited, Empty, toast } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import { tags as known, removeRules } from '../state/marks.ts'
import { sessionAddress } from '../state/router.ts'
import { counted } from '../text/format.ts'
import { sessionsOf } from './query-filters.ts'

type TagRow = TagAnswer['tags'][number]
type Annotated = TagAnswer['sessions'][number]

/** The person's own tags with their rules, and the sessions with a star or a name. */
export function Tags() {
  const asked = useAnswer(ask('tags'), { live: 5000, keep: true })
  return (
    <Page
      title="Tags"
      subtitle="Stars, names and tags are yours alone. They are stored next to the index, never in a transcript."
    >
      <Awaited asked={asked} what="The tags">
        {(answer) => <Lists tags={known.value ?? answer.tags} sessions={answer.sessions} />}
      </Awaited>
    </Page>
  )
}

function Lists({ tags, sessions }: { tags: readonly TagRow[]; sessions: readonly Annotated[] }) {
  const marked = sessions.filter(({ star, name }) => star || name)
  if (tags.length === 0 && marked.length === 0)
    return (
      <Empty title="Nothing is tagged yet">
        Give a session a star, a name or tags in its details. A rule tags whatever a search finds: choose
        “Save as tag rule” in <a href="/search">Search</a>.
      </Empty>
    )
  return (
    <>
      {tags.length > 0 && (
        <Section title="Tags and rules" more={counted(tags.length, 'tag')}>
          <ul class="rows">
            {tags.map((row) => (
              <li key={row.tag} class="tag-row tag-line">
                <TagLine row={row} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {marked.length > 0 && (
        <Section
          title="Starred and named"
          more={<a href={sessionsOf({ is: 'starred' })}>Starred sessions</a>}
        >
          <ul class="rows">
            {marked.map(({ id, platform, agent, name, title, star }) => (
              <li key={id} class="tag-row">
                <span class="tag-star">
                  {star && (
                    <>
                      <span aria-hidden="true">★</span>
                      <span class="unseen">Starred</span>
                    </>
                  )}
                </span>
                <AgentBadge platform={platform} agent={agent} />
                <a class="tag-name" href={sessionAddress(id)} dir="auto">
                  {name ?? title ?? 'Untitled session'}
                </a>
                {name && title && (
                  <span class="note" dir="auto">
                    {title}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function TagLine({ row: { tag, sessions, queries } }: { row: TagRow }) {
  const remove = async () => {
    try {
      await removeRules(tag)
      toast(`Removed ${queries.length === 1 ? 'the rule' : 'the rules'} of ${tag}`)
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <a class="chip" href={sessionsOf({ tag })} dir="auto">
        {tag}
      </a>
      <span class="note">{counted(sessions, 'session')}</span>
      <span class="tag-rules">
        {queries.length > 0 && <span class="note">by rule</span>}
        {queries.map((query) => (
          <a
            key={query}
            href={`/search?q=${encodeURIComponent(query)}`}
            title="Search for it"
            aria-label={`Rule: ${query}`}
          >
            <code dir="auto">{query}</code>
          </a>
        ))}
      </span>
      {queries.length > 0 && (
        <Button
          label={queries.length === 1 ? `Remove the rule of ${tag}` : `Remove the rules of ${tag}`}
          icon="close"
          bare
          onClick={() => void remove()}
        />
      )}
    </>
  )
}
