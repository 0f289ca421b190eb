import type { FacetsAnswer } from '../api/ask.ts'
import { type Asked, stated } from '../api/use-answer.ts'
import { Check, Select } from '../parts/controls.tsx'
import { memo } from '../parts/memo.ts'
import { Menu } from '../parts/menu.tsx'
import { query, setQuery } from '../state/router.ts'
import { Facets, isAnswered } from './facets.tsx'
import { toggled, valuesOf } from './query-filters.ts'

interface FiltersProperties {
  asked: Asked<FacetsAnswer>
  text: string
  setText(text: string): void
}

/** The facets of the sessions that match, and who speaks. They follow when the typing pauses. */
export const Filters = memo(
  ({ asked, text, setText }: FiltersProperties) => (
    <div class="facet-bar">
      <Facets asked={asked} text={text} setText={setText} />
      {isAnswered(asked) && <Speakers text={text} setText={setText} />}
      {isAnswered(asked) && text !== '' && (
        <button type="button" class="quiet" onClick={() => setText('')}>
          Clear
        </button>
      )}
    </div>
  ),
  (before, after) =>
    before.asked.answer === after.asked.answer &&
    before.asked.failure === after.asked.failure &&
    before.text === after.text &&
    before.setText === after.setText,
)

const SPEAKERS = [
  { value: 'human', label: 'You' },
  { value: 'agent', label: 'Agents' },
  { value: 'program', label: 'Programs' },
  { value: 'tool', label: 'Tool calls' },
  { value: 'error', label: 'Errors' },
  { value: 'memory', label: 'Memory' },
] as const

function Speakers({ text, setText }: Omit<FiltersProperties, 'asked'>) {
  const chosen = valuesOf(text, 'who')
  const [only] = SPEAKERS.filter(({ value }) => chosen.includes(value))
  return (
    <Menu label={only?.label ?? 'Who'} isOn={chosen.length > 0}>
      {() => (
        <ul class="facet-list" aria-label="Who">
          {SPEAKERS.map(({ value, label }) => (
            <li key={value}>
              <button
                type="button"
                class="facet-row"
                aria-pressed={chosen.includes(value)}
                onClick={() => setText(toggled(text, 'who', value))}
              >
                <span class="facet-name">{label}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  )
}

const isOn = (name: string): boolean => query(name) === 'true'

/** Which sessions are searched besides the usual ones. */
export const wider = () => ({ deleted: isOn('deleted'), backups: isOn('backups') })

export const options = () => ({ ...stated<'search'>(['sort']), raw: isOn('raw'), ...wider() })

export function Options() {
  const flip = (name: string) => (on: boolean) => setQuery({ [name]: on ? 'true' : '' })
  const isChanged = query('sort') !== '' || ['raw', 'deleted', 'backups'].some(isOn)
  return (
    <Menu label="Options" icon="layout" isOn={isChanged} side="end">
      {() => (
        <div class="view-options">
          <Select
            label="Order"
            value={query('sort')}
            options={[
              { value: '', label: 'Best match first' },
              { value: 'newest', label: 'Newest first' },
            ]}
            onChange={(sort) => setQuery({ sort })}
          />
          <Check label="Tool output too (slower)" on={isOn('raw')} onChange={flip('raw')} />
          <Check label="Deleted sessions too" on={isOn('deleted')} onChange={flip('deleted')} />
          <Check label="Backups too" on={isOn('backups')} onChange={flip('backups')} />
        </div>
      )}
    </Menu>
  )
}
