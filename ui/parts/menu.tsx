import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './controls.tsx'

interface MenuProperties {
  label: string
  /** What it is called for whoever does not see what is around it. */
  name?: string
  icon?: IconName
  /** Something in it is chosen. */
  isOn?: boolean
  /** Where the panel begins: at the left or the right end of the button. */
  side?: 'start' | 'end'
  children(close: () => void): ComponentChildren
}

/** A button that opens a small panel below it. Escape, a click elsewhere or leaving it closes it. */
export function Menu({ label, name, icon, isOn, side = 'start', children }: MenuProperties) {
  const isOpen = useSignal(false)
  const holder = useRef<HTMLSpanElement>(null)
  const close = () => {
    isOpen.value = false
  }
  useEffect(() => {
    if (!isOpen.value) return
    const outside = (event: Event) => {
      if (!holder.current?.contains(event.target as Node)) close()
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      close()
      holder.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    const element = holder.current
    element?.addEventListener('keydown', pressed)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
      element?.removeEventListener('keydown', pressed)
    }
  }, [isOpen.value])
  return (
    <span class="menu-holder" ref={holder}>
      <button
        type="button"
        class="button menu-opener"
        aria-label={name}
        title={name === label ? undefined : name}
        data-on={isOn === true}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {icon && <Icon name={icon} />}
        <span>{label}</span>
        <Icon name="down" />
      </button>
      {isOpen.value && (
        <div class="menu panel-menu" data-side={side}>
          {children(close)}
        </div>
      )}
    </span>
  )
}
