import { useId } from 'preact/hooks'

interface SelectProperties {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange(value: string): void
}

/** A choice from a list. A value that is not in the list is shown as it is. */
export function Select({ label, value, options, onChange }: SelectProperties) {
  const isKnown = options.some((option) => option.value === value)
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} data-on={value !== ''} onChange={(event) => onChange(event.currentTarget.value)}>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

interface WordsProperties {
  label: string
  value: string
  placeholder?: string
  /** What it is often set to. */
  known?: readonly string[] | undefined
  onChange(value: string): void
}

/** A text field that reports its value as it is typed. */
export function Words({ label, value, placeholder, known = [], onChange }: WordsProperties) {
  const list = useId()
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        list={known.length > 0 ? list : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {known.length > 0 && (
        <datalist id={list}>
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  )
}

export function Check({ label, on, onChange }: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <button type="button" class="chip" aria-pressed={on} onClick={() => onChange(!on)}>
      {label}
    </button>
  )
}
