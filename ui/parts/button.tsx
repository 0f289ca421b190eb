import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

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
