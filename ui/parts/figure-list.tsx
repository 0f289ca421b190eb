export interface Figure {
  name: string
  value: string
  /** A remark below the value. */
  note?: string | undefined
}

/** Figures beside each other, each with its name. */
export function FigureList({ figures, look }: { figures: readonly Figure[]; look?: 'pace' }) {
  return (
    <dl class={look ? `figures ${look}` : 'figures'}>
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note && <div class="figure-note">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
