import { type Signal, signal } from '@preact/signals'

/** Whether the window is like this, now and later. */
function matching(condition: string): Signal<boolean> {
  const media = window.matchMedia(condition)
  const matches = signal(media.matches)
  media.addEventListener('change', () => {
    matches.value = media.matches
  })
  return matches
}

/** Whether there is room for a conversation beside the list of sessions. */
export const isTwoPanes = matching('(min-width: 1100px)')

export const isPhone = matching('(max-width: 700px)')
