import { ask, type FacetsAnswer } from '../api/ask.ts'
import { type Asked, useAnswer } from '../api/use-answer.ts'
import { AgentBadge } from '../parts/agent-badge.tsx'
import { Menu } from '../parts/menu.tsx'
import { isPhone } from '../state/panes.ts'
import { agentName, count, kindName, modelName } from '../text/format.ts'
import { DAY_MS, dateOf, isDay, nextDay } from '../text/times.ts'
import { LIVE_MS } from './listing.ts'
import { toggled, valuesOf, withFilters, withMoments } from './query-filters.ts'

/** A filter with its values and how many sessions each leaves. */
type Facet = 'agent' | 'project' | 'kind' | 'model' | 'tag'

type Value = FacetsAnswer[Facet][number]

const FACETS: readonly { facet: Facet; label: string; shown: number; nameOf(value: Value): string }[] = [
  {
    facet: 'agent',
    label: 'Agent',
    shown: 3,
    nameOf: ({ value, platform = '' }) => {
      const agent = value.replace(/^.*:/, '')
      return value === agent ? agentName(platform, agent) : agent
    },
  },
  { facet: 'project', label: 'Project', shown: 2, nameOf: ({ value }) => value },
  { facet: 'kind', label: 'Kind', shown: 0, nameOf: ({ value }) => kindName(value) },
  { facet: 'model', label: 'Model', shown: 0, nameOf: ({ value }) => modelName(value) },
  { facet: 'tag', label: 'Tag', shown: 0, nameOf: ({ value }) => value },
]

/** What narrows a list down besides the query. */
interface Narrowing {
  hour?: string | undefined
  timezone?: string | undefined
  deleted?: boolean
  backups?: boolean
}

/** How many sessions each value of a filter leaves. What is below the facets waits for the first answer. */
export const useFacets = (text: string, narrowed: Narrowing = {}): Asked<FacetsAnswer> =>
  useAnswer(ask('facets', { query: withMoments(text), all: true, ...narrowed }), {
    keep: true,
    live: LIVE_MS,
  })

/** Whether the facets are there, or never will be. */
export const isAnswered = ({ answer, failure }: Asked<FacetsAnswer>): boolean =>
  answer !== undefined || failure !== undefined

interface FacetsProperties {
  asked: Asked<FacetsAnswer>
  /** The query as it is in the address. */
  text: string
  setText(text: string): void
}

/** What fills the query by a click: agents and projects with their counts, times, and menus for the rest. */
export function Facets({ asked, text, setText }: FacetsProperties) {
  const { answer } = asked
  const one = ({ facet, ...rest }: (typeof FACETS)[number]) => (
    <FacetOf
      key={facet}
      facet={facet}
      {...rest}
      shown={isPhone.value ? 0 : rest.shown}
      values={answer?.[facet] ?? []}
      text={text}
      setText={setText}
    />
  )
  return (
    <div class="facets" role="group" aria-label="Filters" aria-busy={answer === undefined}>
      {FACETS.slice(0, 2).map(one)}
      {/* After the others, which would move them. */}
      {isAnswered(asked) && <Times text={text} setText={setText} />}
      {FACETS.slice(2).map(one)}
    </div>
  )
}
type FacetProperties = Pick<FacetsProperties, 'text' | 'setText'> &
  (typeof FACETS)[number] & { values: readonly Value[] }

function FacetOf({ facet, label, shown, nameOf, values, text, setText }: FacetProperties) {
  const chosen = valuesOf(text, facet)
  const isOn = ({ value }: Value): boolean => chosen.includes(value.toLowerCase())
  // What is chosen stays in sight.
  const inSight = [...values.filter(isOn), ...values.filter((value) => !isOn(value))].slice(
    0,
    Math.max(shown, shown > 0 ? values.filter(isOn).length : 0),
  )
  const rest = values.length > inSight.length
  const flip = ({ value }: Value) => setText(toggled(text, facet, value))
  if (values.length === 0 && chosen.length === 0) return null
  return (
    <div class="facet" role="group" aria-label={label}>
      {inSight
        .toSorted((one, other) => values.indexOf(one) - values.indexOf(other))
        .map((value) => (
          <button
            key={value.value}
            type="button"
            class="chip facet-value"
            aria-pressed={isOn(value)}
            onClick={() => flip(value)}
          >
            {value.platform && <AgentBadge platform={value.platform} />}
            <span class="facet-name" dir="auto">
              {nameOf(value)}
            </span>
            <span class="facet-count">{count(value.sessions)}</span>
          </button>
        ))}
      {rest && (
        <Menu
          label={shown > 0 ? `+${count(values.length - inSight.length)}` : label}
          name={shown > 0 ? `+${count(values.length - inSight.length)} of ${label.toLowerCase()}` : label}
          isOn={shown === 0 && chosen.length > 0}
        >
          {() => (
            <ul class="facet-list" aria-label={label}>
              {values.map((value) => (
                <li key={value.value}>
                  <button
                    type="button"
                    class="facet-row"
                    aria-pressed={isOn(value)}
                    onClick={() => flip(value)}
                  >
                    {value.platform && <AgentBadge platform={value.platform} />}
                    <span class="facet-name" dir="auto">
                      {nameOf(value)}
                    </span>
                    <span class="facet-count">{count(value.sessions)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Menu>
      )}
    </div>
  )
}

const SPANS = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
] as const

/** The times of a query, as a person calls them. */
function spanName(after: string, before: string): string {
  const name = (day: string): string => (isDay(day) ? dateOf(Date.parse(`${day}T12:00`)) : day)
  const last = isDay(before) ? dateOf(Date.parse(`${before}T12:00`) - DAY_MS) : before
  if (after !== '' && before !== '') return after === before ? name(after) : `${name(after)} to ${last}`
  return after !== '' ? `since ${name(after)}` : before !== '' ? `until ${last}` : 'Dates'
}

function Times({ text, setText }: Pick<FacetsProperties, 'text' | 'setText'>) {
  const [after = ''] = valuesOf(text, 'after')
  const [before = ''] = valuesOf(text, 'before')
  const isUsual = before === '' && SPANS.some(({ value }) => value === after)
  return (
    <div class="facet" role="group" aria-label="When">
      {(isPhone.value ? [] : SPANS).map(({ value, label }) => (
        <button
          key={value}
          type="button"
          class="chip facet-value"
          aria-pressed={before === '' && after === value}
          onClick={() =>
            setText(withFilters(text, { after: after === value && before === '' ? '' : value, before: '' }))
          }
        >
          {label}
        </button>
      ))}
      <Menu label={isUsual ? 'Dates' : spanName(after, before)} isOn={!isUsual && after + before !== ''}>
        {() => (
          <div class="dates">
            <label class="field">
              <span>From</span>
              <input
                type="date"
                value={isDay(after) ? after : ''}
                onChange={(event) => setText(withFilters(text, { after: event.currentTarget.value }))}
              />
            </label>
            <label class="field">
              <span>Until</span>
              <input
                type="date"
                value={isDay(before) ? nextDay(before, -1) : ''}
                onChange={({ currentTarget: { value } }) =>
                  setText(withFilters(text, { before: value === '' ? '' : nextDay(value, 1) }))
                }
              />
            </label>
          </div>
        )}
      </Menu>
    </div>
  )
}
