import { Component, type ComponentChildren } from 'preact'
import type { Item } from '../../api/shapes.ts'
import { Plain } from '../../text/plain.tsx'
import { wordsOf } from './plain-row.tsx'

interface GuardProperties {
  item: Item | undefined
  children: ComponentChildren
}

/** Shows the plain words of a row that cannot be drawn, so that the others are. */
export class RowGuard extends Component<GuardProperties, { isBroken: boolean }> {
  override state = { isBroken: false }

  static override getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render({ item, children }: GuardProperties, { isBroken }: { isBroken: boolean }) {
    if (!isBroken) return children
    return (
      <div class="message">
        <Plain text={item ? wordsOf(item) : 'This row cannot be shown.'} />
      </div>
    )
  }
}
