import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask, type Hit, type SearchAnswer } from '../api/ask.ts'
import { Failure } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Button, Dialog } from '../parts/controls.tsx'
import { memo } from '../parts/memo.ts'
import { Awaited, Empty, Incomplete, toast } from '../parts/notice.tsx'
import { Page, Time } from '../parts/page.tsx'
import { useKeys } from '../state/keys.ts'
import { addRule, marksAvailable, nameNow } from '../state/marks.ts'
import { memoryAddress, projectAddress, query, sessionAddress, setQuery } from '../state/router.ts'
import { count, counted, fileName } from '../text/format.ts'
import { markedText } from '../text/marked.tsx'
import { age } from '../text/times.ts'
import { isAnswered, useFacets } from './facets.tsx'
import { takeOldFilters } from './old-addresses.ts'
import { QueryField, SavedSearches } from './query-field.tsx'
import { withinSession, withMoments } from './query-filters.ts'
import { Filters, Options, options, wider } from './search-options.tsx'
import { useTypedQuery } from './typed-query.ts'

/** More matches than a window shows, so that each key is answered soon. Then more at a time. */
const FIRST = 20
const STEP = 40

export function Search() {
  takeOldFilters()
  const typed = useSignal(query('q'))
  const limit = useSignal(FIRST)
  const field = useRef<HTMLInputElement>(null)
  const inAddress = query('q')
  useTypedQuery(typed, field)
  useEffect(() => {
    field.current?.focus()
  }, [])
  const hits = useHitKeys(field)
  useKeys({ '/': () => field.current?.focus(), ...hits.keys })

  const setText = useCallback((text: string) => {
    limit.value = FIRST
    typed.value = text
    // Going back leads to what was chosen before.
    setQuery({ q: text }, {})
  }, [])
  const asked = typed.value.trim()
  const address =
    asked === ''
      ? undefined
      : ask('search', { query: [withMoments(asked)], ...options(), context: 1, limit: limit.value })
  const answer = useAnswer(address, { keep: true })
  const more = useCallback(() => {
    limit.value += STEP
  }, [limit])
  const facets = useFacets(inAddress, wider())
  const onInput = useCallback((text: string) => {
    limit.value = FIRST
    typed.value = text
    isOpening.value = false
  }, [])
  /** Enter opens the best match, as soon as it is the answer to what is typed. */
  const isOpening = useSignal(false)
  const isCurrent = !answer.loading && isAnswered(facets)
  useEffect(() => {
    if (!isOpening.value || !isCurrent) return
    isOpening.value = false
    // Going back leads to what was typed.
    setQuery({ q: typed.value })
    hits.open()
  }, [isOpening.value, isCurrent, answer.answer])
  return (
    <Page title={inAddress === '' ? 'Search' : `${inAddress} · Search`} heading="Search" class="search-page">
      <search class="query-bar">
        <div class="query-row">
          <QueryField
            field={field}
            label="Words to search for"
            placeholder="Words, “phrases”, who:human, file:auth.ts …"
            value={typed.value}
            onInput={onInput}
            onEnter={() => {
              isOpening.value = asked !== ''
            }}
            onDown={hits.down}
          />
          <SavedSearches isEmpty={inAddress === ''} suggested={inAddress} />
          <Options />
        </div>
        <Filters asked={facets} text={inAddress} setText={setText} />
      </search>
      {address === undefined ? (
        <Hints />
      ) : (
        // After the facets, so that these move nothing.
        <Awaited
          key={String(isAnswered(facets))}
          asked={isAnswered(facets) ? answer : WAITING}
          what="The matches"
        >
          {(found) => <Results found={found} onMore={more} />}
        </Awaited>
      )}
    </Page>
  )
}

/** The keys that walk through the hits, from the field down and back to it. */
function useHitKeys(field: RefObject<HTMLInputElement | null>) {
  const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.results a.hit')]
  const move = (by: 1 | -1): boolean => {
    const all = links()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = all[at + by]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
    return next !== undefined
  }
  const down = () => void move(1)
  const up = () => void move(-1)
  const upToField = () => {
    if (!move(-1)) field.current?.focus()
  }
  const keys = { j: down, k: up, ArrowDown: down, ArrowUp: upToField }
  return { down, open: () => links()[0]?.click(), keys }
}

const WAITING = { answer: undefined, failure: undefined, loading: true, again: () => {} }

function Hints() {
  const examples = [
    '"exactly this"',
    'log*',
    'login OR signup',
    '-test',
    'file:src/auth.ts',
    'is:error',
    'who:human after:7d',
  ]
  return (
    <Empty title="Search everything that people and agents wrote">
      <p>Type some words. Capitals and accents do not matter. Narrow it down with:</p>
      <p class="filter-chips chips">
        {examples.map((example) => (
          <a key={example} class="chip" href={`/search?q=${encodeURIComponent(example)}`}>
            <code>{example}</code>
          </a>
        ))}
      </p>
    </Empty>
  )
}

interface ResultsProperties {
  found: SearchAnswer
  onMore(): void
}

/** So many matches are drawn first: more than a window shows. The others follow in the next frame. */
const DRAWN_FIRST = 10

type Groups = [session: string, hits: Hit[]][]

/** The first groups, which have enough matches together. */
function firstOf(groups: Groups): Groups {
  let hits = 0
  const end = groups.findIndex(([, each]) => {
    hits += each.length
    return hits >= DRAWN_FIRST
  })
  return end < 0 ? groups : groups.slice(0, end + 1)
}

