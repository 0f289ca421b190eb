import { query, setQuery } from '../state/router.ts'
import { isDay } from '../text/days.ts'
import { Select } from './select.tsx'

interface SpanProperties {
  label: string
  options: readonly { value: string; label: string }[]
}

const FROM_A_DAY = 'day'

/** A span until now, in the address. If it begins on a certain day, the field of that day shows it. */
export function SpanSelect({ label, options }: SpanProperties) {
  const since = query('since')
  const shown = isDay(since) ? [...options, { value: FROM_A_DAY, label: 'Certain days' }] : options
  return (
    <Select
      label={label}
      value={isDay(since) ? FROM_A_DAY : since}
      options={shown}
      onChange={(value) => {
        // A span takes the place of both days.
        if (value !== FROM_A_DAY) setQuery({ since: value, ...(isDay(since) ? { until: '' } : {}) })
      }}
    />
  )
}

/** The first or the last day that is shown, in the address. */
export function DayField({ label, name }: { label: string; name: 'since' | 'until' }) {
  const value = query(name)
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={isDay(value) ? value : ''}
        data-on={isDay(value)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      />
    </label>
  )
}
