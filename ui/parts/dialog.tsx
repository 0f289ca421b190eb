import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

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
