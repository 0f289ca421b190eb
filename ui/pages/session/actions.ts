import { signal } from '@preact/signals'
import { type Address, ask, type ParametersOf } from '../../api/ask.ts'
import { get, getText } from '../../api/client.ts'
import { copy, toast } from '../../parts/toast.tsx'

export const exportOpen = signal(false)

export const exportAddress = (session: string, format: ParametersOf<'export'>['format']): Address<'export'> =>
  ask('export', { session, format })

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
    await copy(await getText(exportAddress(session, 'markdown')), 'the session as Markdown')
  } catch (error) {
    failed(error)
  }
}
