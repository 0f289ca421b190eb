import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isPhone } from '../state/panes.ts'
import { Icon, type IconName } from './controls.tsx'

/** Between the panel and the button, and the edge of the window, in pixels. */
const GAP = 4
const EDGE = 8

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
  const panel = useRef<HTMLDivElement>(null)
  // Where the panel fits: a list that scrolls or is cut must not cut it.
  useLayoutEffect(() => {
    const button = holder.current?.querySelector('button')?.getBoundingClientRect()
    const element = panel.current
    if (!isOpen.value || !button || !element || isPhone.peek()) return
    const { offsetWidth: width, offsetHeight: height } = element
    const begin = side === 'end' ? button.right - width : button.left
    const left = Math.max(EDGE, Math.min(begin, window.innerWidth - width - EDGE))
    const below = button.bottom + GAP
    const top =
      below + height > window.innerHeight - EDGE ? Math.max(EDGE, window.innerHeight - EDGE - height) : below
    element.style.left = `${left}px`
    element.style.top = `${top}px`
  })
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
    // What it belongs to moves away below it.
    window.addEventListener('resize', close)
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    const element = holder.current
    element?.addEventListener('keydown', pressed)
    return () => {
      window.removeEventListener('resize', close)
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
        <div class="menu panel-menu" ref={panel}>
          {children(close)}
        </div>
      )}
    </span>
  )
}
