import { memo } from '../../parts/memo.ts'
import { ClientSelect, ProjectSelect } from '../../parts/scope-selects.tsx'
import { Check, Select } from '../../parts/select.tsx'
import { query, setQuery } from '../../state/router.ts'

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

const set = (name: string) => (value: string) => setQuery({ [name]: value })

/** What narrows a search down. All of it is in the address, so typing does not draw it again. */
export const Filters = memo(
  function Filters() {
    return (
      <div class="filters">
        <div class="filter-row">
          <Select label="Who" value={query('who')} options={VOICES} onChange={set('who')} />
          <ProjectSelect />
          <ClientSelect />
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
    )
  },
  () => true,
)
