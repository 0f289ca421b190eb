import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Icon } from '../../parts/icon.tsx'
import { Awaited, Empty } from '../../parts/notice.tsx'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { query, setQuery } from '../../state/router.ts'
import { Filters } from './filters.tsx'
import { fullQuery, searchParameters } from './narrowing.ts'
import { withMoments } from './query-filters.ts'
import { Results } from './results.tsx'

const PAUSE_MS = 300
/** More matches than a window shows, so that each key is answered soon. Then more at a time. */
const FIRST = 20
const STEP = 40

export function Search() {
  const typed = useSignal(query('q'))
  const limit = useSignal(FIRST)
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

  const setText = useCallback((text: string) => {
    typed.value = text
    setQuery({ q: text })
  }, [])
  const asked = fullQuery(typed.value)
  const address =
    asked === ''
      ? undefined
      : ask('search', {
          query: [withMoments(asked)],
          ...searchParameters(),
          context: 1,
          limit: limit.value,
        })
  const answer = useAnswer(address, { keep: true })
  const more = useCallback(() => {
    limit.value += STEP
  }, [limit])
  return (
    <Page title="Search" class="search-page">
      <search>
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            aria-label="Words to search for"
            placeholder="Words, “phrases”, file:auth.ts …"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => {
              limit.value = FIRST
              typed.value = event.currentTarget.value
            }}
          />
        </div>
        <Filters text={typed} setText={setText} />
      </search>
      {address === undefined ? (
        <Hints />
      ) : (
        <Awaited asked={answer} what="The matches">
          {(found) => <Results found={found} onMore={more} />}
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