/** What a search found. It is drawn again for each answer, not for each key. */
const Results = memo(
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
        <Empty title={found.incomplete ? 'Nothing found yet' : 'Nothing matches'}>
          {found.searched &&
            `Searched ${counted(found.searched.messages, 'message')} and ${counted(found.searched.calls, 'tool call')} in ${counted(found.searched.sessions, 'session')}. `}
          {found.incomplete
            ? 'Matches appear here as sessions are indexed.'
            : found.searched?.sessions === 0
              ? 'Sessions appear as soon as an agent writes one.'
              : 'Try fewer words, or fewer filters.'}
        </Empty>
      )}
      {/* Places are the keys: elements are used again for the next answer, which costs less than new ones. */}
      {shown.map(([session, hits], place) => (
        <Group key={place} session={session} hits={hits} find={(hit) => wordsOf(hit, found)} />
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

const NAMES: Record<string, string> = {
  human: 'You',
  agent: 'Agent',
  program: 'Program',
  tool: 'Tool',
  error: 'Error',
  marker: 'Marker',
  memory: 'Memory',
  output: 'Output',
}

/** What is marked in the message that a hit opens: the query, or the words that were found instead of it. */
function wordsOf({ snippet, marks, label }: Hit, { query, relaxed, corrections }: SearchAnswer): string {
  if (label === 'title') return ''
  if (!relaxed && !corrections) return withinSession(query)
  const words = marks.map(([start = 0, end = 0]) => `"${snippet.slice(start, end).toLowerCase()}"`)
  return [...new Set(words)].join(' OR ')
}

interface GroupProperties {
  session: string
  hits: readonly Hit[]
  find(hit: Hit): string
}

/** The matches in one session. */
function Group({ session, hits, find }: GroupProperties) {
  const [first] = hits
  const isMemory = first?.who === 'memory'
  const addressOf = (hit: Hit): string =>
    isMemory ? memoryAddress(hit.path) : sessionAddress(session, hit.line, find(hit))
  const plain = isMemory ? fileName(first.path) : (first?.project ?? session.slice(0, 8))
  const title = first && !isMemory ? nameNow(first) || first.title : undefined
  return (
    <section class="found">
      <p class="found-head">
        {first && <AgentBadge platform={first.platform} agent={first.agent} />}
        {/* It opens the session where it matches, as its matches do, and not at its end. */}
        <a class="found-title" href={first && addressOf(first)} dir="auto">
          {title ?? plain}
        </a>
        {first?.project && (
          <a class="note" href={projectAddress(first.project)} dir="auto">
            {first.project}
          </a>
        )}
        <span class="note">
          {counted(hits.length, 'match', 'matches')} · <Time at={first?.at} text={age} />
        </span>
      </p>
      <ul class="hits">
        {hits.map((hit, place) => (
          <li key={place}>
            <a class="hit" data-who={hit.who} href={addressOf(hit)}>
              <span class="hit-head">
                <span class="hit-who">{hit.label === 'title' ? 'Title' : (NAMES[hit.who] ?? hit.who)}</span>
                <Time at={hit.at} />
                {hit.copies && hit.copies.length > 0 && (
                  <span>{counted(hit.copies.length, 'copy', 'copies')}</span>
                )}
              </span>
              <Around item={hit.context?.before.at(-1)} />
              <span class="hit-words" dir="auto">
                {marked(hit)}
              </span>
              <Around item={hit.context?.after[0]} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Neighbor = NonNullable<Hit['context']>['before'][number]

function Around({ item }: { item: Neighbor | undefined }) {
  const words = item?.text ?? (item?.tool ? `${item.tool.name} ${item.tool.target ?? ''}` : '')
  return words ? (
    <span class="hit-words hit-context" dir="auto">
      {words.slice(0, 200)}
    </span>
  ) : null
}

/** The snippet with the matched words marked. */
const marked = ({ snippet, marks, tool }: Hit) =>
  markedText(snippet || (tool ? `${tool.name} ${tool.target ?? ''}` : ''), marks)

/** Makes a rule of a query: every session that it finds has the tag, now and later. */
function TagRule({ query }: { query: string }) {
  const isOpen = useSignal(false)
  const open = (on: boolean) => () => {
    isOpen.value = on
  }
  return (
    <>
      <Button label="Save as tag rule" onClick={open(true)} />
      {isOpen.value && <RuleDialog query={query} onClose={open(false)} />}
    </>
  )
}

function RuleDialog({ query, onClose }: { query: string; onClose(): void }) {
  const tag = useSignal('')
  const fault = useSignal('')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const name = tag.value.trim()
    try {
      await addRule(name, query)
      toast(`Sessions that this finds have the tag ${name}`)
      onClose()
    } catch (error) {
      fault.value = error instanceof Failure ? `${error.message}. ${error.hint ?? ''}` : String(error)
    }
  }
  return (
    <Dialog label="Save as tag rule" class="small" onClose={onClose}>
      <form class="rule-form" onSubmit={(event) => void save(event)}>
        <h2>Save as tag rule</h2>
        <p>
          Every session that <code dir="auto">{query}</code> matches gets the tag, including later ones.
        </p>
        <label class="field">
          <span>Tag</span>
          <input
            type="text"
            value={tag.value}
            required
            autocomplete="off"
            placeholder="One word"
            aria-invalid={fault.value !== ''}
            aria-describedby="rule-fault"
            onInput={(event) => {
              tag.value = event.currentTarget.value
              fault.value = ''
            }}
          />
        </label>
        <p id="rule-fault" class="error-words" role="alert">
          {fault.value}
        </p>
        <p class="rule-actions">
          <Button label="Cancel" onClick={onClose} />
          <button type="submit" class="button strong">
            <span>Add the rule</span>
          </button>
        </p>
      </form>
    </Dialog>
  )
}
