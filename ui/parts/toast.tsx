import { signal } from '@preact/signals'

const shown = signal('')
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a short message for some seconds, and reads it to people who do not see it. */
export function toast(text: string): void {
  shown.value = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    shown.value = ''
  }, 3500)
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`Copied ${what}`)
  } catch {
    toast('The browser does not allow this page to copy')
  }
}

export function Toast() {
  return (
    <div class="toast" role="status" data-shown={shown.value !== ''}>
      {shown.value}
    </div>
  )
}
