import type { ComponentChildren } from 'preact'

export interface BarsProperties {
  rows: readonly {
    key: string
    name: ComponentChildren
    value: number
    shown: string
  }[]
}

/** Values side by side, longest first. */
export function Bars({ rows }: BarsProperties) {
  const sorted = rows.toSorted((a, b) => b.value - a.value)
  const most = Math.max(...rows.map(({ value }) => value), 0) || 1
  return (
    <ul class="bars">
      {sorted.map(({ key, name, value, shown }) => (
        <li class="bar-row" key={key}>
          <span class="bar-name" dir="auto" title={key}>
            {name}
          </span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span class="bar-value">{shown}</span>
        </li>
      ))}
    </ul>
  )
}
