import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { count } from '../text/format.ts'

interface ButtonProperties {
  label: string
  icon?: IconName
  /** Shows the icon alone; the label stays for assistive software and as a tooltip. */
  bare?: boolean
  pressed?: boolean
  expanded?: boolean
  disabled?: boolean
  filled?: boolean
  keys?: string
  children?: ComponentChildren
  onClick(event: MouseEvent): void
}

export function Button(given: ButtonProperties) {
  const { label, icon, bare, pressed, expanded, disabled, filled, keys, children, onClick } = given
  return (
    <button
      type="button"
      class={bare ? 'button bare' : 'button'}
      aria-label={bare ? label : undefined}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-keyshortcuts={keys}
      title={bare || keys ? `${label}${keys ? ` (${keys})` : ''}` : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      {icon && <Icon name={icon} filled={filled ?? false} />}
      {!bare && <span>{label}</span>}
      {children}
    </button>
  )
}

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

export function Check({ label, on, onChange }: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <button type="button" class="chip" aria-pressed={on} onClick={() => onChange(!on)}>
      {label}
    </button>
  )
}

interface ChoiceProperties<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: Value): void
}

/** A few alternatives side by side, of which one holds. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProperties<Value>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} data-on={option.value === value}>
          <input
            type="radio"
            name={label}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface ShowAllProperties {
  /** How many rows there are. */
  total: number
  all: boolean
  setAll(all: boolean): void
}

/** The button below a list that is cut, which shows all of it, and fewer again. */
export function ShowAll({ total, all, setAll }: ShowAllProperties) {
  return (
    <p class="more-rows">
      <Button
        label={all ? 'Show fewer' : `Show all ${count(total)}`}
        expanded={all}
        onClick={() => setAll(!all)}
      />
    </p>
  )
}

interface DialogProperties {
  label: string
  class?: string
  onClose(): void
  children: ComponentChildren
}

/** A dialog above the page. The browser holds the focus in it and gives it back. */
export function Dialog({ label, class: name, onClose, children }: DialogProperties) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      class={`dialog ${name ?? ''}`}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}

/** Outlines in a square of 20 units. */
const PATHS = {
  home: 'M3.5 9.2 10 3.8l6.5 5.4M5.3 8v8h9.4V8M8.4 16v-4.4h3.2V16',
  sessions: 'M3.5 5.2h13M3.5 10h13M3.5 14.8h8.5',
  search: 'M9 14.2A5.2 5.2 0 1 0 9 3.8a5.2 5.2 0 0 0 0 10.4M13 13l3.8 3.8',
  projects: 'M3.2 6.2v9h13.6V7.4H10L8.4 5H3.2z',
  tag: 'M3.8 4v5.4l6.9 6.9a1 1 0 0 0 1.4 0l4.2-4.2a1 1 0 0 0 0-1.4L9.4 3.8H4M7 7h0',
  stats: 'M4 16V9.5M8 16V5M12 16v-4.5M16 16V7.5',
  jobs: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 6.2V10l2.6 1.7',
  memory: 'M5 3.5h8.2L15.5 6v10.5H5zM7.8 8.2h5M7.8 11h5M7.8 13.8h2.8',
  edits: 'M4 16l.8-3.4L13 4.4a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2L7.4 15.2zM11.6 5.8l2.6 2.6',
  collector: 'M10 3.2v8.4M6.8 8.6l3.2 3.2 3.2-3.2M3.8 12.6v3.6h12.4v-3.6',
  secrets: 'M8 12.5a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2M11 10.4l5.5 5.4M14 13.2l1.6-1.6',
  doctor: 'M2.8 10.4h3.4L8.3 5l3.4 10 2.2-4.6h3.3',
  star: 'm10 3.4 2 4.3 4.7.6-3.5 3.2.9 4.7L10 13.9l-4.1 2.3.9-4.7-3.5-3.2 4.7-.6z',
  copy: 'M7 7h8.5v9.5H7zM4.5 13V3.5H13',
  link: 'M8.4 11.6a3 3 0 0 0 4.3.1l2.5-2.5a3 3 0 0 0-4.3-4.3l-1 1M11.6 8.4a3 3 0 0 0-4.3-.1l-2.5 2.5a3 3 0 0 0 4.3 4.3l1-1',
  export: 'M10 12V3.8M7 6.6l3-3 3 3M4 11v5h12v-5',
  close: 'M5 5l10 10M15 5 5 15',
  chevron: 'M7.5 5l5 5-5 5',
  left: 'M12.5 5l-5 5 5 5',
  down: 'M5 7.5l5 5 5-5',
  up: 'M5 12.5l5-5 5 5',
  panel: 'M3.5 4.5h13v11h-13zM12 4.5v11',
  layout: 'M3.5 5h13M6.5 10h10M3.5 15h13',
  play: 'M7 4.8v10.4l8-5.2z',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  agent: 'M6.5 3.8v6.7a3 3 0 0 0 3 3h4.2M11.4 11l2.6 2.5-2.6 2.6',
  warning: 'M10 3.8 17 16H3zM10 8.4v3.4M10 13.9v.2',
  image: 'M3.5 4.5h13v11h-13zM3.5 13l4-3.6 3 2.6 2.4-2 3.6 3',
  question: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M7.9 8a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4M10 13.7v.1',
  rescue:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 12.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M5 5l3 3M15 5l-3 3M5 15l3-3M15 15l-3-3',
  branch: 'M6 4.5v11M6 10.5c5 0 7-1.2 7-5M6 4.5h0M13 5.5h0',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, filled }: { name: IconName; filled?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill={filled ? 'currentColor' : 'none'}
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
