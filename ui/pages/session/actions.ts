import { signal } from '@preact/signals'
import { ask, type ParametersOf } from '../../api/ask.ts'
import { get, getFile } from '../../api/client.ts'
import { copy, toast } from '../../parts/toast.tsx'

export const exportOpen = signal(false)

const exported = (session: string, format: ParametersOf<'export'>['format']) =>
  getFile(ask('export', { session, format }))

const failed = (error: unknown): void => toast(error instanceof Error ? error.message : String(error))

export async function copyResume(session: string): Promise<void> {
  try {
    const { shell } = await get(ask('resume', { session }))
    await copy(shell, shell)
  } catch (error) {
    failed(error)
  }
}

export async function copyMarkdown(session: string): Promise<void> {
  try {
    const { file } = await exported(session, 'markdown')
    await copy(await file.text(), 'the session as Markdown')
  } catch (error) {
    failed(error)
  }
}

/** Lets the browser save a session as a file. */
export async function save(session: string, format: ParametersOf<'export'>['format']): Promise<void> {
  try {
    const { file, name } = await exported(session, format)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = name
    link.click()
    // The browser has it when the click is over.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  } catch (error) {
    failed(error)
  }
}
