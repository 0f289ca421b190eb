import type { RedactorOptions } from '../../redact/redactor.ts'
import type { RecordSettings } from './slice.ts'

/** The redactor of a destination: standard where nothing is said, with tags that stay the same on this installation. */
export const redactorOptions = ({ redact, home, users, tagKey }: RecordSettings): RedactorOptions => ({
  ...redact,
  level: redact.level ?? 'standard',
  tags: true,
  key: tagKey,
  home,
  users,
})
