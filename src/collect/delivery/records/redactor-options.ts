import type { RedactorOptions } from '../../../redact/redactor.ts'
import type { RecordSettings } from '../slice.ts'

/**
 * The redactor options of a destination. The default level is standard; tags are stable on this installation.
 */
export const redactorOptions = ({ redact, home, users, tagKey }: RecordSettings): RedactorOptions => ({
  ...redact,
  level: redact.level ?? 'standard',
  tags: true,
  key: tagKey,
  home,
  users,
})
