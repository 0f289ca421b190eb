import { computed, effect, signal } from '@preact/signals'

/** `system`: as the browser prefers. */
const CHOICES = ['system', 'light', 'dark'] as const
export type Theme = (typeof CHOICES)[number]

const NAME = 'scrollback-theme'

function stored(): Theme {
  try {
    const text = localStorage.getItem(NAME)
    return CHOICES.find((choice) => choice === text) ?? 'system'
  } catch {
    // A browser may forbid it.
    return 'system'
  }
}

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const prefersDark = signal(dark.matches)
dark.addEventListener('change', ({ matches }) => {
  prefersDark.value = matches
})

/** What the person has chosen. */
export const theme = signal(stored())

/** The theme that is drawn. */
export const isDark = computed(() => (theme.value === 'system' ? prefersDark.value : theme.value === 'dark'))

effect(() => {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
})

export function chooseTheme(choice: Theme): void {
  theme.value = choice
  try {
    if (choice === 'system') localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, choice)
  } catch {
    // Then it lasts as long as the page.
  }
}
