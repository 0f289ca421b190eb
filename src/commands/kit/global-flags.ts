import * as z from 'zod/mini'
import { identities } from '../../platforms/identities.ts'
import { dirFlags } from './dir-flags.ts'
import { field } from './fields.ts'
import { flagsOf, wordsOf } from './flags.ts'

/** Which clients delete transcripts, and after how many days: `Claude Code: 30`. */
const KEEPS = identities.flatMap(({ name, keeps }) => (keeps ? `${name}: ${keeps.days}` : [])).join(', ')

/** One field for each platform. `--dir` names the same folders. */
const dirs = Object.fromEntries(
  dirFlags.map(({ field: name, title }) => [
    name,
    field.texts({
      description: `read this ${title} folder instead of the default; can be repeated`,
      ...{ placeholder: 'dir', path: 'dir', repeated: true },
    }),
  ]),
)

/** The flags of every command. Options, help, completions, services and printed commands come from here. */
const shape = {
  json: field.flag({ description: 'print JSON' }),
  ...(dirs as object),
  dir: field.texts({
    description: 'the same for any platform; may be repeated',
    placeholder: '<platform>=<dir>',
  }),
  from: field.text({
    description: 'read an archive made by "scrollback collect" instead of this machine',
    ...{ placeholder: 'dir', path: 'dir', repeated: true },
  }),
  store: field.text({
    description: 'read a team store instead of this machine: clickhouse://user@host/database',
    ...{ placeholder: 'address', repeated: true },
  }),
  storePasswordFile: field.text({
    description: 'a file with its password; otherwise SCROLLBACK_STORE_PASSWORD',
    ...{ placeholder: 'file', path: 'file', repeated: true },
  }),
  deleted: field.flag({
    description: 'also sessions that were deleted but are still on disk',
    repeated: true,
  }),
  backups: field.flag({ description: 'also backup copies of transcripts', repeated: true }),
  demo: field.flag({ description: 'use the bundled demo data', repeated: true }),
  redact: field.unless({ description: 'show secrets: reads the transcripts instead of the store' }),
  retention: field.atLeast(1, 'must be a number of days, 1 or more', {
    description: `days after which clients delete transcripts (by default ${KEEPS})`,
    ...{ placeholder: 'days', repeated: true },
  }),
  pager: field.unless({ description: 'never start a pager' }),
  color: field.either({
    description: 'use colors even when the output is not a terminal',
    off: 'use no colors',
  }),
}

export const globalInput = z.object(shape)

/** The given global flags. Folders are in the field of their platform (`DirFlag.field`). */
export type GlobalFlags = Partial<z.output<typeof globalInput>>

export const globalFlags = flagsOf(globalInput)

const repeated = globalFlags.filter((flag) => flag.repeated)

/** The flags that select the machine, for another command line about the same machine. */
export const machineWords = (flags: GlobalFlags, pathOf?: (path: string) => string): string[] =>
  wordsOf(repeated, flags, pathOf)
