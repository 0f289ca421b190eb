import type { ComponentChildren } from 'preact'

interface TableProperties {
  label: string
  columns: readonly string[]
  /** The columns with numbers, which are aligned to the right. */
  numbers?: readonly string[]
  /** On narrow screens, rows become cards. Then each cell names its column (`data-label`). */
  stacked?: boolean
  /** The rows. */
  children: ComponentChildren
}

/** A table, which scrolls sideways where it is wider than the page. */
export function Table({ label, columns, numbers = [], stacked, children }: TableProperties) {
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label={label}>
      <table class={stacked ? 'data stacked' : 'data'}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" class={numbers.includes(name) ? 'right' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** What something is like, with a dot in the color of its state. */
export const Status = ({ state, words }: { state: string; words: string }) => (
  <span class="status" data-state={state}>
    {words}
  </span>
)

/** A fact in a list of facts: its name and what it is. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
