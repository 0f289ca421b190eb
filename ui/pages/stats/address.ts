import { apiAddress, type Parameters } from '../../api/client.ts'
import { readerZone } from '../../text/zone.ts'

/** The statistics, with the days of the reader's time zone. A project is the one with exactly this name. */
export const statsAddress = (parameters: Parameters): string =>
  apiAddress('stats', { all: !parameters.project, timezone: readerZone(), ...parameters })
