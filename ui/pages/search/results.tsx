import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Hit, SearchAnswer } from '../../api/shapes.ts'
import { Incomplete } from '../../parts/incomplete.tsx'
import { memo } from '../../parts/memo.ts'
import { Empty } from '../../parts/notice.tsx'
import { marksAvailable } from '../../state/marks.ts'
import { count, counted } from '../../text/figures.ts'
import { Group } from './group.tsx'
import { TagRule } from './tag-rule.tsx'

interface ResultsProperties {
  found: SearchAnswer
  onMore(): void
}

/** So many matches are drawn first: more than a window shows. The others follow in the next frame. */
const FIRST = 10

type Groups = [session: string, hits: Hit[]][]

/** The first groups, which have enough matches together. */
function firstOf(groups: Groups): Groups {
  let hits = 0
  const end = groups.findIndex(([, each]) => {
    hits += each.length
    return hits >= FIRST
  })
  return end < 0 ? groups : groups.slice(0, end + 1)
}

/** What a search found. It is drawn again for each answer, not for each key. */
export const Results = memo(
  drawResults,
  (before, after) => before.found === after.found && before.onMore === after.onMore,
)

function drawResults({ found, onMore }: ResultsProperties) {
  const groups = useMemo(() => [...Map.groupBy(found.hits, (hit: Hit) => hit.session)], [found])
  const [complete, setComplete] = useState<SearchAnswer>()
  const shown = complete === found ? groups : firstOf(groups)
  useEffect(() => {
    const timer = setTimeout(() => setComplete(found))
    return () => clearTimeout(timer)
  }, [found])
  return (
    <div class="results" data-query={found.query}>
      <Incomplete of={found.incomplete} verb="Searched" />
      <div class="results-head">
        <p class="remarks" role="status">
          {found.hits.length > 0 &&
            `${count(found.total)}${found.more ? '+' : ''} ${found.total === 1 ? 'match' : 'matches'}`}
          {found.relaxed && ' · few messages have all words, so messages with most of them follow'}
          {found.widened && ' · parts of words were searched too'}
          {found.corrections?.map(
            ({ word, instead }) => ` · ${word} occurs nowhere, the most similar word is ${instead}`,
          )}
          {found.remarks?.map((remark) => ` · ${remark}`)}
        </p>
        {found.hits.length > 0 && marksAvailable.value && !/(?:^|\s)-?tag:/.test(found.query) && (
          <TagRule query={found.query} />
        )}
      </div>
      {found.hits.length === 0 && (
        <Empty title="Nothing matches">
          {found.searched &&
            `Searched ${counted(found.searched.messages, 'message')} and ${counted(found.searched.calls, 'tool call')} in ${counted(found.searched.sessions, 'session')}. `}
          {found.incomplete ? 'Not all sessions are indexed yet.' : 'Try fewer words, or fewer filters.'}
        </Empty>
      )}
      {/* Places are the keys: elements are used again for the next answer, which costs less than new ones. */}
      {shown.map(([session, hits], place) => (
        <Group key={place} session={session} hits={hits} />
      ))}
      {complete === found && found.hits.length < found.total && (
        <p class="found">
          <button type="button" class="button" onClick={onMore}>
            Show more
          </button>
        </p>
      )}
    </div>
  )
}
