import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { identities } from '../../../src/platforms/identities.ts'
import { apiAddress } from '../../api/client.ts'
import type { Hit, ProjectsAnswer, SearchAnswer, SessionsAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Icon } from '../../parts/icon.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Check, Select } from '../../parts/select.tsx'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { marksAvailable } from '../../state/marks.ts'
import { query, setQuery } from '../../state/router.ts'
import { count, counted } from '../../text/figures.ts'
import { titleOf } from '../../text/names.ts'
import { Group } from './group.tsx'
import { TagRule } from './tag-rule.tsx'

const PAUSE_MS = 300
const STEP = 40

const VOICES = [
  { value: '', label: 'Everybody' },
  { value: 'human', label: 'Human' },
  { value: 'agent', label: 'Agent' },
  { value: 'program', label: 'Program' },
  { value: 'tool', label: 'Tool calls' },
  { value: 'error', label: 'Errors' },
  { value: 'memory', label: 'Memory' },
] as const

const SINCE = [
  { value: '', label: 'Any time' },
  { value: '1d', label: 'Last day' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '365d', label: 'Last year' },
] as const

const quoted = (text: string): string => (/[\s"]/.test(text) ? `"${text.replaceAll('"', '')}"` : text)

/** The query as the server understands it: the words, and the filters of the address. */
function fullQuery(words: string): string {
  const parts = [words.trim()]
  if (query('who') !== '') parts.push(`who:${query('who')}`)
  if (query('project') !== '') parts.push(`project:${quoted(query('project'))}`)
  if (query('platform') !== '') parts.push(`platform:${query('platform')}`)
  return parts.filter(Boolean).join(' ')
}

export function Search() {
  const typed = useSignal(query('q'))
  const limit = useSignal(STEP)
  const field = useRef<HTMLInputElement>(null)
  const inAddress = query('q')

  // The address follows when the typing pauses: browsers limit how often it changes. The back key and links
  // change the field.
  useEffect(() => {
    if (typed.value === inAddress) return
    const timer = setTimeout(() => setQuery({ q: typed.value }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  useEffect(() => {
    if (document.activeElement !== field.current) typed.value = inAddress
  }, [inAddress])
  useEffect(() => {
    field.current?.focus()
  }, [])
  useKeys({ '/': () => field.current?.focus() })

  const asked = fullQuery(typed.value)
  const address =
    asked === ''
      ? undefined
      : apiAddress('search', {
          query: asked,
          since: query('since'),
          sort: query('sort'),
          raw: query('raw') === 'true',
          context: 1,
          limit: limit.value,
        })
  const answer = useAnswer<SearchAnswer>(address, { keep: true })
  const projects = useAnswer<ProjectsAnswer>('/api/projects').answer?.projects ?? []
  const set = (name: string) => (value: string) => setQuery({ [name]: value })
  return (
    <Page title="Search" class="search-page">
      <search>
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-label="Words to search for"
            placeholder="Words, “phrases”, file:auth.ts, before:2026-01-31, is:error …"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => {
              limit.value = STEP
              typed.value = event.currentTarget.value
            }}
          />
        </div>
        <div class="filters">
          <div class="filter-row">
            <Select label="Who" value={query('who')} options={VOICES} onChange={set('who')} />
            <Select
              label="Project"
              value={query('project')}
              options={[
                { value: '', label: 'Every project' },
                ...projects.map(({ name }) => ({ value: name, label: name })),
              ]}
              onChange={set('project')}
            />
            <Select
              label="Client"
              value={query('platform')}
              options={[
                { value: '', label: 'Every client' },
                ...identities.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={set('platform')}
            />
            <Select label="When" value={query('since')} options={SINCE} onChange={set('since')} />
            <Select
              label="Order"
              value={query('sort')}
              options={[
                { value: '', label: 'Best match first' },
                { value: 'newest', label: 'Newest first' },
              ]}
              onChange={set('sort')}
            />
          </div>
          <div class="filter-chips">
            <Check
              label="Tool output too (slower)"
              on={query('raw') === 'true'}
              onChange={(on) => setQuery({ raw: on ? 'true' : '' })}
            />
          </div>
        </div>
      </search>
      {address === undefined ? (
        <Hints />
      ) : (
        <Awaited asked={answer} what="The matches">
          {(found) => <Results found={found} rule={asked} onMore={() => (limit.value += STEP)} />}
        </Awaited>
      )}
    </Page>
  )
}

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
      <p class="filter-chips">
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
  /** The query, for a rule that tags what it finds. */
  rule: string
  onMore(): void
}

function Results({ found, rule, onMore }: ResultsProperties) {
  const sessions = useAnswer<SessionsAnswer>(apiAddress('sessions', { all: true, limit: 400 })).answer
    ?.sessions
  const titles = useMemo(() => new Map((sessions ?? []).map((row) => [row.id, titleOf(row)])), [sessions])
  const groups = useMemo(() => Map.groupBy(found.hits, (hit: Hit) => hit.session), [found])
  return (
    <div class="results" aria-live="polite" data-query={found.query}>
      <div class="results-head">
        <p class="remarks">
          {found.hits.length > 0 &&
            `${count(found.total)}${found.more ? '+' : ''} ${found.total === 1 ? 'match' : 'matches'}`}
          {found.relaxed && ' · few messages have all words, so messages with most of them follow'}
          {found.widened && ' · parts of words were searched too'}
          {found.corrections?.map(
            ({ word, instead }) => ` · ${word} occurs nowhere, the most similar word is ${instead}`,
          )}
          {found.remarks?.map((remark) => ` · ${remark}`)}
        </p>
        {found.hits.length > 0 && marksAvailable.value && !/(?:^|\s)-?tag:/.test(rule) && (
          <TagRule query={rule} />
        )}
      </div>
      {found.hits.length === 0 && (
        <Empty title="Nothing matches">
          {found.searched &&
            `Searched ${counted(found.searched.messages, 'message')} and ${counted(found.searched.calls, 'tool call')} in ${counted(found.searched.sessions, 'session')}. `}
          Try fewer words, or fewer filters.
        </Empty>
      )}
      {[...groups].map(([session, hits]) => (
        <Group key={session} session={session} hits={hits} title={titles.get(session)} />
      ))}
      {found.hits.length < found.total && (
        <p class="found">
          <button type="button" class="button" onClick={onMore}>
            Show more
          </button>
        </p>
      )}
    </div>
  )
}
