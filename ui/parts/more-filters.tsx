import type { Signal } from '@preact/signals'
import { Button } from './button.tsx'

/** The button that shows or hides the less usual filters. */
export function MoreFilters({ isOpen }: { isOpen: Signal<boolean> }) {
  return (
    <Button
      label={isOpen.value ? 'Fewer filters' : 'More filters'}
      expanded={isOpen.value}
      onClick={() => {
        isOpen.value = !isOpen.value
      }}
    />
  )
}
